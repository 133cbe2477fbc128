// DEQUANTIZE: converts stored values to real numbers.
#pragma once

#include "op_support/rules/signature.h"

namespace nn::ops::dequantize {

inline constexpr Types kTypes[] = {
        // since  input                             output
        {V1_0, {TENSOR_QUANT8_ASYMM, TENSOR_FLOAT32}},
        {V1_2, {TENSOR_QUANT8_ASYMM, TENSOR_FLOAT16}},
        {V1_2, {TENSOR_QUANT8_SYMM, TENSOR_FLOAT32}},
        {V1_2, {TENSOR_QUANT8_SYMM, TENSOR_FLOAT16}},
        {V1_2, {TENSOR_QUANT8_SYMM_PER_CHANNEL, TENSOR_FLOAT32}},
        {V1_2, {TENSOR_QUANT8_SYMM_PER_CHANNEL, TENSOR_FLOAT16}},
        {V1_3, {TENSOR_QUANT8_ASYMM_SIGNED, TENSOR_FLOAT32}},
        {V1_3, {TENSOR_QUANT8_ASYMM_SIGNED, TENSOR_FLOAT16}},
};

inline constexpr Param kInputs[] = {{"input", T}};
inline constexpr Param kOutputs[] = {{"output", S}};
inline constexpr Form kForms[] = {{"", kInputs, kOutputs}};
static_assert(wellFormed(kForms, kTypes));

inline constexpr size_t kInput = at(kInputs, "input");

inline constexpr RuleText kRules[] = {
        {"dequantize.rank", "The input has rank 1 to 4."},
};

}  // namespace nn::ops::dequantize
