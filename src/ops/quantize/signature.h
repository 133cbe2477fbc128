// QUANTIZE: converts real numbers to stored values.
#pragma once

#include "op_support/rules/signature.h"

namespace nn::ops::quantize {

inline constexpr Types kTypes[] = {
        // since  input           output
        {V1_2, {TENSOR_FLOAT32, TENSOR_QUANT8_ASYMM}},
        {V1_2, {TENSOR_FLOAT16, TENSOR_QUANT8_ASYMM}},
        {V1_3, {TENSOR_FLOAT32, TENSOR_QUANT8_ASYMM_SIGNED}},
        {V1_3, {TENSOR_FLOAT16, TENSOR_QUANT8_ASYMM_SIGNED}},
};

inline constexpr Param kInputs[] = {{"input", T}};
inline constexpr Param kOutputs[] = {{"output", S}};
inline constexpr Form kForms[] = {{"", kInputs, kOutputs}};
static_assert(wellFormed(kForms, kTypes));

inline constexpr size_t kInput = at(kInputs, "input");

}  // namespace nn::ops::quantize
