// MEAN: the average of a tensor along some of its axes.
#pragma once

#include "op_support/rules/signature.h"

namespace nn::ops::mean {

inline constexpr Types kTypes[] = {
        // since  input, output
        {V1_1, {TENSOR_FLOAT32}},
        {V1_1, {TENSOR_QUANT8_ASYMM}},
        {V1_2, {TENSOR_FLOAT16}},
        {V1_3, {TENSOR_QUANT8_ASYMM_SIGNED}},
};

inline constexpr Param kInputs[] = {{"input", T}, {"axis", TENSOR_INT32}, {"keepDims", INT32}};
inline constexpr Param kOutputs[] = {{"output", T}};
inline constexpr Form kForms[] = {{"", kInputs, kOutputs}};
static_assert(wellFormed(kForms, kTypes));

inline constexpr size_t kInput = at(kInputs, "input"), kAxes = at(kInputs, "axis"),
                        kKeepsDims = at(kInputs, "keepDims");

inline constexpr OperandText kOperandTexts[] = {
        {"axis", "axes to reduce, counted from the end if negative"},
        {"keepDims", "above 0: reduced axes stay, with size 1"},
};

inline constexpr RuleText kRules[] = {
        {"mean.axes", "The axes are a list, and each lies in [-rank, rank)."},
        {"mean.quantization", "The output has the scale and the zero point of the input."},
        {"mean.rank", "The input has rank 1 to 4."},
};

}  // namespace nn::ops::mean
