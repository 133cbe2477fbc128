// android-base/threads.h -- numbers of threads.
#pragma once

#include <cstdint>

namespace android::base {

uint64_t GetThreadId();  // of the kernel

}  // namespace android::base
