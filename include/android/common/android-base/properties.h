// android-base/properties.h -- properties of the system.
//
//   bool verbose = android::base::GetBoolProperty("vendor.npu.verbose", false);
//
// A property is the value that SetProperty set in this process, else the variable of the
// environment that has exactly its name: `env debug.nn.vlog=all ./driver`. No other process sees
// set values. Thread-safe.
#pragma once

#include <chrono>
#include <concepts>
#include <limits>
#include <optional>
#include <string>
#include <utility>

#include "android-base/parseint.h"

namespace android::base {

// The fallback for a property that is not there, or empty.
std::string GetProperty(const std::string& key, const std::string& fallback);

// True of 1, y, yes, on, true; false of 0, n, no, off, false; the fallback for another text.
bool GetBoolProperty(const std::string& key, bool fallback);

// Decimal or hexadecimal; the fallback for a number outside the range and for other texts.
template <std::signed_integral T>
T GetIntProperty(const std::string& key, T fallback, T min = std::numeric_limits<T>::min(),
                 T max = std::numeric_limits<T>::max()) {
    T value{};
    return ParseInt(GetProperty(key, ""), &value, min, max) ? value : fallback;
}
template <std::unsigned_integral T>
T GetUintProperty(const std::string& key, T fallback, T max = std::numeric_limits<T>::max()) {
    T value{};
    return ParseUint(GetProperty(key, ""), &value, max) ? value : fallback;
}

// False for an empty name, and for a property whose name begins with "ro." and that is set.
bool SetProperty(const std::string& key, const std::string& value);

// Wait until this process sets a property. False after the time.
bool WaitForProperty(const std::string& key, const std::string& value,
                     std::chrono::milliseconds timeout = std::chrono::milliseconds::max());
bool WaitForPropertyCreation(const std::string& key,
                             std::chrono::milliseconds timeout = std::chrono::milliseconds::max());

}  // namespace android::base
