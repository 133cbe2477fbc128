// utils/StrongPointer.h -- sp, a strong pointer to a RefBase.
#pragma once

#include "nnapi/hal/hidl/refs.h"

namespace android {

using ::nn::hidl::sp;

}  // namespace android
