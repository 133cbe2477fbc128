// LOGICAL_AND, LOGICAL_OR, LOGICAL_NOT: elementwise logic on booleans.
#pragma once

#include "op_support/rules/signature.h"

namespace nn::ops::logical {

inline constexpr Param kPair[] = {{"input0", TENSOR_BOOL8}, {"input1", TENSOR_BOOL8}};
inline constexpr Param kSingle[] = {{"input", TENSOR_BOOL8}};
inline constexpr Param kOutputs[] = {{"output", TENSOR_BOOL8}};
inline constexpr Form kPairForms[] = {{"", kPair, kOutputs}};
inline constexpr Form kNotForms[] = {{"", kSingle, kOutputs}};
static_assert(wellFormed(kPairForms));
static_assert(wellFormed(kNotForms));

inline constexpr size_t kInput0 = at(kPair, "input0"), kInput1 = at(kPair, "input1");

inline constexpr RuleText kRules[] = {
        {"logical.shapes", "The shapes of the two inputs can be broadcast."},
};

}  // namespace nn::ops::logical
