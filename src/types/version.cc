#include "nnapi/version.h"

namespace nn {

std::string toString(Version version) {
    const int level = featureLevel(version);
    std::string text = level <= 4 ? "HAL 1." + std::to_string(level - 1)
                                  : "feature level " + std::to_string(level);
    if (version.runtimeOnlyFeatures) text += " with runtime-only features";
    return text;
}

std::string_view toString(HalVersion version) {
    switch (version) {
        case HalVersion::V1_0:
            return "1.0";
        case HalVersion::V1_1:
            return "1.1";
        case HalVersion::V1_2:
            return "1.2";
        case HalVersion::V1_3:
            return "1.3";
    }
    return "unknown";
}

std::optional<HalVersion> parseHalVersion(std::string_view text) {
    for (const HalVersion version : kHalVersions) {
        if (text == toString(version)) return version;
    }
    return std::nullopt;
}

}  // namespace nn
