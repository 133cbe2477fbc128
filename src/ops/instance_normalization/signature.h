// INSTANCE_NORMALIZATION: each channel of each image with mean 0 and variance 1.
#pragma once

#include "opkit/rules/signature.h"

namespace nn::ops::instance_normalization {

inline constexpr Types kTypes[] = {
        // since  input, output    gamma, beta, epsilon
        {V1_2, {TENSOR_FLOAT32, FLOAT32}},
        {V1_2, {TENSOR_FLOAT16, FLOAT16}},
};

enum Input : size_t { kInput, kGamma, kBeta, kEpsilon, kNchw };
inline constexpr Param kInputs[] = {
        {"input", T}, {"gamma", S}, {"beta", S}, {"epsilon", S}, {"isNchw", BOOL}};
inline constexpr Param kOutputs[] = {{"output", T}};
inline constexpr Form kForms[] = {{"", kInputs, kOutputs}};
static_assert(wellFormed(kForms));

}  // namespace nn::ops::instance_normalization
