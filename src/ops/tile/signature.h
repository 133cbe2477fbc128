// TILE: repeats a tensor along each axis.
#pragma once

#include "op_support/rules/signature.h"

namespace nn::ops::tile {

inline constexpr Types kTypes[] = {
        // since  input, output
        {V1_2, {TENSOR_FLOAT16}},
        {V1_2, {TENSOR_FLOAT32}},
        {V1_2, {TENSOR_INT32}},
        {V1_2, {TENSOR_QUANT8_ASYMM}},
        {V1_3, {TENSOR_QUANT8_ASYMM_SIGNED}},
};

inline constexpr Param kInputs[] = {{"input", T}, {"multiples", TENSOR_INT32}};
inline constexpr Param kOutputs[] = {{"output", T}};
inline constexpr Form kForms[] = {{"", kInputs, kOutputs}};
static_assert(wellFormed(kForms, kTypes));

inline constexpr size_t kInput = at(kInputs, "input"), kMultiples = at(kInputs, "multiples");

inline constexpr OperandText kOperandTexts[] = {
        {"multiples", "how often to repeat along each axis"},
};

inline constexpr RuleText kRules[] = {
        {"tile.multiples", "multiples has one element for each dimension, which is 1 or more."},
        {"tile.quantization", "The output has the scale and the zero point of the input."},
        {"tile.size", "The dimensions of the output fit 32 bits."},
};

}  // namespace nn::ops::tile
