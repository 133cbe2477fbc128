// The version for which the targets import files of other formats.
#pragma once

#include <cstdint>
#include <span>

#include "nnapi/version.h"

namespace nn::fuzz {

// The newest version, or an older one that requires more composed operations, by the file's length.
inline Version targetFor(std::span<const uint8_t> bytes) {
    return bytes.size() % 2 == 0 ? kNewestVersion : kVersionFeatureLevel3;
}

}  // namespace nn::fuzz
