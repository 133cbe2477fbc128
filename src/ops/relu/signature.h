// RELU, RELU1, RELU6: clamp elements to an interval.
#pragma once

#include "op_support/rules/signature.h"

namespace nn::ops::relu {

inline constexpr Types kTypes[] = {
        // since  input, output
        {V1_0, {TENSOR_FLOAT32}},
        {V1_0, {TENSOR_QUANT8_ASYMM}},
        {V1_2, {TENSOR_FLOAT16}},
        {V1_3, {TENSOR_QUANT8_ASYMM_SIGNED}},
};

inline constexpr Param kInputs[] = {{"input", T}};
inline constexpr Param kOutputs[] = {{"output", T}};
inline constexpr Form kForms[] = {{"", kInputs, kOutputs}};
static_assert(wellFormed(kForms, kTypes));

inline constexpr size_t kInput = at(kInputs, "input");

inline constexpr RuleText kRules[] = {
        {"relu.quantization", "A quantized output has the scale and the zero point of the input."},
        {"relu.rank", "The input has rank 1 to 4."},
};

}  // namespace nn::ops::relu
