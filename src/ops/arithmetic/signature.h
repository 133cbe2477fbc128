// ADD, SUB, MUL, DIV: elementwise arithmetic with broadcasting and a fused activation.
#pragma once

#include "op_support/rules/signature.h"

namespace nn::ops::arithmetic {

inline constexpr Types kAddAndMulTypes[] = {
        // since  inputs, output
        {V1_0, {TENSOR_FLOAT32}}, {V1_0, {TENSOR_QUANT8_ASYMM}},
        {V1_2, {TENSOR_FLOAT16}}, {V1_3, {TENSOR_QUANT8_ASYMM_SIGNED}},
        {V1_3, {TENSOR_INT32}},
};
inline constexpr Types kSubTypes[] = {
        {V1_1, {TENSOR_FLOAT32}},      {V1_2, {TENSOR_FLOAT16}},
        {V1_2, {TENSOR_QUANT8_ASYMM}}, {V1_3, {TENSOR_QUANT8_ASYMM_SIGNED}},
        {V1_3, {TENSOR_INT32}},
};
inline constexpr Types kDivTypes[] = {
        {V1_1, {TENSOR_FLOAT32}},
        {V1_2, {TENSOR_FLOAT16}},
        {V1_3, {TENSOR_INT32}},
};

inline constexpr Param kInputs[] = {{"input0", T}, {"input1", T}, {"activation", INT32}};
inline constexpr Param kOutputs[] = {{"output", T}};
inline constexpr Form kForms[] = {{"", kInputs, kOutputs}};
static_assert(wellFormed(kForms, kAddAndMulTypes));
static_assert(wellFormed(kForms, kSubTypes));
static_assert(wellFormed(kForms, kDivTypes));

inline constexpr size_t kInput0 = at(kInputs, "input0"), kInput1 = at(kInputs, "input1"),
                        kActivation = at(kInputs, "activation");

inline constexpr RuleText kRules[] = {
        {"arithmetic.activation",
         "The activation is 0 (NONE), 1 (RELU), 2 (RELU1) or 3 (RELU6), and 0 for TENSOR_INT32."},
        {"arithmetic.mul_scale",
         "The scale of a quantized output of MUL is above the product of the scales of the "
         "inputs."},
        {"arithmetic.rank", "Both inputs have rank 1 to 4."},
        {"arithmetic.shapes", "The shapes of the inputs can be broadcast."},
        {"arithmetic.sum_scale",
         "The scale of a quantized output of ADD and SUB is above the larger scale of the inputs "
         "divided by 2^19."},
};

}  // namespace nn::ops::arithmetic
