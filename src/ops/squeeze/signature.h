// SQUEEZE: removes dimensions of 1.
#pragma once

#include "op_support/rules/signature.h"

namespace nn::ops::squeeze {

inline constexpr Types kTypes[] = {
        // since  input, output
        {V1_1, {TENSOR_FLOAT32}},
        {V1_1, {TENSOR_QUANT8_ASYMM}},
        {V1_2, {TENSOR_FLOAT16}},
        {V1_3, {TENSOR_QUANT8_ASYMM_SIGNED}},
};

inline constexpr Param kInputs[] = {{"input", T}, omittable("squeezeDims", TENSOR_INT32)};
inline constexpr Param kOutputs[] = {{"output", T}};
inline constexpr Form kForms[] = {{"", kInputs, kOutputs}};
static_assert(wellFormed(kForms, kTypes));

inline constexpr size_t kInput = at(kInputs, "input"), kSqueezeDims = at(kInputs, "squeezeDims");

inline constexpr OperandText kOperandTexts[] = {
        {"squeezeDims", "axes of size 1 to remove; none: all of them"},
};

inline constexpr RuleText kRules[] = {
        {"squeeze.dims",
         "Each listed dimension lies in [-rank, rank); a negative one counts from the end."},
        {"squeeze.one", "Each listed dimension is 1."},
        {"squeeze.quantization", "The output has the scale and the zero point of the input."},
        {"squeeze.rank", "The input has rank 1 to 4."},
};

}  // namespace nn::ops::squeeze
