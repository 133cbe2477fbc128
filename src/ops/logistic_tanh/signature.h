// LOGISTIC, TANH: elementwise sigmoid functions.
#pragma once

#include "op_support/rules/signature.h"

namespace nn::ops::logistic_tanh {

inline constexpr Types kLogisticTypes[] = {
        // since  input, output
        {V1_0, {TENSOR_FLOAT32}},
        {V1_0, {TENSOR_QUANT8_ASYMM}},
        {V1_2, {TENSOR_FLOAT16}},
        {V1_3, {TENSOR_QUANT8_ASYMM_SIGNED}},
};
inline constexpr Types kTanhTypes[] = {
        {V1_0, {TENSOR_FLOAT32}},
        {V1_2, {TENSOR_FLOAT16}},
        {V1_2, {TENSOR_QUANT8_ASYMM}},
        {V1_3, {TENSOR_QUANT8_ASYMM_SIGNED}},
};

inline constexpr Param kInputs[] = {{"input", T}};
inline constexpr Param kOutputs[] = {{"output", T}};
inline constexpr Form kForms[] = {{"", kInputs, kOutputs}};
static_assert(wellFormed(kForms, kLogisticTypes));
static_assert(wellFormed(kForms, kTanhTypes));

inline constexpr size_t kInput = at(kInputs, "input");

inline constexpr RuleText kRules[] = {
        {"logistic_tanh.quantization",
         "A quantized output of LOGISTIC has scale 1/256 and zero point 0, or -128 if it is "
         "signed; of TANH scale 1/128 and zero point 128, or 0 if it is signed."},
        {"logistic_tanh.rank", "The input has rank 1 to 4."},
        {"logistic_tanh.scale", "The scale of a quantized input is above 2^-27."},
};

}  // namespace nn::ops::logistic_tanh
