// nnapi/version.h -- which version of the interface an object needs, and what a version is.
//
//   nn::Version needed = nn::combineVersions(a, b);
//   if (nn::isCompliantVersion(needed, nn::toVersion(nn::HalVersion::V1_2))) ...
//
// Feature level n is the numbering of the public API: HAL 1.0 is 1, HAL 1.3 is 4, AIDL 1 to 4 are
// 5 to 8. Pure data and constexpr functions, thread-safe.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace nn {

// The HIDL versions of the driver interface that this library converts to and from.
enum class HalVersion : uint8_t { V1_0, V1_1, V1_2, V1_3 };

inline constexpr std::array kHalVersions = {HalVersion::V1_0, HalVersion::V1_1, HalVersion::V1_2,
                                            HalVersion::V1_3};

// What an object needs, or what a peer supports.
struct Version {
    enum class Level : uint8_t {
        FEATURE_LEVEL_1 = 1,
        FEATURE_LEVEL_2,
        FEATURE_LEVEL_3,
        FEATURE_LEVEL_4,
        FEATURE_LEVEL_5,
        FEATURE_LEVEL_6,
        FEATURE_LEVEL_7,
        FEATURE_LEVEL_8,
    };

    Level level = Level::FEATURE_LEVEL_1;

    // Needed: the object uses a feature that the runtime may use internally but no driver interface
    // carries (WHILE over operands of unknown size). Supported: the peer is such a runtime.
    bool runtimeOnlyFeatures = false;

    bool operator==(const Version&) const = default;
};

inline constexpr Version kVersionFeatureLevel1{Version::Level::FEATURE_LEVEL_1};
inline constexpr Version kVersionFeatureLevel2{Version::Level::FEATURE_LEVEL_2};
inline constexpr Version kVersionFeatureLevel3{Version::Level::FEATURE_LEVEL_3};
inline constexpr Version kVersionFeatureLevel4{Version::Level::FEATURE_LEVEL_4};
inline constexpr Version kVersionFeatureLevel5{Version::Level::FEATURE_LEVEL_5};
inline constexpr Version kVersionFeatureLevel6{Version::Level::FEATURE_LEVEL_6};
inline constexpr Version kVersionFeatureLevel7{Version::Level::FEATURE_LEVEL_7};
inline constexpr Version kVersionFeatureLevel8{Version::Level::FEATURE_LEVEL_8};

constexpr Version toVersion(HalVersion version) {
    return {.level = static_cast<Version::Level>(static_cast<uint8_t>(version) + 1)};
}

// The least version that carries what both need.
constexpr Version combineVersions(Version a, Version b) {
    return {.level = a.level < b.level ? b.level : a.level,
            .runtimeOnlyFeatures = a.runtimeOnlyFeatures || b.runtimeOnlyFeatures};
}

constexpr bool isCompliantVersion(Version needed, Version supported) {
    return needed.level <= supported.level &&
           (!needed.runtimeOnlyFeatures || supported.runtimeOnlyFeatures);
}

// 1 to 8.
constexpr int featureLevel(Version version) { return static_cast<int>(version.level); }

// "HAL 1.2"; "feature level 6" where no HIDL version has that level; a suffix for runtime-only.
std::string toString(Version version);

// "1.2"
std::string_view toString(HalVersion version);

// Reads "1.0" to "1.3".
std::optional<HalVersion> parseHalVersion(std::string_view text);

}  // namespace nn
