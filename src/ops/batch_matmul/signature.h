// BATCH_MATMUL: products of matrices, one for each index of a batch.
#pragma once

#include "opkit/rules/signature.h"

namespace nn::ops::batch_matmul {

inline constexpr Types kTypes[] = {
        {AIDL2, {TENSOR_FLOAT32}},
        {AIDL2, {TENSOR_FLOAT16}},
        {AIDL2, {TENSOR_QUANT8_ASYMM_SIGNED}},
        {AIDL2, {TENSOR_INT32}},
};

enum Input : size_t { kX, kY, kAdjointX, kAdjointY };
inline constexpr Param kInputs[] = {{"x", T}, {"y", T}, {"adjointX", BOOL}, {"adjointY", BOOL}};
inline constexpr Param kOutputs[] = {{"output", T}};
inline constexpr Form kForms[] = {{"", kInputs, kOutputs}};
static_assert(wellFormed(kForms));

}  // namespace nn::ops::batch_matmul
