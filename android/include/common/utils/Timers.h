// utils/Timers.h -- nsecs_t, times in nanoseconds.
//
//   const nsecs_t start = systemTime();
#pragma once

#include <cstdint>

using nsecs_t = int64_t;

constexpr nsecs_t seconds_to_nanoseconds(nsecs_t time) { return time * 1'000'000'000; }
constexpr nsecs_t milliseconds_to_nanoseconds(nsecs_t time) { return time * 1'000'000; }
constexpr nsecs_t microseconds_to_nanoseconds(nsecs_t time) { return time * 1'000; }
constexpr nsecs_t nanoseconds_to_seconds(nsecs_t time) { return time / 1'000'000'000; }
constexpr nsecs_t nanoseconds_to_milliseconds(nsecs_t time) { return time / 1'000'000; }
constexpr nsecs_t nanoseconds_to_microseconds(nsecs_t time) { return time / 1'000; }
constexpr nsecs_t s2ns(nsecs_t time) { return seconds_to_nanoseconds(time); }
constexpr nsecs_t ms2ns(nsecs_t time) { return milliseconds_to_nanoseconds(time); }
constexpr nsecs_t us2ns(nsecs_t time) { return microseconds_to_nanoseconds(time); }
constexpr nsecs_t ns2s(nsecs_t time) { return nanoseconds_to_seconds(time); }
constexpr nsecs_t ns2ms(nsecs_t time) { return nanoseconds_to_milliseconds(time); }
constexpr nsecs_t ns2us(nsecs_t time) { return nanoseconds_to_microseconds(time); }

enum {
    SYSTEM_TIME_REALTIME = 0,
    SYSTEM_TIME_MONOTONIC = 1,
    SYSTEM_TIME_PROCESS = 2,
    SYSTEM_TIME_THREAD = 3,
    SYSTEM_TIME_BOOTTIME = 4,
};
nsecs_t systemTime(int clock = SYSTEM_TIME_MONOTONIC);

// Milliseconds for poll: 0 if the timeout has passed, -1 for one too long.
int toMillisecondTimeoutDelay(nsecs_t referenceTime, nsecs_t timeoutTime);
