// EXPAND_DIMS: inserts a dimension of 1.
#pragma once

#include "op_support/rules/signature.h"

namespace nn::ops::expand_dims {

inline constexpr Types kTypes[] = {
        // since  input, output
        {V1_2, {TENSOR_FLOAT16}},
        {V1_2, {TENSOR_FLOAT32}},
        {V1_2, {TENSOR_INT32}},
        {V1_2, {TENSOR_QUANT8_ASYMM}},
        {V1_3, {TENSOR_QUANT8_ASYMM_SIGNED}},
};

inline constexpr Param kInputs[] = {{"input", T}, {"axis", INT32}};
inline constexpr Param kOutputs[] = {{"output", T}};
inline constexpr Form kForms[] = {{"", kInputs, kOutputs}};
static_assert(wellFormed(kForms, kTypes));

inline constexpr size_t kInput = at(kInputs, "input"), kAxis = at(kInputs, "axis");

inline constexpr OperandText kOperandTexts[] = {
        {"axis", "place of the new axis, counted from the end if negative"},
};

inline constexpr RuleText kRules[] = {
        {"expand_dims.axis",
         "The axis lies in [-(rank + 1), rank]: the place of the new dimension in the output, "
         "where a negative one counts from the end."},
        {"expand_dims.quantization", "The output has the scale and the zero point of the input."},
};

}  // namespace nn::ops::expand_dims
