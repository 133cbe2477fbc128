// EMBEDDING_LOOKUP: selects rows of a tensor by index.
#pragma once

#include "op_support/rules/signature.h"

namespace nn::ops::embedding_lookup {

inline constexpr Types kTypes[] = {
        // since  values, output
        {V1_0, {TENSOR_FLOAT32}},
        {V1_2, {TENSOR_INT32}},
        {V1_2, {TENSOR_QUANT8_ASYMM}},
        {V1_3, {TENSOR_FLOAT16}},
        {V1_3, {TENSOR_QUANT8_ASYMM_SIGNED}},
};

inline constexpr Param kInputs[] = {{"lookups", TENSOR_INT32}, {"values", T}};
inline constexpr Param kOutputs[] = {{"output", T}};
inline constexpr Form kForms[] = {{"", kInputs, kOutputs}};
static_assert(wellFormed(kForms, kTypes));

inline constexpr size_t kLookups = at(kInputs, "lookups"), kValues = at(kInputs, "values");

inline constexpr OperandText kOperandTexts[] = {
        {"lookups", "which rows"},
};

inline constexpr RuleText kRules[] = {
        {"embedding_lookup.index", "Each lookup lies between 0 and the last row of the values."},
        {"embedding_lookup.quantization",
         "The output has the scale and the zero point of the values."},
        {"embedding_lookup.rank", "The lookups have rank 1, the values rank 2 or more."},
};

}  // namespace nn::ops::embedding_lookup
