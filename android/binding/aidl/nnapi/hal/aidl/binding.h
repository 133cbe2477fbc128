// nnapi/hal/aidl/binding.h -- Uses the types that aidl generates. See nnapi/hal/binding.h.
#pragma once

#define NNAPI_AIDL_IS_GENERATED
#define NNAPI_BINDING_OF_AIDL ::inline generated_aidl

// Not in the namespace of the enumerations, where generated functions have that name but return
// other texts.
#define NNAPI_AIDL_NAMES_IN nn::aidl_names
