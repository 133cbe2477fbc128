// MIRROR_PAD: pads a tensor with its own reflection.
#pragma once

#include "op_support/rules/signature.h"

namespace nn::ops::mirror_pad {

inline constexpr Types kTypes[] = {
        // since  input, output
        {AIDL3, {TENSOR_FLOAT16}},      {AIDL3, {TENSOR_FLOAT32}},
        {AIDL3, {TENSOR_QUANT8_ASYMM}}, {AIDL3, {TENSOR_QUANT8_ASYMM_SIGNED}},
        {AIDL3, {TENSOR_INT32}},
};

inline constexpr Param kInputs[] = {{"input", T}, {"paddings", TENSOR_INT32}, {"mode", INT32}};
inline constexpr Param kOutputs[] = {{"output", T}};
inline constexpr Form kForms[] = {{"", kInputs, kOutputs}};
static_assert(wellFormed(kForms, kTypes));

inline constexpr size_t kInput = at(kInputs, "input"), kPaddings = at(kInputs, "paddings"),
                        kMode = at(kInputs, "mode");

enum class Mode : int32_t { REFLECT = 0, SYMMETRIC = 1 };

inline constexpr OperandText kOperandTexts[] = {
        {"mode", "0 REFLECT, 1 SYMMETRIC (the edge is mirrored too)"},
};

inline constexpr RuleText kRules[] = {
        {"mirror_pad.mode", "The mode is 0 or 1."},
        {"mirror_pad.paddings",
         "The paddings have shape [rank, 2], are 0 or more, and less than the dimension with "
         "REFLECT, at most the dimension with SYMMETRIC."},
        {"mirror_pad.quantization",
         "A quantized output has the scale and the zero point of the input."},
        {"mirror_pad.rank", "The output has the rank of the input, which is 1 or more."},
};

}  // namespace nn::ops::mirror_pad
