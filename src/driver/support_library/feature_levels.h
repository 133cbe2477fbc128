// Converts between versions and the feature levels of the C API.
#pragma once

#include <cstdint>

#include "nnapi/version.h"

namespace nn::driver {

// An enumerator of FeatureLevelCode.
constexpr int64_t featureLevelCode(Version version) {
    const int level = featureLevel(version);
    return level <= 5 ? 26 + level : 1000000 + level;
}

}  // namespace nn::driver
