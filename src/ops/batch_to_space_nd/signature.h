// BATCH_TO_SPACE_ND: interleaves batches of images into blocks of pixels.
#pragma once

#include "op_support/rules/signature.h"

namespace nn::ops::batch_to_space_nd {

inline constexpr Types kTypes[] = {
        // since  input, output
        {V1_1, {TENSOR_FLOAT32}},
        {V1_1, {TENSOR_QUANT8_ASYMM}},
        {V1_2, {TENSOR_FLOAT16}},
        {V1_3, {TENSOR_QUANT8_ASYMM_SIGNED}},
};

inline constexpr Param kInputs[] = {
        {"input", T}, {"blockSize", TENSOR_INT32}, optional("nchw", BOOL, V1_2, "false")};
inline constexpr Param kOutputs[] = {{"output", T}};
inline constexpr Form kForms[] = {{"", kInputs, kOutputs}};
static_assert(wellFormed(kForms, kTypes));

inline constexpr size_t kInput = at(kInputs, "input"), kBlocks = at(kInputs, "blockSize"),
                        kIsNchw = at(kInputs, "nchw");

inline constexpr RuleText kRules[] = {
        {"batch_to_space_nd.batches", "The number of batches is a multiple of Bh * Bw."},
        {"batch_to_space_nd.block", "The block size has two elements, which are 1 or more."},
        {"batch_to_space_nd.quantization",
         "The output has the scale and the zero point of the input."},
        {"batch_to_space_nd.rank", "The input has rank 4."},
        {"batch_to_space_nd.size", "The dimensions of the output fit 32 bits."},
};

}  // namespace nn::ops::batch_to_space_nd
