// LOG_SOFTMAX: the logarithm of SOFTMAX, computed without overflow or underflow.
#pragma once

#include "op_support/rules/signature.h"

namespace nn::ops::log_softmax {

inline constexpr Types kTypes[] = {
        // since  input, output    beta
        {V1_2, {TENSOR_FLOAT32, FLOAT32}},
        {V1_2, {TENSOR_FLOAT16, FLOAT16}},
};

inline constexpr Param kInputs[] = {{"input", T}, {"beta", S}, {"axis", INT32}};
inline constexpr Param kOutputs[] = {{"output", T}};
inline constexpr Form kForms[] = {{"", kInputs, kOutputs}};
static_assert(wellFormed(kForms, kTypes));

inline constexpr size_t kInput = at(kInputs, "input"), kBeta = at(kInputs, "beta"),
                        kAxis = at(kInputs, "axis");

inline constexpr RuleText kRules[] = {
        {"log_softmax.axis", "The axis lies in [-rank, rank)."},
};

}  // namespace nn::ops::log_softmax
