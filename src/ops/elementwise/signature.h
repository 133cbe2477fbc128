// ABS, EXP, FLOOR, LOG, NEG, RSQRT, SIN, SQRT: functions of one number, element by element.
#pragma once

#include "op_support/rules/signature.h"

namespace nn::ops::elementwise {

inline constexpr Types kFloatTypes[] = {
        // since  input, output
        {V1_2, {TENSOR_FLOAT32}},
        {V1_2, {TENSOR_FLOAT16}},
};
inline constexpr Types kFloorTypes[] = {
        {V1_0, {TENSOR_FLOAT32}},
        {V1_2, {TENSOR_FLOAT16}},
};
inline constexpr Types kAbsTypes[] = {
        {V1_2, {TENSOR_FLOAT32}},
        {V1_2, {TENSOR_FLOAT16}},
        {V1_3, {TENSOR_INT32}},
};
inline constexpr Types kNegTypes[] = {
        {V1_2, {TENSOR_FLOAT32}},
        {V1_2, {TENSOR_FLOAT16}},
        {V1_2, {TENSOR_INT32}},
};
inline constexpr Types kRsqrtTypes[] = {
        {V1_2, {TENSOR_FLOAT32}},
        {V1_2, {TENSOR_FLOAT16}},
        {AIDL3, {TENSOR_QUANT8_ASYMM}},
        {AIDL3, {TENSOR_QUANT8_ASYMM_SIGNED}},
};

inline constexpr Param kInputs[] = {{"input", T}};
inline constexpr Param kOutputs[] = {{"output", T}};
inline constexpr Form kForms[] = {{"", kInputs, kOutputs}};
static_assert(wellFormed(kForms, kFloatTypes));
static_assert(wellFormed(kForms, kFloorTypes));
static_assert(wellFormed(kForms, kAbsTypes));
static_assert(wellFormed(kForms, kNegTypes));
static_assert(wellFormed(kForms, kRsqrtTypes));

inline constexpr size_t kInput = at(kInputs, "input");

inline constexpr RuleText kRules[] = {
        {"elementwise.rank", "The input of FLOOR has rank 1 to 4."},
};

}  // namespace nn::ops::elementwise
