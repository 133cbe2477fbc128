// MAXIMUM, MINIMUM: the elementwise maximum or minimum of two tensors, with broadcasting.
#pragma once

#include "op_support/rules/signature.h"

namespace nn::ops::maximum_minimum {

inline constexpr Types kTypes[] = {
        // since  inputs, output
        {V1_2, {TENSOR_FLOAT16}},
        {V1_2, {TENSOR_FLOAT32}},
        {V1_2, {TENSOR_INT32}},
        {V1_2, {TENSOR_QUANT8_ASYMM}},
        {V1_3, {TENSOR_QUANT8_ASYMM_SIGNED}},
};

inline constexpr Param kInputs[] = {{"input0", T}, {"input1", T}};
inline constexpr Param kOutputs[] = {{"output", T}};
inline constexpr Form kForms[] = {{"", kInputs, kOutputs}};
static_assert(wellFormed(kForms, kTypes));

inline constexpr size_t kInput0 = at(kInputs, "input0"), kInput1 = at(kInputs, "input1");

inline constexpr RuleText kRules[] = {
        {"maximum_minimum.shapes", "The shapes of the inputs can be broadcast."},
};

}  // namespace nn::ops::maximum_minimum
