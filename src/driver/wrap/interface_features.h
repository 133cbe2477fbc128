// The first version that has each feature of the interfaces, both families on one axis.
#pragma once

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
