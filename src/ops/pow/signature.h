// POW: elementwise powers, with broadcasting.
#pragma once

#include "op_support/rules/signature.h"

namespace nn::ops::pow {

inline constexpr Types kTypes[] = {
        // since  inputs, output
        {V1_2, {TENSOR_FLOAT16}},
        {V1_2, {TENSOR_FLOAT32}},
};

inline constexpr Param kInputs[] = {{"base", T}, {"exponent", T}};
inline constexpr Param kOutputs[] = {{"output", T}};
inline constexpr Form kForms[] = {{"", kInputs, kOutputs}};
static_assert(wellFormed(kForms, kTypes));

inline constexpr size_t kBase = at(kInputs, "base"), kExponent = at(kInputs, "exponent");

inline constexpr OperandText kOperandTexts[] = {
        {"base", "what is raised"},
        {"exponent", "to what power"},
};

inline constexpr RuleText kRules[] = {
        {"pow.shapes", "The shapes of the inputs can be broadcast."},
};

}  // namespace nn::ops::pow
