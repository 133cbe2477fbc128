// nnapi/answers.h -- Named pairs of values that device methods return.
//
//   nn::Result<nn::NumberOfCacheFiles> files = nn::convert(aidlFiles);   // nnapi/convert.h
#pragma once

#include <cstdint>
#include <utility>
#include <vector>

#include "nnapi/types.h"

namespace nn {

// Number of model cache files and of data cache files.
using NumberOfCacheFiles = std::pair<uint32_t, uint32_t>;

// Result of an execution: the shapes of all outputs (empty if model and request determine them),
// and the timing, if it was requested.
using Executed = std::pair<std::vector<OutputShape>, Timing>;

}  // namespace nn
