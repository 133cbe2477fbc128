// ELU: replaces negative elements by an exponential.
#pragma once

#include "op_support/rules/signature.h"

namespace nn::ops::elu {

inline constexpr Types kTypes[] = {
        // since  input, output    alpha
        {V1_3, {TENSOR_FLOAT16, FLOAT16}},
        {V1_3, {TENSOR_FLOAT32, FLOAT32}},
};

inline constexpr Param kInputs[] = {{"input", T}, {"alpha", S}};
inline constexpr Param kOutputs[] = {{"output", T}};
inline constexpr Form kForms[] = {{"", kInputs, kOutputs}};
static_assert(wellFormed(kForms, kTypes));

inline constexpr size_t kInput = at(kInputs, "input"), kAlpha = at(kInputs, "alpha");

inline constexpr OperandText kOperandTexts[] = {
        {"alpha", "the value that very negative inputs approach, negated"},
};

}  // namespace nn::ops::elu
