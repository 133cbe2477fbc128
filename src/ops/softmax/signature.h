// SOFTMAX: exponentials of slices along an axis, normalized to sum to one.
#pragma once

#include "op_support/rules/signature.h"

namespace nn::ops::softmax {

inline constexpr Types kTypes[] = {
        // since  input, output                beta
        {V1_0, {TENSOR_FLOAT32, FLOAT32}},
        {V1_0, {TENSOR_QUANT8_ASYMM, FLOAT32}},
        {V1_2, {TENSOR_FLOAT16, FLOAT16}},
        {V1_3, {TENSOR_QUANT8_ASYMM_SIGNED, FLOAT32}},
};

inline constexpr Param kInputs[] = {{"input", T}, {"beta", S}, optional("axis", INT32, V1_2, "-1")};
inline constexpr Param kOutputs[] = {{"output", T}};
inline constexpr Form kForms[] = {{"", kInputs, kOutputs}};
static_assert(wellFormed(kForms, kTypes));

inline constexpr size_t kInput = at(kInputs, "input"), kBeta = at(kInputs, "beta"),
                        kAxis = at(kInputs, "axis");

inline constexpr RuleText kRules[] = {
        {"softmax.axis", "The axis lies in [-rank, rank)."},
        {"softmax.beta", "Beta is above 0."},
        {"softmax.quantization",
         "A quantized output has scale 1/256 and zero point 0, or -128 if it is signed."},
        {"softmax.rank", "The input has rank 1 to 4."},
};

}  // namespace nn::ops::softmax
