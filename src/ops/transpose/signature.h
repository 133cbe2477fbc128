// TRANSPOSE: permutes the dimensions of a tensor.
#pragma once

#include "op_support/rules/signature.h"

namespace nn::ops::transpose {

inline constexpr Types kTypes[] = {
        // since  input, output
        {V1_1, {TENSOR_FLOAT32}},
        {V1_1, {TENSOR_QUANT8_ASYMM}},
        {V1_2, {TENSOR_FLOAT16}},
        {V1_3, {TENSOR_QUANT8_ASYMM_SIGNED}},
};

inline constexpr Param kInputs[] = {{"input", T}, omittable("perm", TENSOR_INT32)};
inline constexpr Param kOutputs[] = {{"output", T}};
inline constexpr Form kForms[] = {{"", kInputs, kOutputs}};
static_assert(wellFormed(kForms, kTypes));

inline constexpr size_t kInput = at(kInputs, "input"), kPermutation = at(kInputs, "perm");

inline constexpr OperandText kOperandTexts[] = {
        {"perm", "which axis of the input each axis of the output is; none: reversed"},
};

inline constexpr RuleText kRules[] = {
        {"transpose.perm", "The list names each dimension from 0 to rank - 1 once."},
        {"transpose.quantization", "The output has the scale and the zero point of the input."},
        {"transpose.rank", "The input has rank 1 to 4."},
};

}  // namespace nn::ops::transpose
