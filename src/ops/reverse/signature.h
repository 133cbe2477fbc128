// REVERSE: the tensor with one axis turned around.
#pragma once

#include "opkit/rules/signature.h"

namespace nn::ops::reverse {

inline constexpr Types kTypes[] = {
        // since  input, output
        {AIDL3, {TENSOR_FLOAT16}},      {AIDL3, {TENSOR_FLOAT32}},
        {AIDL3, {TENSOR_QUANT8_ASYMM}}, {AIDL3, {TENSOR_QUANT8_ASYMM_SIGNED}},
        {AIDL3, {TENSOR_INT32}},
};

enum Input : size_t { kInput, kAxis };
inline constexpr Param kInputs[] = {{"input", T}, {"axis", TENSOR_INT32}};
inline constexpr Param kOutputs[] = {{"output", T}};
inline constexpr Form kForms[] = {{"", kInputs, kOutputs}};
static_assert(wellFormed(kForms));

}  // namespace nn::ops::reverse
