// REDUCE_ALL, REDUCE_ANY, REDUCE_MAX, REDUCE_MIN, REDUCE_PROD, REDUCE_SUM: reduce a tensor along
// some of its axes.
#pragma once

#include "op_support/rules/signature.h"

namespace nn::ops::reduce {

inline constexpr Types kLogicalTypes[] = {
        // since  input, output
        {V1_2, {TENSOR_BOOL8}},
};
inline constexpr Types kOrderedTypes[] = {
        // since  input, output
        {V1_2, {TENSOR_FLOAT16}},
        {V1_2, {TENSOR_FLOAT32}},
        {V1_2, {TENSOR_QUANT8_ASYMM}},
        {V1_3, {TENSOR_QUANT8_ASYMM_SIGNED}},
};
inline constexpr Types kRealTypes[] = {
        // since  input, output
        {V1_2, {TENSOR_FLOAT16}},
        {V1_2, {TENSOR_FLOAT32}},
};

inline constexpr Param kInputs[] = {{"input", T}, {"axes", TENSOR_INT32}, {"keepDims", BOOL}};
inline constexpr Param kOutputs[] = {{"output", T}};
inline constexpr Form kForms[] = {{"", kInputs, kOutputs}};
static_assert(wellFormed(kForms, kLogicalTypes));
static_assert(wellFormed(kForms, kOrderedTypes));
static_assert(wellFormed(kForms, kRealTypes));

inline constexpr size_t kInput = at(kInputs, "input"), kAxes = at(kInputs, "axes"),
                        kKeepsDims = at(kInputs, "keepDims");

inline constexpr OperandText kOperandTexts[] = {
        {"axes", "axes to reduce, counted from the end if negative"},
        {"keepDims", "reduced axes stay, with size 1"},
};

inline constexpr RuleText kRules[] = {
        {"reduce.axes", "The axes are a list, and each lies in [-rank, rank)."},
        {"reduce.quantization", "The output has the scale and the zero point of the input."},
        {"reduce.rank", "The input has rank 1 to 4."},
};

}  // namespace nn::ops::reduce
