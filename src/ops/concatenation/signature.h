// CONCATENATION: joins tensors along an axis.
#pragma once

#include "op_support/rules/signature.h"

namespace nn::ops::concatenation {

inline constexpr Types kTypes[] = {
        // since  inputs, output
        {V1_0, {TENSOR_FLOAT32}},
        {V1_0, {TENSOR_QUANT8_ASYMM}},
        {V1_2, {TENSOR_FLOAT16}},
        {V1_3, {TENSOR_QUANT8_ASYMM_SIGNED}},
};

// The axis is the last input.
inline constexpr Param kInputs[] = {repeated("input", T, 1), {"axis", INT32}};
inline constexpr Param kOutputs[] = {{"output", T}};
inline constexpr Form kForms[] = {{"", kInputs, kOutputs}};
static_assert(wellFormed(kForms, kTypes));

inline constexpr OperandText kOperandTexts[] = {
        {"axis", "not counted from the end"},
        {"input", "tensors of one rank"},
};

inline constexpr RuleText kRules[] = {
        {"concatenation.axis", "The axis lies in [0, rank); it does not count from the end."},
        {"concatenation.rank", "Each input tensor has rank 1 to 4."},
        {"concatenation.shapes",
         "The inputs have one rank, and equal dimensions except along the axis."},
        {"concatenation.size", "The sizes along the axis sum to less than 2^32."},
};

}  // namespace nn::ops::concatenation
