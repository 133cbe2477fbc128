// SLICE: extracts a box from a tensor.
#pragma once

#include "op_support/rules/signature.h"

namespace nn::ops::slice {

inline constexpr Types kTypes[] = {
        // since  input, output
        {V1_2, {TENSOR_FLOAT16}},
        {V1_2, {TENSOR_FLOAT32}},
        {V1_2, {TENSOR_INT32}},
        {V1_2, {TENSOR_QUANT8_ASYMM}},
        {V1_3, {TENSOR_QUANT8_ASYMM_SIGNED}},
};

inline constexpr Param kInputs[] = {{"input", T}, {"begin", TENSOR_INT32}, {"size", TENSOR_INT32}};
inline constexpr Param kOutputs[] = {{"output", T}};
inline constexpr Form kForms[] = {{"", kInputs, kOutputs}};
static_assert(wellFormed(kForms, kTypes));

inline constexpr size_t kInput = at(kInputs, "input"), kBegin = at(kInputs, "begin"),
                        kSize = at(kInputs, "size");

inline constexpr OperandText kOperandTexts[] = {
        {"size", "size along each axis; -1: up to the end"},
};

inline constexpr RuleText kRules[] = {
        {"slice.begin",
         "begin has one element for each dimension, which lies between 0 and the dimension."},
        {"slice.quantization", "The output has the scale and the zero point of the input."},
        {"slice.size",
         "size has one element for each dimension: at most the rest after begin, or -1 for all of "
         "it."},
};

}  // namespace nn::ops::slice
