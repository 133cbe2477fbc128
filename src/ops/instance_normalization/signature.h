// INSTANCE_NORMALIZATION: normalizes each channel of each image to mean 0 and variance 1.
#pragma once

#include "op_support/rules/signature.h"

namespace nn::ops::instance_normalization {

inline constexpr Types kTypes[] = {
        // since  input, output    gamma, beta, epsilon
        {V1_2, {TENSOR_FLOAT32, FLOAT32}},
        {V1_2, {TENSOR_FLOAT16, FLOAT16}},
};

inline constexpr Param kInputs[] = {
        {"input", T}, {"gamma", S}, {"beta", S}, {"epsilon", S}, {"isNchw", BOOL}};
inline constexpr Param kOutputs[] = {{"output", T}};
inline constexpr Form kForms[] = {{"", kInputs, kOutputs}};
static_assert(wellFormed(kForms, kTypes));

inline constexpr size_t kInput = at(kInputs, "input"), kGamma = at(kInputs, "gamma"),
                        kBeta = at(kInputs, "beta"), kEpsilon = at(kInputs, "epsilon"),
                        kNchw = at(kInputs, "isNchw");

inline constexpr OperandText kOperandTexts[] = {
        {"beta", "added to the normalized value"},
        {"gamma", "factor of the normalized value"},
        {"epsilon", "added to the variance"},
};

inline constexpr RuleText kRules[] = {
        {"instance_normalization.rank", "The input has rank 4."},
};

}  // namespace nn::ops::instance_normalization
