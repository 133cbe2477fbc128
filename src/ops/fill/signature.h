// FILL: fills a tensor of given dimensions with one value.
#pragma once

#include "op_support/rules/signature.h"

namespace nn::ops::fill {

inline constexpr Types kTypes[] = {
        // since  output  value
        {V1_3, {TENSOR_FLOAT32, FLOAT32}},
        {V1_3, {TENSOR_FLOAT16, FLOAT16}},
        {V1_3, {TENSOR_INT32, INT32}},
};

inline constexpr Param kInputs[] = {{"dims", TENSOR_INT32}, {"value", S}};
inline constexpr Param kOutputs[] = {{"output", T}};
inline constexpr Form kForms[] = {{"", kInputs, kOutputs}};
static_assert(wellFormed(kForms, kTypes));

inline constexpr size_t kDims = at(kInputs, "dims"), kValue = at(kInputs, "value");

inline constexpr OperandText kOperandTexts[] = {
        {"dims", "dimensions of the output"},
        {"value", "what it is filled with"},
};

inline constexpr RuleText kRules[] = {
        {"fill.dims", "dims has rank 1, and its elements are 0 or more."},
};

}  // namespace nn::ops::fill
