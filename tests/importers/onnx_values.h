// Tensors of ONNX and the same ones of imported models.
#pragma once

#include "importers/onnx/constant.h"
#include "nnapi/tensor.h"
#include "nnapi/types.h"

namespace nn::onnx {

// The tensor of an input or output of the model: int64 becomes int32, and a scalar a tensor of one
// element.
Tensor tensorFor(const Constant& constant);

// Why an output is not the expected one; empty if it is.
std::string differenceOf(OperandType type, const Tensor& found, const Constant& expected);

}  // namespace nn::onnx
