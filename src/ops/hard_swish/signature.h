// HARD_SWISH: multiplies each element by a piecewise linear sigmoid of itself.
#pragma once

#include "op_support/rules/signature.h"

namespace nn::ops::hard_swish {

inline constexpr Types kTypes[] = {
        // since  input, output
        {V1_3, {TENSOR_FLOAT16}},
        {V1_3, {TENSOR_FLOAT32}},
        {V1_3, {TENSOR_QUANT8_ASYMM}},
        {V1_3, {TENSOR_QUANT8_ASYMM_SIGNED}},
};

inline constexpr Param kInputs[] = {{"input", T}};
inline constexpr Param kOutputs[] = {{"output", T}};
inline constexpr Form kForms[] = {{"", kInputs, kOutputs}};
static_assert(wellFormed(kForms, kTypes));

inline constexpr size_t kInput = at(kInputs, "input");

}  // namespace nn::ops::hard_swish
