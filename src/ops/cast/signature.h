// CAST: converts numbers to another type.
#pragma once

#include "op_support/rules/signature.h"

namespace nn::ops::cast {

inline constexpr Types kTypes[] = {
        // since  input                      output
        {V1_2, {TENSOR_FLOAT16, TENSOR_FLOAT16}},
        {V1_2, {TENSOR_FLOAT16, TENSOR_FLOAT32}},
        {V1_2, {TENSOR_FLOAT16, TENSOR_INT32}},
        {V1_2, {TENSOR_FLOAT16, TENSOR_QUANT8_ASYMM}},
        {V1_2, {TENSOR_FLOAT32, TENSOR_FLOAT16}},
        {V1_2, {TENSOR_FLOAT32, TENSOR_FLOAT32}},
        {V1_2, {TENSOR_FLOAT32, TENSOR_INT32}},
        {V1_2, {TENSOR_FLOAT32, TENSOR_QUANT8_ASYMM}},
        {V1_2, {TENSOR_INT32, TENSOR_FLOAT16}},
        {V1_2, {TENSOR_INT32, TENSOR_FLOAT32}},
        {V1_2, {TENSOR_INT32, TENSOR_INT32}},
        {V1_2, {TENSOR_INT32, TENSOR_QUANT8_ASYMM}},
        {V1_2, {TENSOR_QUANT8_ASYMM, TENSOR_FLOAT16}},
        {V1_2, {TENSOR_QUANT8_ASYMM, TENSOR_FLOAT32}},
        {V1_2, {TENSOR_QUANT8_ASYMM, TENSOR_INT32}},
        {V1_2, {TENSOR_QUANT8_ASYMM, TENSOR_QUANT8_ASYMM}},
        {V1_3, {TENSOR_BOOL8, TENSOR_BOOL8}},
        {V1_3, {TENSOR_QUANT16_ASYMM, TENSOR_QUANT16_ASYMM}},
        {V1_3, {TENSOR_QUANT16_SYMM, TENSOR_QUANT16_SYMM}},
        {V1_3, {TENSOR_QUANT8_ASYMM_SIGNED, TENSOR_QUANT8_ASYMM_SIGNED}},
        {V1_3, {TENSOR_QUANT8_SYMM, TENSOR_QUANT8_SYMM}},
};

inline constexpr Param kInputs[] = {{"input", T}};
inline constexpr Param kOutputs[] = {{"output", S}};
inline constexpr Form kForms[] = {{"", kInputs, kOutputs}};
static_assert(wellFormed(kForms, kTypes));

inline constexpr size_t kInput = at(kInputs, "input");

inline constexpr RuleText kRules[] = {
        {"cast.shape",
         "Input and output have one rank and equal dimensions, as far as they are known."},
};

}  // namespace nn::ops::cast
