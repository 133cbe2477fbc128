// Elements of constants in double precision, in which folding computes real numbers.
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

// Real numbers are cut; what is out of range has no meaning.
int64_t toInteger(double value);

}  // namespace nn::onnx
