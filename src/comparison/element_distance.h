// How many units two elements are apart.
#pragma once

#include <cstdint>
#include <optional>

#include "nnapi/tensor.h"
#include "nnapi/types.h"

namespace nn::testing {

// actual - expected for an element that both have: for floats the number of representable values
// between them, for other types stored units. Empty if only one is NaN.
std::optional<int64_t> elementDistance(OperandType type, const Tensor& expected,
                                       const Tensor& actual, size_t i);

}  // namespace nn::testing
