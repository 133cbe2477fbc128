// MIRROR_PAD: the tensor within a frame of its own reflection.
#pragma once

#include "opkit/rules/signature.h"

namespace nn::ops::mirror_pad {

inline constexpr Types kTypes[] = {
        // since  input, output
        {AIDL3, {TENSOR_FLOAT16}},      {AIDL3, {TENSOR_FLOAT32}},
        {AIDL3, {TENSOR_QUANT8_ASYMM}}, {AIDL3, {TENSOR_QUANT8_ASYMM_SIGNED}},
        {AIDL3, {TENSOR_INT32}},
};

enum Input : size_t { kInput, kPaddings, kMode };
inline constexpr Param kInputs[] = {{"input", T}, {"paddings", TENSOR_INT32}, {"mode", INT32}};
inline constexpr Param kOutputs[] = {{"output", T}};
inline constexpr Form kForms[] = {{"", kInputs, kOutputs}};
static_assert(wellFormed(kForms));

enum class Mode : int32_t { REFLECT = 0, SYMMETRIC = 1 };

}  // namespace nn::ops::mirror_pad
