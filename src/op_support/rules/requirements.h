// Checks of single dimensions and scalars. Every function returns true while something is unknown,
// and reports through the operation if it returns false.
#pragma once

#include <string_view>

#include "op_support/rules/op_view.h"

namespace nn::ops {

// A dimension of an input equals a number, or the dimension of another input.
bool requireDim(const OpView& op, std::string_view rule, size_t input, size_t dimension,
                Dim allowed);
bool requireSameDim(const OpView& op, std::string_view rule, size_t input, size_t dimension,
                    size_t otherInput, size_t otherDimension);

// A dimension of an input is at least a number.
bool requireDimAtLeast(const OpView& op, std::string_view rule, size_t input, size_t dimension,
                       uint32_t least);

// The value of an INT32 input is at least a number.
bool requireAtLeast(const OpView& op, std::string_view rule, size_t input, int32_t least);

// The value of a FLOAT32 or FLOAT16 input is above 0; the second: at least 0.
bool requirePositive(const OpView& op, std::string_view rule, size_t input);
bool requireNotNegative(const OpView& op, std::string_view rule, size_t input);

// Box coordinates of type TENSOR_QUANT16_ASYMM are in eighths of a pixel: scale 0.125, zero point
// 0. Other types are free.
bool requireEighths(const OpView& op, std::string_view rule, OpView::Name operand);

}  // namespace nn::ops
