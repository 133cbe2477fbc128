// PAD, PAD_V2: pads a tensor with zeros, or with a given value.
#pragma once

#include "op_support/rules/signature.h"

namespace nn::ops::pad {

inline constexpr Types kTypes[] = {
        // since  input, output
        {V1_1, {TENSOR_FLOAT32}},
        {V1_1, {TENSOR_QUANT8_ASYMM}},
        {V1_2, {TENSOR_FLOAT16}},
        {V1_3, {TENSOR_QUANT8_ASYMM_SIGNED}},
};

inline constexpr Types kTypesV2[] = {
        // since  input, output  padValue
        {V1_2, {TENSOR_FLOAT16, FLOAT16}},
        {V1_2, {TENSOR_FLOAT32, FLOAT32}},
        {V1_2, {TENSOR_QUANT8_ASYMM, INT32}},
        {V1_3, {TENSOR_QUANT8_ASYMM_SIGNED, INT32}},
};

inline constexpr Param kInputs[] = {{"input", T}, {"paddings", TENSOR_INT32}};
inline constexpr Param kInputsV2[] = {{"input", T}, {"paddings", TENSOR_INT32}, {"padValue", S}};
inline constexpr Param kOutputs[] = {{"output", T}};
inline constexpr Form kForms[] = {{"", kInputs, kOutputs}};
inline constexpr Form kFormsV2[] = {{"", kInputsV2, kOutputs}};
static_assert(wellFormed(kForms, kTypes));
static_assert(wellFormed(kFormsV2, kTypesV2));

inline constexpr size_t kInput = at(kInputs, "input"), kPaddings = at(kInputs, "paddings"),
                        kPadValue = at(kInputsV2, "padValue");

inline constexpr OperandText kOperandTexts[] = {
        {"padValue", "what they are filled with"},
};

inline constexpr RuleText kRules[] = {
        {"pad.paddings",
         "The paddings have shape [rank, 2], are 0 or more, and the output has dimensions that fit "
         "32 bits."},
        {"pad.quantization", "The output has the scale and the zero point of the input."},
        {"pad.rank", "The input has rank 1 to 4."},
};

}  // namespace nn::ops::pad
