// SPACE_TO_DEPTH: moves blocks of pixels of an image into channels.
#pragma once

#include "op_support/rules/signature.h"

namespace nn::ops::space_to_depth {

inline constexpr Types kTypes[] = {
        // since  input, output
        {V1_0, {TENSOR_FLOAT32}},
        {V1_0, {TENSOR_QUANT8_ASYMM}},
        {V1_2, {TENSOR_FLOAT16}},
        {V1_3, {TENSOR_QUANT8_ASYMM_SIGNED}},
};

inline constexpr Param kInputs[] = {
        {"input", T}, {"blockSize", INT32}, optional("nchw", BOOL, V1_2, "false")};
inline constexpr Param kOutputs[] = {{"output", T}};
inline constexpr Form kForms[] = {{"", kInputs, kOutputs}};
static_assert(wellFormed(kForms, kTypes));

inline constexpr size_t kInput = at(kInputs, "input"), kBlock = at(kInputs, "blockSize"),
                        kIsNchw = at(kInputs, "nchw");

inline constexpr OperandText kOperandTexts[] = {
        {"blockSize", "height and width of a block"},
};

inline constexpr RuleText kRules[] = {
        {"space_to_depth.block", "The block size is above 0."},
        {"space_to_depth.divides", "Height and width are multiples of the block size."},
        {"space_to_depth.quantization",
         "The output has the scale and the zero point of the input."},
        {"space_to_depth.rank", "The input has rank 4."},
        {"space_to_depth.size", "The dimensions of the output fit 32 bits."},
};

}  // namespace nn::ops::space_to_depth
