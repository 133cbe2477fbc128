// TOPK_V2: the largest elements of each row, and their indexes.
#pragma once

#include "op_support/rules/signature.h"

namespace nn::ops::topk_v2 {

inline constexpr Types kTypes[] = {
        // since  input, values
        {V1_2, {TENSOR_FLOAT16}},
        {V1_2, {TENSOR_FLOAT32}},
        {V1_2, {TENSOR_INT32}},
        {V1_2, {TENSOR_QUANT8_ASYMM}},
        {V1_3, {TENSOR_QUANT8_ASYMM_SIGNED}},
};

inline constexpr Param kInputs[] = {{"input", T}, {"k", INT32}};
inline constexpr Param kOutputs[] = {{"values", T}, {"indices", TENSOR_INT32}};
inline constexpr Form kForms[] = {{"", kInputs, kOutputs}};
static_assert(wellFormed(kForms, kTypes));

inline constexpr size_t kInput = at(kInputs, "input"), kCount = at(kInputs, "k");
inline constexpr size_t kValues = at(kOutputs, "values"), kIndices = at(kOutputs, "indices");

inline constexpr OperandText kOperandTexts[] = {
        {"indices", "where the values are in the input"},
        {"k", "how many of the largest"},
        {"values", "the largest values, in descending order"},
};

inline constexpr RuleText kRules[] = {
        {"topk_v2.k", "k lies between 1 and the size of the last dimension."},
        {"topk_v2.quantization", "The values have the scale and the zero point of the input."},
        {"topk_v2.rank", "The input has rank 1 or more."},
};

}  // namespace nn::ops::topk_v2
