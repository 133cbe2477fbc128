// SELECT: selects each element from one of two tensors by a mask.
#pragma once

#include "op_support/rules/signature.h"

namespace nn::ops::select {

inline constexpr Types kTypes[] = {
        // since  input1, input2, output
        {V1_2, {TENSOR_FLOAT16}},
        {V1_2, {TENSOR_FLOAT32}},
        {V1_2, {TENSOR_INT32}},
        {V1_2, {TENSOR_QUANT8_ASYMM}},
        {V1_3, {TENSOR_QUANT8_ASYMM_SIGNED}},
};

inline constexpr Param kInputs[] = {{"mask", TENSOR_BOOL8}, {"input1", T}, {"input2", T}};
inline constexpr Param kOutputs[] = {{"output", T}};
inline constexpr Form kForms[] = {{"", kInputs, kOutputs}};
static_assert(wellFormed(kForms, kTypes));

inline constexpr size_t kMask = at(kInputs, "mask"), kInput1 = at(kInputs, "input1"),
                        kInput2 = at(kInputs, "input2");

inline constexpr OperandText kOperandTexts[] = {
        {"mask", "true: the element of input1, false: that of input2"},
        {"input1", "where the mask is true"},
        {"input2", "where the mask is false"},
};

inline constexpr RuleText kRules[] = {
        {"select.shapes", "The three inputs have one shape, without broadcasting."},
};

}  // namespace nn::ops::select
