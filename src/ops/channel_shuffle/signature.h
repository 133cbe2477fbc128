// CHANNEL_SHUFFLE: interleaves groups along an axis.
#pragma once

#include "op_support/rules/signature.h"

namespace nn::ops::channel_shuffle {

inline constexpr Types kTypes[] = {
        // since  input, output
        {V1_2, {TENSOR_FLOAT16}},
        {V1_2, {TENSOR_FLOAT32}},
        {V1_2, {TENSOR_QUANT8_ASYMM}},
        {V1_3, {TENSOR_QUANT8_ASYMM_SIGNED}},
};

inline constexpr Param kInputs[] = {{"input", T}, {"numGroups", INT32}, {"axis", INT32}};
inline constexpr Param kOutputs[] = {{"output", T}};
inline constexpr Form kForms[] = {{"", kInputs, kOutputs}};
static_assert(wellFormed(kForms, kTypes));

inline constexpr size_t kInput = at(kInputs, "input"), kGroups = at(kInputs, "numGroups"),
                        kAxis = at(kInputs, "axis");

inline constexpr OperandText kOperandTexts[] = {
        {"numGroups", "groups of channels"},
};

inline constexpr RuleText kRules[] = {
        {"channel_shuffle.axis", "The axis lies in [-rank, rank)."},
        {"channel_shuffle.divides", "The dimension is a multiple of the number of groups."},
        {"channel_shuffle.groups", "The number of groups is above 0."},
        {"channel_shuffle.quantization",
         "The output has the scale and the zero point of the input."},
        {"channel_shuffle.rank", "The input has rank 1 to 4."},
};

}  // namespace nn::ops::channel_shuffle
