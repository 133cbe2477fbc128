// The version for which the targets import files of other formats.
#pragma once

#include <cstdint>
#include <span>

#include "nnapi/version.h"

namespace nn::fuzz {

// The newest one, or one for which more is composed, by the length of the file.
inline Version targetFor(std::span<const uint8_t> bytes) {
    return bytes.size() % 2 == 0 ? kNewestVersion : kVersionFeatureLevel3;
}

}  // namespace nn::fuzz
