// android/hidl/memory/1.0/IMemory.h -- IMemory, a mapping of a hidl_memory.
#pragma once

#include "android/hidl/base/1.0/IBase.h"
#include "nnapi/hal/hidl/memory.h"

namespace android::hidl::memory::V1_0 {

using ::nn::hidl::IMemory;

}  // namespace android::hidl::memory::V1_0
