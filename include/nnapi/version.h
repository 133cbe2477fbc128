// nnapi/version.h -- which version of the interface an object needs, and what a version is.
//
//   nn::Version needed = nn::combineVersions(a, b);
//   if (nn::isCompliantVersion(needed, nn::toVersion(nn::HalVersion::V1_2))) ...
//
// The rows of nnapi/hal_versions.def are the versions of the driver interface, HIDL and AIDL on one
// axis. Feature level n is the numbering of the public API: HAL 1.0 is 1, HAL 1.3 is 4, AIDL 1 to 4
// are 5 to 8. Pure data and constexpr functions, thread-safe.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace nn {

// The versions of the driver interface, V1_0 to V1_3 and AIDL1 to AIDL4. nnapi/convert.h says to
// which of them models convert.
enum class HalVersion : uint8_t {
#define NNAPI_HAL_VERSION(name, level, text, title, family) name,
#include "nnapi/hal_versions.def"
};

inline constexpr std::array kHalVersions = {
#define NNAPI_HAL_VERSION(name, level, text, title, family) HalVersion::name,
#include "nnapi/hal_versions.def"
};

// The languages that the interface was written in.
enum class HalFamily : uint8_t { HIDL, AIDL };

// What an object needs, or what a peer supports.
struct Version {
    // FEATURE_LEVEL_1, FEATURE_LEVEL_2, ...: one for each row.
    enum class Level : uint8_t {
#define NNAPI_HAL_VERSION(name, level, text, title, family) FEATURE_LEVEL_##level = level,
#include "nnapi/hal_versions.def"
    };

    Level level = Level::FEATURE_LEVEL_1;

    // In a version that an object needs: it uses a feature that no driver interface carries and
    // only the runtime may use internally (WHILE over operands of unknown size). In a version that
    // a peer supports: the peer is such a runtime.
    bool runtimeOnlyFeatures = false;

    bool operator==(const Version&) const = default;
};

// kVersionFeatureLevel1, kVersionFeatureLevel2, ...: one for each row.
#define NNAPI_HAL_VERSION(name, level, text, title, family) \
    inline constexpr Version kVersionFeatureLevel##level{Version::Level::FEATURE_LEVEL_##level};
#include "nnapi/hal_versions.def"

constexpr Version toVersion(HalVersion version) {
    return {.level = static_cast<Version::Level>(static_cast<uint8_t>(version) + 1)};
}

// The newest version of all.
inline constexpr Version kNewestVersion = toVersion(kHalVersions.back());

// What a runtime supports: that, and what no driver interface carries.
inline constexpr Version kNewestRuntimeVersion = {.level = kNewestVersion.level,
                                                  .runtimeOnlyFeatures = true};

// The least version that carries both.
constexpr Version combineVersions(Version a, Version b) {
    return {.level = a.level < b.level ? b.level : a.level,
            .runtimeOnlyFeatures = a.runtimeOnlyFeatures || b.runtimeOnlyFeatures};
}

constexpr bool isCompliantVersion(Version needed, Version supported) {
    return needed.level <= supported.level &&
           (!needed.runtimeOnlyFeatures || supported.runtimeOnlyFeatures);
}

// The number of the feature level, from 1.
constexpr int featureLevel(Version version) { return static_cast<int>(version.level); }

// One row of hal_versions.def.
struct HalVersionInfo {
    HalVersion version;
    std::string_view text;
    std::string_view title;
    HalFamily family;
};

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

// "HAL 1.2", "feature level 6 (AIDL 2)"; "feature level 9" where no version has that level; a
// suffix for runtime-only.
std::string toString(Version version);

// "1.2", "aidl1": how options and files spell it.
std::string_view toString(HalVersion version);

// "HAL 1.2", "AIDL 1": how messages spell it.
std::string_view titleOf(HalVersion version);

// Reads "1.0" to "1.3" and "aidl1" to "aidl4".
std::optional<HalVersion> parseHalVersion(std::string_view text);

}  // namespace nn
