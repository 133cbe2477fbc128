// RANK: the number of dimensions of a tensor.
#pragma once

#include "op_support/rules/signature.h"

namespace nn::ops::rank {

inline constexpr Types kTypes[] = {
        // since  input
        {V1_3, {TENSOR_FLOAT16}},
        {V1_3, {TENSOR_FLOAT32}},
        {V1_3, {TENSOR_INT32}},
        {V1_3, {TENSOR_QUANT8_ASYMM}},
        {V1_3, {TENSOR_QUANT16_SYMM}},
        {V1_3, {TENSOR_BOOL8}},
        {V1_3, {TENSOR_QUANT8_SYMM_PER_CHANNEL}},
        {V1_3, {TENSOR_QUANT16_ASYMM}},
        {V1_3, {TENSOR_QUANT8_SYMM}},
        {V1_3, {TENSOR_QUANT8_ASYMM_SIGNED}},
};

inline constexpr Param kInputs[] = {{"input", T}};
inline constexpr Param kOutputs[] = {{"output", INT32}};
inline constexpr Form kForms[] = {{"", kInputs, kOutputs}};
static_assert(wellFormed(kForms, kTypes));

inline constexpr size_t kInput = at(kInputs, "input");

}  // namespace nn::ops::rank
