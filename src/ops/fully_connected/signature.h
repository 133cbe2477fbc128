// FULLY_CONNECTED: a matrix product with weights, plus a bias for each unit, and a fused
// activation.
#pragma once

#include "op_support/rules/signature.h"

namespace nn::ops::fully_connected {

inline constexpr Types kTypes[] = {
        // since  input, weights, output       bias
        {V1_0, {TENSOR_FLOAT32, TENSOR_FLOAT32}},
        {V1_0, {TENSOR_QUANT8_ASYMM, TENSOR_INT32}},
        {V1_2, {TENSOR_FLOAT16, TENSOR_FLOAT16}},
        {V1_3, {TENSOR_QUANT8_ASYMM_SIGNED, TENSOR_INT32}},
};

inline constexpr Param kInputs[] = {
        {"input", T}, {"weights", T}, {"bias", S}, {"activation", INT32}};
inline constexpr Param kOutputs[] = {{"output", T}};
inline constexpr Form kForms[] = {{"", kInputs, kOutputs}};
static_assert(wellFormed(kForms, kTypes));

inline constexpr size_t kInput = at(kInputs, "input"), kWeights = at(kInputs, "weights"),
                        kBias = at(kInputs, "bias"), kActivation = at(kInputs, "activation");

inline constexpr OperandText kOperandTexts[] = {
        {"bias", "added to each unit"},
};

inline constexpr RuleText kRules[] = {
        {"fully_connected.activation", "The activation is 0 to 3."},
        {"fully_connected.bias",
         "The scale of a quantized bias is input scale * weights scale within a millionth."},
        {"fully_connected.rank", "The input has rank 2 to 4, the weights 2, the bias 1."},
        {"fully_connected.size",
         "The elements of the input are a multiple of dimension 1 of the weights, which is not 0."},
        {"fully_connected.units", "The bias has one element for each row of the weights."},
};

}  // namespace nn::ops::fully_connected
