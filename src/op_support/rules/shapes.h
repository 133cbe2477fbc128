// Shape inference that several operations share: axes, broadcasting, tied quantization.
// Every function works with unknown dimensions and reports through the operation.
#pragma once

#include <optional>
#include <string_view>

#include "op_support/rules/op_view.h"

namespace nn::ops {

// ---- axes

// The index of a possibly negative axis of a tensor of that rank; empty outside [-rank, rank).
std::optional<size_t> resolveAxis(int64_t axis, size_t rank);

// True while axis or rank are unknown, or the axis exists.
bool requireAxis(const OpView& op, std::string_view rule, size_t axisInput,
                 std::optional<int32_t> axis, std::optional<size_t> rank);

// ---- ranks and dimensions

// True while the rank is unknown or within the bounds.
bool requireRank(const OpView& op, std::string_view rule, size_t input, size_t least, size_t most);

// True while one of the ranks is unknown, or the rank of output 0 is that of an input plus `more`.
bool requireOutputRank(const OpView& op, std::string_view rule, size_t input, size_t more = 0);

// True if either is unknown or they are equal. The descriptions read like "depth of input 0 'input'
// (operand 3)".
bool requireEqual(const OpView& op, std::string_view rule, std::string_view nameA, Dim a,
                  std::string_view nameB, Dim b);

// The dimension at an index; empty while unknown.
Dim dimAt(const Shape& shape, size_t i);

// The number of elements; empty while a dimension is unknown or the product does not fit 64 bits.
std::optional<uint64_t> elementCount(const Shape& shape);

// The numpy rule: dimensions are aligned at the last one, and equal or 1. False, after a report,
// where two known dimensions do not fit; the output is empty if the result is unknown.
bool broadcast(const OpView& op, std::string_view rule, size_t inputA, size_t inputB,
               Shape& output);

// ---- tied and fixed quantization

// Output quantization that an operation prescribes.
struct FixedQuantization {
    float scale;
    int32_t zeroPointUnsigned;
    int32_t zeroPointSigned;
};
inline constexpr FixedQuantization kUnitInterval{1.0f / 256, 0, -128};          // [0, 1)
inline constexpr FixedQuantization kSymmetricUnitInterval{1.0f / 128, 128, 0};  // [-1, 1)

// True if output 0 is not 8-bit asymmetric, or has the prescribed scale and zero point.
bool requireQuantization(const OpView& op, std::string_view rule, FixedQuantization fixed);

// True if an output has the scale and the zero point of an input.
bool requireSameQuantization(const OpView& op, std::string_view rule, size_t input, size_t output);

// ---- fused activation

// True while the value of an activation input is unknown, or 0 to 3.
bool requireActivation(const OpView& op, std::string_view rule, size_t input);

}  // namespace nn::ops
