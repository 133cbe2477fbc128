// utils/SystemClock.h -- the time since boot.
#pragma once

#include <cstdint>

namespace android {

// Without the time that the machine was suspended.
int64_t uptimeMillis();
int64_t uptimeNanos();
// With it.
int64_t elapsedRealtime();
int64_t elapsedRealtimeNano();

}  // namespace android
