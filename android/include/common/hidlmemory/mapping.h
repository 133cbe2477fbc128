// hidlmemory/mapping.h -- mapMemory.
#pragma once

#include "android/hidl/memory/1.0/IMemory.h"

namespace android::hardware {

using ::nn::hidl::mapMemory;

}  // namespace android::hardware
