// GATHER: selects slices of a tensor by index along one axis.
#pragma once

#include "op_support/rules/signature.h"

namespace nn::ops::gather {

inline constexpr Types kTypes[] = {
        // since  input, output
        {V1_2, {TENSOR_FLOAT16}},
        {V1_2, {TENSOR_FLOAT32}},
        {V1_2, {TENSOR_INT32}},
        {V1_2, {TENSOR_QUANT8_ASYMM}},
        {V1_3, {TENSOR_QUANT8_ASYMM_SIGNED}},
};

inline constexpr Param kInputs[] = {{"input", T}, {"axis", INT32}, {"indices", TENSOR_INT32}};
inline constexpr Param kOutputs[] = {{"output", T}};
inline constexpr Form kForms[] = {{"", kInputs, kOutputs}};
static_assert(wellFormed(kForms, kTypes));

inline constexpr size_t kInput = at(kInputs, "input"), kAxis = at(kInputs, "axis"),
                        kIndices = at(kInputs, "indices");

inline constexpr OperandText kOperandTexts[] = {
        {"indices", "which slices along the axis"},
};

inline constexpr RuleText kRules[] = {
        {"gather.axis", "The axis lies in [-rank, rank)."},
        {"gather.index", "Each index lies in [0, d) for an axis of size d."},
};

}  // namespace nn::ops::gather
