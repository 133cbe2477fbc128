// RESHAPE: the same elements with other dimensions.
#pragma once

#include "op_support/rules/signature.h"

namespace nn::ops::reshape {

inline constexpr Types kTypes[] = {
        // since  input, output
        {V1_0, {TENSOR_FLOAT32}}, {V1_0, {TENSOR_QUANT8_ASYMM}},
        {V1_2, {TENSOR_FLOAT16}}, {V1_3, {TENSOR_QUANT8_ASYMM_SIGNED}},
        {AIDL2, {TENSOR_INT32}},
};

inline constexpr Param kInputs[] = {{"input", T}, {"shape", TENSOR_INT32}};
inline constexpr Param kOutputs[] = {{"output", T}};
inline constexpr Form kForms[] = {{"", kInputs, kOutputs}};
static_assert(wellFormed(kForms, kTypes));

inline constexpr size_t kInput = at(kInputs, "input"), kShape = at(kInputs, "shape");

inline constexpr OperandText kOperandTexts[] = {
        {"shape", "dimensions; at most one is -1, which means the rest"},
};

inline constexpr RuleText kRules[] = {
        {"reshape.elements",
         "The sizes take as many elements as the input has; with a -1, the others take a part of "
         "them that divides it."},
        {"reshape.open", "At most one size is -1."},
        {"reshape.quantization",
         "A quantized output has the scale and the zero point of the input."},
        {"reshape.rank", "The input has rank 1 to 4."},
        {"reshape.shape_rank", "The shape is a tensor of rank 1."},
        {"reshape.size", "Each size is -1 or at least 0."},
};

}  // namespace nn::ops::reshape
