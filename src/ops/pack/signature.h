// PACK: stacks tensors of one shape along a new axis.
#pragma once

#include "op_support/rules/signature.h"

namespace nn::ops::pack {

inline constexpr Types kTypes[] = {
        // since  input, output
        {AIDL2, {TENSOR_FLOAT16}},      {AIDL2, {TENSOR_FLOAT32}},
        {AIDL2, {TENSOR_QUANT8_ASYMM}}, {AIDL2, {TENSOR_QUANT8_ASYMM_SIGNED}},
        {AIDL2, {TENSOR_INT32}},
};

inline constexpr Param kInputs[] = {{"axis", INT32}, repeated("input", T, 1)};
inline constexpr Param kOutputs[] = {{"output", T}};
inline constexpr Form kForms[] = {{"", kInputs, kOutputs}};
static_assert(wellFormed(kForms, kTypes));

inline constexpr size_t kAxis = at(kInputs, "axis"), kFirst = at(kInputs, "input");

inline constexpr OperandText kOperandTexts[] = {
        {"axis", "place of the new axis, not counted from the end"},
        {"input", "tensors of one shape"},
};

inline constexpr RuleText kRules[] = {
        {"pack.axis",
         "The axis lies in [0, rank] for inputs of that rank; it does not count from the end."},
        {"pack.quantization", "Quantized inputs and the output have one scale and one zero point."},
        {"pack.shapes",
         "All inputs have the same shape, as far as it is known, and the output has one dimension "
         "more."},
};

}  // namespace nn::ops::pack
