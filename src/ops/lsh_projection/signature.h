// LSH_PROJECTION: maps inputs to bits by locality-sensitive hashing, so that similar inputs share
// bits.
#pragma once

#include "op_support/rules/signature.h"

namespace nn::ops::lsh_projection {

inline constexpr Types kTypes[] = {
        // since  hash, weights    input
        {V1_0, {TENSOR_FLOAT32, TENSOR_FLOAT32}},      {V1_0, {TENSOR_FLOAT32, TENSOR_INT32}},
        {V1_0, {TENSOR_FLOAT32, TENSOR_QUANT8_ASYMM}}, {V1_2, {TENSOR_FLOAT32, TENSOR_FLOAT16}},
        {V1_2, {TENSOR_FLOAT16, TENSOR_FLOAT32}},      {V1_2, {TENSOR_FLOAT16, TENSOR_INT32}},
        {V1_2, {TENSOR_FLOAT16, TENSOR_QUANT8_ASYMM}}, {V1_2, {TENSOR_FLOAT16, TENSOR_FLOAT16}},
};

inline constexpr Param kInputs[] = {
        {"hash", T}, {"input", S}, omittable("weights", T), {"type", INT32}};
inline constexpr Param kOutputs[] = {{"output", TENSOR_INT32}};
inline constexpr Form kForms[] = {{"", kInputs, kOutputs}};
static_assert(wellFormed(kForms, kTypes));

inline constexpr size_t kHash = at(kInputs, "hash"), kInput = at(kInputs, "input"),
                        kWeights = at(kInputs, "weights"), kType = at(kInputs, "type");

// The form of the output: a number for each hash function, or a number for each bit.
enum class Projection : int32_t { SPARSE_DEPRECATED = 1, DENSE = 2, SPARSE = 3 };

inline constexpr OperandText kOperandTexts[] = {
        {"hash", "[functions, bits]: a seed for each bit"},
        {"weights", "of each row of the input; none: all 1"},
        {"type", "1 SPARSE_DEPRECATED, 2 DENSE, 3 SPARSE"},
};

inline constexpr RuleText kRules[] = {
        {"lsh_projection.bits", "A hash function has 1 to 32 bits."},
        {"lsh_projection.rank", "The hash has rank 2, the input rank 1 or more, weights rank 1."},
        {"lsh_projection.shapes",
         "The input is not empty, there is a weight for each of its rows, and the bits of all hash "
         "functions can be counted in 32 bits."},
        {"lsh_projection.type", "The type is 1, 2 or 3."},
        {"lsh_projection.weights", "DENSE has weights, the other types have none."},
};

}  // namespace nn::ops::lsh_projection
