// REVERSE: reverses a tensor along one axis.
#pragma once

#include "op_support/rules/signature.h"

namespace nn::ops::reverse {

inline constexpr Types kTypes[] = {
        // since  input, output
        {AIDL3, {TENSOR_FLOAT16}},      {AIDL3, {TENSOR_FLOAT32}},
        {AIDL3, {TENSOR_QUANT8_ASYMM}}, {AIDL3, {TENSOR_QUANT8_ASYMM_SIGNED}},
        {AIDL3, {TENSOR_INT32}},
};

inline constexpr Param kInputs[] = {{"input", T}, {"axis", TENSOR_INT32}};
inline constexpr Param kOutputs[] = {{"output", T}};
inline constexpr Form kForms[] = {{"", kInputs, kOutputs}};
static_assert(wellFormed(kForms, kTypes));

inline constexpr size_t kInput = at(kInputs, "input"), kAxis = at(kInputs, "axis");

inline constexpr OperandText kOperandTexts[] = {
        {"axis", "the axis to reverse"},
};

inline constexpr RuleText kRules[] = {
        {"reverse.axis",
         "The list has rank 1 and one axis, which lies in [0, rank); it does not count from the "
         "end."},
        {"reverse.quantization",
         "A quantized output has the scale and the zero point of the input."},
        {"reverse.rank", "The input has rank 1 to 8, and the output has the same rank."},
};

}  // namespace nn::ops::reverse
