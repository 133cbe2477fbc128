// The first version that has each feature of the interfaces, both families on one axis.
#pragma once

#include <string_view>

#include "nnapi/version.h"

namespace nn::driver::since {

inline constexpr HalVersion kPreference = HalVersion::V1_1;
inline constexpr HalVersion kMetadata = HalVersion::V1_2;  // version string, type, extensions
inline constexpr HalVersion kCaching = HalVersion::V1_2;
inline constexpr HalVersion kMeasuring = HalVersion::V1_2;
inline constexpr HalVersion kSynchronous = HalVersion::V1_2;
inline constexpr HalVersion kBursts = HalVersion::V1_2;
inline constexpr HalVersion kPriority = HalVersion::V1_3;
inline constexpr HalVersion kDeadline = HalVersion::V1_3;
inline constexpr HalVersion kLoopTimeout = HalVersion::V1_3;
inline constexpr HalVersion kFences = HalVersion::V1_3;
inline constexpr HalVersion kMemoryDomains = HalVersion::V1_3;
inline constexpr HalVersion kPadding = HalVersion::AIDL1;
inline constexpr HalVersion kHints = HalVersion::AIDL4;
inline constexpr HalVersion kReusable = HalVersion::AIDL4;

}  // namespace nn::driver::since

namespace nn::driver {

// An argument that a version introduced. `whyLost` continues the sentence "HAL 1.0 ...".
struct Argument {
    HalVersion since;
    std::string_view name;
    std::string_view whyLost;
};

namespace arguments {

inline constexpr Argument kPreference = {since::kPreference, "preference", "has no preference"};
inline constexpr Argument kPriority = {since::kPriority, "priority", "has no priority"};
inline constexpr Argument kDeadline = {since::kDeadline, "deadline",
                                       "has no deadlines; the caller's side honors it"};
inline constexpr Argument kMeasure = {since::kMeasuring, "measure", "does not measure times"};
inline constexpr Argument kLoopTimeout = {since::kLoopTimeout, "loopTimeoutDuration",
                                          "has no limit for loops"};
inline constexpr Argument kHints = {since::kHints, "hints", "has no hints"};
inline constexpr Argument kExtensions = {since::kHints, "extensionNameToPrefix",
                                         "has no hints of extensions"};

}  // namespace arguments
}  // namespace nn::driver
