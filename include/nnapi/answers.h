// nnapi/answers.h -- what devices answer, by the names that interfaces have for it.
//
//   nn::Result<nn::NumberOfCacheFiles> files = nn::convert(aidlFiles);   // nnapi/convert.h
#pragma once

#include <cstdint>
#include <utility>
#include <vector>

#include "nnapi/types.h"

namespace nn {

// Of models and of data.
using NumberOfCacheFiles = std::pair<uint32_t, uint32_t>;

// What an execution answers: the shapes of all outputs, or none where the model and the request say
// them all; and how long it took, where that was asked for.
using Executed = std::pair<std::vector<OutputShape>, Timing>;

}  // namespace nn
