// SPACE_TO_BATCH_ND: blocks of pixels of padded images dealt out to batches.
#pragma once

#include "opkit/rules/signature.h"

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

}  // namespace nn::ops::space_to_batch_nd
