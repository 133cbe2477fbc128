// PACK: tensors of one shape, stacked along a new axis.
#pragma once

#include "opkit/rules/signature.h"

namespace nn::ops::pack {

inline constexpr Types kTypes[] = {
        // since  input, output
        {AIDL2, {TENSOR_FLOAT16}},      {AIDL2, {TENSOR_FLOAT32}},
        {AIDL2, {TENSOR_QUANT8_ASYMM}}, {AIDL2, {TENSOR_QUANT8_ASYMM_SIGNED}},
        {AIDL2, {TENSOR_INT32}},
};

enum Input : size_t { kAxis, kFirst };
inline constexpr Param kInputs[] = {{"axis", INT32}, repeated("input", T, 1)};
inline constexpr Param kOutputs[] = {{"output", T}};
inline constexpr Form kForms[] = {{"", kInputs, kOutputs}};
static_assert(wellFormed(kForms));

}  // namespace nn::ops::pack
