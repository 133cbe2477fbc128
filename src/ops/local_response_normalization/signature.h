// LOCAL_RESPONSE_NORMALIZATION: divides each element by a power of the energy of its neighbors
// along an axis.
#pragma once

#include "op_support/rules/signature.h"

namespace nn::ops::local_response_normalization {

inline constexpr Types kTypes[] = {
        // since  input, output    bias, alpha, beta
        {V1_0, {TENSOR_FLOAT32, FLOAT32}},
        {V1_2, {TENSOR_FLOAT16, FLOAT16}},
};

inline constexpr Param kInputs[] = {{"input", T}, {"radius", INT32},
                                    {"bias", S},  {"alpha", S},
                                    {"beta", S},  optional("axis", INT32, V1_2, "-1")};
inline constexpr Param kOutputs[] = {{"output", T}};
inline constexpr Form kForms[] = {{"", kInputs, kOutputs}};
static_assert(wellFormed(kForms, kTypes));

inline constexpr size_t kInput = at(kInputs, "input"), kRadius = at(kInputs, "radius"),
                        kBias = at(kInputs, "bias"), kAlpha = at(kInputs, "alpha"),
                        kBeta = at(kInputs, "beta"), kAxis = at(kInputs, "axis");

inline constexpr OperandText kOperandTexts[] = {
        {"alpha", "factor of the sum of squares"},
        {"beta", "exponent"},
        {"bias", "added to the sum of squares"},
        {"radius", "neighbors on each side that are summed"},
};

inline constexpr RuleText kRules[] = {
        {"local_response_normalization.axis", "The axis lies in [-rank, rank)."},
        {"local_response_normalization.radius", "The radius is not negative."},
        {"local_response_normalization.rank", "The input has rank 1 to 4."},
};

}  // namespace nn::ops::local_response_normalization
