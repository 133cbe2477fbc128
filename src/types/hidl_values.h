// The contents of handles and memory of HIDL, in the stand-ins and in libhidl.
#pragma once

#include "nnapi/hal/hidl.h"

namespace nn::hidl {

// True if both are null, the same object, or well-formed with the same files and integers.
bool haveSameContents(const native_handle_t* x, const native_handle_t* y);

}  // namespace nn::hidl
