// SPLIT: splits a tensor into equal parts along one axis.
#pragma once

#include "op_support/rules/signature.h"

namespace nn::ops::split {

inline constexpr Types kTypes[] = {
        // since  input, output
        {V1_2, {TENSOR_FLOAT16}},
        {V1_2, {TENSOR_FLOAT32}},
        {V1_2, {TENSOR_INT32}},
        {V1_2, {TENSOR_QUANT8_ASYMM}},
        {V1_3, {TENSOR_QUANT8_ASYMM_SIGNED}},
};

inline constexpr Param kInputs[] = {{"input", T}, {"axis", INT32}, {"numOutputs", INT32}};
inline constexpr Param kOutputs[] = {repeated("output", T, 1)};
inline constexpr Form kForms[] = {{"", kInputs, kOutputs}};
static_assert(wellFormed(kForms, kTypes));

inline constexpr size_t kInput = at(kInputs, "input"), kAxis = at(kInputs, "axis"),
                        kCount = at(kInputs, "numOutputs");

inline constexpr OperandText kOperandTexts[] = {
        {"output", "the parts"},
        {"numOutputs", "parts along the axis"},
};

inline constexpr RuleText kRules[] = {
        {"split.axis", "The axis lies in [-rank, rank)."},
        {"split.count", "numOutputs is the number of outputs."},
        {"split.quantization", "All outputs have the scale and the zero point of the input."},
        {"split.size", "The dimension is a multiple of the number of outputs."},
};

}  // namespace nn::ops::split
