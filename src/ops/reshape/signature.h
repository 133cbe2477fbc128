// RESHAPE: the same elements with other dimensions.
#pragma once

#include "opkit/rules/signature.h"

namespace nn::ops::reshape {

inline constexpr Types kTypes[] = {
        // since  input, output
        {V1_0, {TENSOR_FLOAT32}}, {V1_0, {TENSOR_QUANT8_ASYMM}},
        {V1_2, {TENSOR_FLOAT16}}, {V1_3, {TENSOR_QUANT8_ASYMM_SIGNED}},
        {AIDL2, {TENSOR_INT32}},
};

enum Input : size_t { kInput, kShape };
inline constexpr Param kInputs[] = {{"input", T}, {"shape", TENSOR_INT32}};
inline constexpr Param kOutputs[] = {{"output", T}};
inline constexpr Form kForms[] = {{"", kInputs, kOutputs}};
static_assert(wellFormed(kForms));

}  // namespace nn::ops::reshape
