// SPACE_TO_BATCH_ND: distributes blocks of pixels of padded images over batches.
#pragma once

#include "op_support/rules/signature.h"

namespace nn::ops::space_to_batch_nd {

inline constexpr Types kTypes[] = {
        // since  input, output
        {V1_1, {TENSOR_FLOAT32}},
        {V1_1, {TENSOR_QUANT8_ASYMM}},
        {V1_2, {TENSOR_FLOAT16}},
        {V1_3, {TENSOR_QUANT8_ASYMM_SIGNED}},
};

inline constexpr Param kInputs[] = {{"input", T},
                                    {"blockSize", TENSOR_INT32},
                                    {"paddings", TENSOR_INT32},
                                    optional("nchw", BOOL, V1_2, "false")};
inline constexpr Param kOutputs[] = {{"output", T}};
inline constexpr Form kForms[] = {{"", kInputs, kOutputs}};
static_assert(wellFormed(kForms, kTypes));

inline constexpr size_t kInput = at(kInputs, "input"), kBlocks = at(kInputs, "blockSize"),
                        kPaddings = at(kInputs, "paddings"), kIsNchw = at(kInputs, "nchw");

inline constexpr OperandText kOperandTexts[] = {
        {"paddings", "[spatial rank, 2]: elements added before and after"},
};

inline constexpr RuleText kRules[] = {
        {"space_to_batch_nd.block", "The block size has two elements, which are 1 or more."},
        {"space_to_batch_nd.divides",
         "Height and width with their paddings are multiples of the block size."},
        {"space_to_batch_nd.paddings",
         "The paddings are [[top, bottom], [left, right]], 0 or more."},
        {"space_to_batch_nd.quantization",
         "The output has the scale and the zero point of the input."},
        {"space_to_batch_nd.rank", "The input has rank 4."},
        {"space_to_batch_nd.size", "The dimensions of the output fit 32 bits."},
};

}  // namespace nn::ops::space_to_batch_nd
