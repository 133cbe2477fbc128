// PRELU: multiplies negative elements by a learnt slope, with broadcasting.
#pragma once

#include "op_support/rules/signature.h"

namespace nn::ops::prelu {

inline constexpr Types kTypes[] = {
        // since  inputs, output
        {V1_2, {TENSOR_FLOAT16}},
        {V1_2, {TENSOR_FLOAT32}},
        {V1_2, {TENSOR_QUANT8_ASYMM}},
        {V1_3, {TENSOR_QUANT8_ASYMM_SIGNED}},
};

inline constexpr Param kInputs[] = {{"input", T}, {"alpha", T}};
inline constexpr Param kOutputs[] = {{"output", T}};
inline constexpr Form kForms[] = {{"", kInputs, kOutputs}};
static_assert(wellFormed(kForms, kTypes));

inline constexpr size_t kInput = at(kInputs, "input"), kAlpha = at(kInputs, "alpha");

inline constexpr OperandText kOperandTexts[] = {
        {"alpha", "slope of negative values"},
};

inline constexpr RuleText kRules[] = {
        {"prelu.shapes", "The shapes of the inputs can be broadcast."},
};

}  // namespace nn::ops::prelu
