// EQUAL, GREATER, GREATER_EQUAL, LESS, LESS_EQUAL, NOT_EQUAL: compare elements, with broadcasting.
#pragma once

#include "op_support/rules/signature.h"

namespace nn::ops::comparison {

inline constexpr Types kTypes[] = {
        // since  inputs
        {V1_2, {TENSOR_BOOL8}}, {V1_2, {TENSOR_FLOAT16}},      {V1_2, {TENSOR_FLOAT32}},
        {V1_2, {TENSOR_INT32}}, {V1_2, {TENSOR_QUANT8_ASYMM}}, {V1_3, {TENSOR_QUANT8_ASYMM_SIGNED}},
};

inline constexpr Param kInputs[] = {{"input0", T}, {"input1", T}};
inline constexpr Param kOutputs[] = {{"output", TENSOR_BOOL8}};
inline constexpr Form kForms[] = {{"", kInputs, kOutputs}};
static_assert(wellFormed(kForms, kTypes));

inline constexpr size_t kInput0 = at(kInputs, "input0"), kInput1 = at(kInputs, "input1");

inline constexpr RuleText kRules[] = {
        {"comparison.shapes", "The shapes of the inputs can be broadcast."},
};

}  // namespace nn::ops::comparison
