// nnapi/hal/hidl/binding.h -- Whether the types of HIDL are generated ones: here they are not. See
// nnapi/hal/binding.h.
#pragma once

#define NNAPI_BINDING_OF_HIDL
