// L2_NORMALIZATION: divides slices along an axis by their Euclidean norm.
#pragma once

#include "op_support/rules/signature.h"

namespace nn::ops::l2_normalization {

inline constexpr Types kTypes[] = {
        {V1_0, {TENSOR_FLOAT32}},
        {V1_2, {TENSOR_FLOAT16}},
        {V1_2, {TENSOR_QUANT8_ASYMM}},
        {V1_3, {TENSOR_QUANT8_ASYMM_SIGNED}},
};

inline constexpr Param kInputs[] = {{"input", T}, optional("axis", INT32, V1_2, "-1")};
inline constexpr Param kOutputs[] = {{"output", T}};
inline constexpr Form kForms[] = {{"", kInputs, kOutputs}};
static_assert(wellFormed(kForms, kTypes));

inline constexpr size_t kInput = at(kInputs, "input"), kAxis = at(kInputs, "axis");

inline constexpr RuleText kRules[] = {
        {"l2_normalization.axis", "The axis lies in [-rank, rank)."},
        {"l2_normalization.quantization",
         "A quantized output has scale 1/128 and zero point 128, or 0 if it is signed."},
        {"l2_normalization.rank", "The input has rank 1 to 4."},
};

}  // namespace nn::ops::l2_normalization
