// nnapi/version.h -- HAL versions and feature levels.
//
//   nn::Version needed = nn::combineVersions(a, b);
//   if (nn::isCompliantVersion(needed, nn::toVersion(nn::HalVersion::V1_2))) ...
//
// The rows of nnapi/hal_versions.def are the versions of the driver interface, HIDL and AIDL on one
// axis. Feature levels are numbered as in the C API: HAL 1.0 to 1.3 are 1 to 4, AIDL 1 to 4 are 5
// to 8. Data and constexpr functions only; thread-safe.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace nn {

// Versions of the driver interface, V1_0 to V1_3 and AIDL1 to AIDL4, in order. nnapi/convert.h
// lists those that models convert to.
enum class HalVersion : uint8_t {
#define NNAPI_HAL_VERSION(name, level, text, title, family) name,
#include "nnapi/hal_versions.def"
};

// All versions, oldest first.
inline constexpr std::array kHalVersions = {
#define NNAPI_HAL_VERSION(name, level, text, title, family) HalVersion::name,
#include "nnapi/hal_versions.def"
};

// Interface language of a version.
enum class HalFamily : uint8_t { HIDL, AIDL };

// The version that an object requires or that a peer supports.
struct Version {
    // FEATURE_LEVEL_1, FEATURE_LEVEL_2, ...: one for each row.
    enum class Level : uint8_t {
#define NNAPI_HAL_VERSION(name, level, text, title, family) FEATURE_LEVEL_##level = level,
#include "nnapi/hal_versions.def"
    };

    // Compares as the number of the feature level.
    Level level = Level::FEATURE_LEVEL_1;

    // For an object: it uses a feature that no driver interface has (WHILE over operands of unknown
    // size). For a peer: it executes such features.
    bool runtimeOnlyFeatures = false;

    bool operator==(const Version&) const = default;
};

// kVersionFeatureLevel1, kVersionFeatureLevel2, ...: one for each row.
#define NNAPI_HAL_VERSION(name, level, text, title, family) \
    inline constexpr Version kVersionFeatureLevel##level{Version::Level::FEATURE_LEVEL_##level};
#include "nnapi/hal_versions.def"

// The feature level of a HAL version.
constexpr Version toVersion(HalVersion version) {
    return {.level = static_cast<Version::Level>(static_cast<uint8_t>(version) + 1)};
}

// The newest version.
inline constexpr Version kNewestVersion = toVersion(kHalVersions.back());

// The newest version, including features that no driver interface has.
inline constexpr Version kNewestRuntimeVersion = {.level = kNewestVersion.level,
                                                  .runtimeOnlyFeatures = true};

// The lowest version that satisfies both.
constexpr Version combineVersions(Version a, Version b) {
    return {.level = a.level < b.level ? b.level : a.level,
            .runtimeOnlyFeatures = a.runtimeOnlyFeatures || b.runtimeOnlyFeatures};
}

// True if an object that requires `needed` works with a peer that supports `supported`.
constexpr bool isCompliantVersion(Version needed, Version supported) {
    return needed.level <= supported.level &&
           (!needed.runtimeOnlyFeatures || supported.runtimeOnlyFeatures);
}

// Feature level as a number, from 1.
constexpr int featureLevel(Version version) { return static_cast<int>(version.level); }

// One row of hal_versions.def.
struct HalVersionInfo {
    HalVersion version;      // its index in the table
    std::string_view text;   // as toString(HalVersion): "1.2", "aidl1"
    std::string_view title;  // as titleOf(): "HAL 1.2", "AIDL 1"
    HalFamily family;        // of its interface language
};

// All rows, oldest first.
inline constexpr std::array kHalVersionInfos = {
#define NNAPI_HAL_VERSION(name, level, text, title, family) \
    HalVersionInfo{HalVersion::name, text, title, HalFamily::family},
#include "nnapi/hal_versions.def"
};

// The row of a version; null for a value that is not an enumerator.
constexpr const HalVersionInfo* halVersionInfo(HalVersion version) {
    const auto row = static_cast<size_t>(version);
    return row < kHalVersionInfos.size() ? &kHalVersionInfos[row] : nullptr;
}

// "HAL 1.2", "feature level 6 (AIDL 2)"; "feature level 9" if no version has that level; with a
// suffix if runtimeOnlyFeatures is set.
std::string toString(Version version);

// "1.2", "aidl1": spelling in options and files.
std::string_view toString(HalVersion version);

// "HAL 1.2", "AIDL 1": spelling in messages.
std::string_view titleOf(HalVersion version);

// Parses "1.0" to "1.3" and "aidl1" to "aidl4"; empty for other text.
std::optional<HalVersion> parseHalVersion(std::string_view text);

}  // namespace nn
