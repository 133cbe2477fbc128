// ARGMAX, ARGMIN: the index of the largest or smallest element along an axis.
#pragma once

#include "op_support/rules/signature.h"

namespace nn::ops::argmax_argmin {

inline constexpr Types kTypes[] = {
        // since  input
        {V1_2, {TENSOR_FLOAT16}},
        {V1_2, {TENSOR_FLOAT32}},
        {V1_2, {TENSOR_INT32}},
        {V1_2, {TENSOR_QUANT8_ASYMM}},
        {V1_3, {TENSOR_QUANT8_ASYMM_SIGNED}},
};

inline constexpr Param kInputs[] = {{"input", T}, {"axis", INT32}};
inline constexpr Param kOutputs[] = {{"output", TENSOR_INT32}};
inline constexpr Form kForms[] = {{"", kInputs, kOutputs}};
static_assert(wellFormed(kForms, kTypes));

inline constexpr size_t kInput = at(kInputs, "input"), kAxis = at(kInputs, "axis");

inline constexpr RuleText kRules[] = {
        {"argmax_argmin.axis", "The axis lies in [-rank, rank)."},
};

}  // namespace nn::ops::argmax_argmin
