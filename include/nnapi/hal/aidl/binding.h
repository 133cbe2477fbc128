// nnapi/hal/aidl/binding.h -- Whether the types of AIDL are generated ones: here they are not. See
// nnapi/hal/binding.h.
#pragma once

#define NNAPI_BINDING_OF_AIDL

// Where the names of enumerators are: as in generated code.
#define NNAPI_AIDL_NAMES_IN aidl::android::hardware::neuralnetworks
