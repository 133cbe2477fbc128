// The tolerance between interpreter and oracle, for one operation.
#pragma once

#include <optional>
#include <string>

#include "nnapi/comparison.h"
#include "nnapi/tensor.h"
#include "nnapi/types.h"

namespace nn::oracle {

// Whether results of the operation are bit-exact for all inputs.
bool isExact(OperationType operation);

// Half of the accuracy criteria for floats, one stored unit for quantized values, 0 for all other
// types and for exact operations.
testing::Tolerance toleranceOf(OperationType operation, OperandType type);

// The first element that differs by more than the tolerance. NaN equals NaN.
std::optional<std::string> difference(OperandType type, const Tensor& expected,
                                      const Tensor& actual, testing::Tolerance tolerance);

}  // namespace nn::oracle
