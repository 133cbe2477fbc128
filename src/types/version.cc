#include "nnapi/version.h"

namespace nn {
namespace {

// toVersion counts rows, so rows must be in order of level.
consteval bool levelsAreDense() {
    int next = 1;
#define NNAPI_HAL_VERSION(name, level, text, title, family) \
    if (featureLevel(toVersion(HalVersion::name)) != level || level != next++) return false;
#include "nnapi/hal_versions.def"
    return true;
}
static_assert(levelsAreDense());

}  // namespace

std::string toString(Version version) {
    const int level = featureLevel(version);
    const HalVersionInfo* info = halVersionInfo(static_cast<HalVersion>(level - 1));
    std::string text(info == nullptr ? "" : info->title);
    if (info == nullptr || info->family != HalFamily::HIDL) {
        text = "feature level " + std::to_string(level) + (text.empty() ? "" : " (" + text + ")");
    }
    if (version.runtimeOnlyFeatures) text += " with runtime-only features";
    return text;
}

std::string_view toString(HalVersion version) {
    const HalVersionInfo* info = halVersionInfo(version);
    return info == nullptr ? "unknown" : info->text;
}

std::string_view titleOf(HalVersion version) {
    const HalVersionInfo* info = halVersionInfo(version);
    return info == nullptr ? "unknown version" : info->title;
}

std::optional<HalVersion> parseHalVersion(std::string_view text) {
    for (const HalVersionInfo& info : kHalVersionInfos) {
        if (text == info.text) return info.version;
    }
    return std::nullopt;
}

}  // namespace nn
