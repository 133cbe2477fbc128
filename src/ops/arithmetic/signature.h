// ADD, SUB, MUL, DIV: element by element, broadcast, with a fused activation.
#pragma once

#include "opkit/rules/signature.h"

namespace nn::ops::arithmetic {

inline constexpr Types kAddAndMulTypes[] = {
        // since  inputs, output
        {V1_0, {TENSOR_FLOAT32}}, {V1_0, {TENSOR_QUANT8_ASYMM}},
        {V1_2, {TENSOR_FLOAT16}}, {V1_3, {TENSOR_QUANT8_ASYMM_SIGNED}},
        {V1_3, {TENSOR_INT32}},
};
inline constexpr Types kSubTypes[] = {
        {V1_1, {TENSOR_FLOAT32}},      {V1_2, {TENSOR_FLOAT16}},
        {V1_2, {TENSOR_QUANT8_ASYMM}}, {V1_3, {TENSOR_QUANT8_ASYMM_SIGNED}},
        {V1_3, {TENSOR_INT32}},
};
inline constexpr Types kDivTypes[] = {
        {V1_1, {TENSOR_FLOAT32}},
        {V1_2, {TENSOR_FLOAT16}},
        {V1_3, {TENSOR_INT32}},
};

inline constexpr Param kInputs[] = {{"input0", T}, {"input1", T}, {"activation", INT32}};
inline constexpr Param kOutputs[] = {{"output", T}};
inline constexpr Form kForms[] = {{"", kInputs, kOutputs}};
static_assert(wellFormed(kForms, kAddAndMulTypes));
static_assert(wellFormed(kForms, kSubTypes));
static_assert(wellFormed(kForms, kDivTypes));

inline constexpr size_t kInput0 = at(kInputs, "input0"), kInput1 = at(kInputs, "input1"),
                        kActivation = at(kInputs, "activation");

}  // namespace nn::ops::arithmetic
