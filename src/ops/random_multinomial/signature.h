// RANDOM_MULTINOMIAL: draws classes at random, with probabilities from logits.
#pragma once

#include "op_support/rules/signature.h"

namespace nn::ops::random_multinomial {

inline constexpr Types kTypes[] = {{V1_2, {TENSOR_FLOAT32}}, {V1_2, {TENSOR_FLOAT16}}};

inline constexpr Param kInputs[] = {{"logits", T}, {"samples", INT32}, {"seeds", TENSOR_INT32}};
inline constexpr Param kOutputs[] = {{"output", TENSOR_INT32}};
inline constexpr Form kForms[] = {{"", kInputs, kOutputs}};
static_assert(wellFormed(kForms, kTypes));

inline constexpr size_t kLogits = at(kInputs, "logits"), kSamples = at(kInputs, "samples"),
                        kSeeds = at(kInputs, "seeds");

inline constexpr OperandText kOperandTexts[] = {
        {"logits", "logarithms of the probabilities of each class, not normalized"},
        {"samples", "draws of each batch"},
        {"seeds", "two numbers; equal ones give equal draws"},
};

inline constexpr RuleText kRules[] = {
        {"random_multinomial.rank", "Logits have rank 2, seeds rank 1."},
        {"random_multinomial.samples", "The number of samples is not negative."},
        {"random_multinomial.seeds", "There are two seeds."},
};

}  // namespace nn::ops::random_multinomial
