// nnapi/hal/aidl/binding.h -- States that the types of AIDL are not generated. See
// nnapi/hal/binding.h.
#pragma once

#define NNAPI_BINDING_OF_AIDL

// The namespace of the enumerators' names: as in generated code.
#define NNAPI_AIDL_NAMES_IN aidl::android::hardware::neuralnetworks
