// RANDOM_MULTINOMIAL: classes drawn at random, as often as their logits say.
#pragma once

#include "opkit/rules/signature.h"

namespace nn::ops::random_multinomial {

inline constexpr Types kTypes[] = {{V1_2, {TENSOR_FLOAT32}}, {V1_2, {TENSOR_FLOAT16}}};

enum Input : size_t { kLogits, kSamples, kSeeds };
inline constexpr Param kInputs[] = {{"logits", T}, {"samples", INT32}, {"seeds", TENSOR_INT32}};
inline constexpr Param kOutputs[] = {{"output", TENSOR_INT32}};
inline constexpr Form kForms[] = {{"", kInputs, kOutputs}};
static_assert(wellFormed(kForms));

}  // namespace nn::ops::random_multinomial
