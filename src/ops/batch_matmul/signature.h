// BATCH_MATMUL: a matrix product for each index of a batch.
#pragma once

#include "op_support/rules/signature.h"

namespace nn::ops::batch_matmul {

inline constexpr Types kTypes[] = {
        {AIDL2, {TENSOR_FLOAT32}},
        {AIDL2, {TENSOR_FLOAT16}},
        {AIDL2, {TENSOR_QUANT8_ASYMM_SIGNED}},
        {AIDL2, {TENSOR_INT32}},
};

inline constexpr Param kInputs[] = {{"x", T}, {"y", T}, {"adjointX", BOOL}, {"adjointY", BOOL}};
inline constexpr Param kOutputs[] = {{"output", T}};
inline constexpr Form kForms[] = {{"", kInputs, kOutputs}};
static_assert(wellFormed(kForms, kTypes));

inline constexpr size_t kX = at(kInputs, "x"), kY = at(kInputs, "y"),
                        kAdjointX = at(kInputs, "adjointX"), kAdjointY = at(kInputs, "adjointY");

inline constexpr OperandText kOperandTexts[] = {
        {"x", "left matrices"},
        {"y", "right matrices"},
        {"adjointX", "transpose the left ones first"},
        {"adjointY", "transpose the right ones first"},
};

inline constexpr RuleText kRules[] = {
        {"batch_matmul.rank", "Both inputs have the same rank, 2 to 4."},
        {"batch_matmul.shapes",
         "All dimensions except the last two are equal, and so are those that are summed over."},
};

}  // namespace nn::ops::batch_matmul
