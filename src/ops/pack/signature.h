// PACK: tensors of one shape, stacked along a new axis.
#pragma once

#include "opkit/rules/signature.h"

namespace nn::ops::pack {

inline constexpr Types kTypes[] = {
        // since  input, output
        {FL6, {TENSOR_FLOAT16}},      {FL6, {TENSOR_FLOAT32}},
        {FL6, {TENSOR_QUANT8_ASYMM}}, {FL6, {TENSOR_QUANT8_ASYMM_SIGNED}},
        {FL6, {TENSOR_INT32}},
};

inline constexpr Param kInputs[] = {{"axis", INT32}, repeated("input", T, 1)};
inline constexpr Param kOutputs[] = {{"output", T}};
inline constexpr Form kForms[] = {{"", kInputs, kOutputs}};
static_assert(wellFormed(kForms, kTypes));

inline constexpr size_t kAxis = at(kInputs, "axis"), kFirst = at(kInputs, "input");

}  // namespace nn::ops::pack
