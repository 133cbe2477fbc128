// Elements of constants in double precision, for folding of real numbers.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "importers/onnx/constant.h"

namespace nn::onnx {

bool isReal(ElementType type);

// Empty for elements that are no numbers.
std::optional<std::vector<double>> doublesOf(const Constant& constant);

// A constant of a real type.
Constant ofDoubles(ElementType type, Dimensions dimensions, const std::vector<double>& values);

// Rounds towards zero. Numbers out of range give the nearest one in it, NaN gives 0.
int64_t toInteger(double value);

}  // namespace nn::onnx
