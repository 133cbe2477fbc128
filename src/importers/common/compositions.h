// compositions.h -- Operators that NNAPI lacks, as sequences of operations that it has.
//
//   composeRound(builder, x, output);   // FLOOR, SUB, ADD, ..., SELECT
//
// Each function adds the operations that compute its formula into the operand `to`. Floating-point
// operators are for TENSOR_FLOAT32 and TENSOR_FLOAT16, those of integers for TENSOR_INT32; the
// signatures of the operations reject other types. Where a builder exceeds a limit, also that of
// constants, the result is meaningless and GraphBuilder::status() fails.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "importers/common/model_builder.h"

namespace nn::importing {

using Dimensions = std::vector<uint32_t>;

// ---- elementwise

// -1, 0 or 1. Exact; also for integers.
void composeSign(GraphBuilder& builder, uint32_t x, uint32_t to);

// The nearest integer, the even one of two. Exact.
void composeRound(GraphBuilder& builder, uint32_t x, uint32_t to);

// The error function, by a polynomial that differs by at most 1e-6.
void composeErf(GraphBuilder& builder, uint32_t x, uint32_t to);

// x * Phi(x), where Phi is the distribution function of the normal distribution. The error is at
// most that of composeErf times |x| / 2.
void composeGelu(GraphBuilder& builder, uint32_t x, uint32_t to);

// x / 2 * (1 + tanh(sqrt(2 / pi) * (x + 0.044715 * x^3)))
void composeTanhGelu(GraphBuilder& builder, uint32_t x, uint32_t to);

// x * sigmoid(alpha * x)
void composeSwish(GraphBuilder& builder, uint32_t x, float alpha, uint32_t to);

// Quotients and remainders of integers above -2^31, with divisors other than 0. FLOOR rounds the
// quotient down, so that the remainder has the sign of b; TRUNCATE rounds it towards zero.
enum class Division : uint8_t { FLOOR, TRUNCATE };
void composeQuotient(GraphBuilder& builder, Division division, uint32_t a, uint32_t b, uint32_t to);
void composeRemainder(GraphBuilder& builder, Division division, uint32_t a, uint32_t b,
                      uint32_t to);

// ---- elements by their numbers

// The rows of a table of `rows` rows that indices select. Each index is a list of as many numbers
// as `sizes`, which are the sizes of the axes that the rows are counted along.
struct RowIndices {
    std::vector<uint32_t> sizes{};
    uint64_t count = 0;    // of lists
    uint64_t batches = 1;  // equal parts of the lists; each part selects from its own rows

    uint64_t rowsOfBatch() const;
};

// The number of the row for each list of constant indices, which may count from the end. Empty
// where one is out of range. The rows of all batches must be below 2^31.
std::optional<std::vector<int32_t>> rowsOf(const RowIndices& indices,
                                           std::span<const int64_t> values);

// The same of computed indices, an operand of shape [count, number of sizes]. The result has the
// shape [count, 1].
uint32_t composeRows(GraphBuilder& builder, const RowIndices& indices, uint32_t values);

// Indices that count from the end become indices from the start, for an axis of that size.
uint32_t composeFromStart(GraphBuilder& builder, uint32_t indices, std::span<const uint32_t> sizes);

// ---- TENSOR_INT32, which TRANSPOSE, CONCATENATION and PAD lack

// The axes in another order, by a constant of as many elements, less than 2^31.
void composeTranspose(GraphBuilder& builder, uint32_t from, std::span<const uint32_t> axes,
                      uint32_t to);

// Tensors one after another along an axis, by a constant of as many elements for each of them.
void composeConcatenation(GraphBuilder& builder, std::span<const uint32_t> parts, uint32_t axis,
                          uint32_t to);

// ---- shapes

// A tensor in dimensions to which it can be broadcast and that it does not have yet; all are above
// 0. For integers and booleans by a constant of as many elements.
void composeBroadcast(GraphBuilder& builder, uint32_t from, uint32_t to);

// RESHAPE; for booleans, which it lacks, by two constants of as many elements.
void composeReshape(GraphBuilder& builder, uint32_t from, uint32_t to);

// The same elements, whose dimensions may be unknown, in another operand.
void composeCopy(GraphBuilder& builder, uint32_t from, uint32_t to);

// ---- parts

// Dimensions as a parameter of RESHAPE, where those that are unknown are -1.
std::vector<int32_t> shapeOf(const Dimensions& dimensions);

// An intermediate value like an operand, with other dimensions if they are given.
uint32_t temporaryLike(GraphBuilder& builder, uint32_t like);
uint32_t temporaryLike(GraphBuilder& builder, uint32_t like, Dimensions dimensions);

// A constant of the floating-point type of an operand, or TENSOR_INT32: a tensor of one element.
uint32_t numberLike(GraphBuilder& builder, uint32_t like, float value);

// A constant of TENSOR_INT32.
uint32_t integersOf(GraphBuilder& builder, Dimensions dimensions, std::span<const int32_t> values);

}  // namespace nn::importing
