// DEPTH_TO_SPACE: moves channels of an image into blocks of pixels.
#pragma once

#include "op_support/rules/signature.h"

namespace nn::ops::depth_to_space {

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
        {"depth_to_space.block", "The block size is above 0."},
        {"depth_to_space.depth",
         "The number of channels is a multiple of the square of the block size."},
        {"depth_to_space.quantization",
         "The output has the scale and the zero point of the input."},
        {"depth_to_space.rank", "The input has rank 4."},
        {"depth_to_space.size", "The dimensions of the output fit 32 bits."},
};

}  // namespace nn::ops::depth_to_space
