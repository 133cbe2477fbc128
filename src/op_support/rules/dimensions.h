// Helpers for operations that take shapes, or lists of axes, as tensors.
#pragma once

#include <initializer_list>
#include <optional>
#include <span>
#include <string_view>

#include "op_support/rules/op_view.h"

namespace nn::ops {

// A shape with unknown dimensions; without a rank an unknown shape.
Shape shapeOfRank(std::optional<size_t> rank);

// True while unknown, or if an input has these dimensions; an unknown dimension fits any.
bool requireDimensions(const OpView& op, std::string_view rule, size_t input,
                       std::initializer_list<Dim> allowed);

// The same for a list with one element for each dimension of `input`.
bool requireOnePerAxis(const OpView& op, std::string_view rule, size_t list, size_t input);

// True while unknown, or no element of a TENSOR_INT32 input is below `least`.
bool requireEach(const OpView& op, std::string_view rule, size_t list, int32_t least);

// Sets a dimension of output 0 to a computed size. False, after a report, if it does not fit.
bool setSize(const OpView& op, std::string_view rule, size_t axis, uint64_t size, Dim& dim);

// ---- lists of axes

// True while the list or the rank is unknown, or all the axes exist.
bool requireAxes(const OpView& op, std::string_view rule, size_t list, std::optional<size_t> rank);

// By axis: is it in the list, counted from either end, one or more times?
std::vector<bool> namedAxes(std::span<const int32_t> axes, size_t rank);

// The shape of an input without the listed axes, or with 1 in their place where dimensions are
// kept. Without any axis left, the shape is [1].
Shape reducedShape(const OpView& op, size_t input, size_t list, std::optional<bool> keepsDims);

// ---- paddings

// True while unknown, or the paddings of an input have the shape [rank, 2].
bool requirePaddings(const OpView& op, std::string_view rule, size_t input, size_t paddings);

// The shape of an input with paddings, a [rank, 2] tensor of the elements to add before and after
// each axis. Empty, after a report, if they do not fit; the inner shape is empty while unknown.
std::optional<Shape> paddedShape(const OpView& op, std::string_view rule, size_t input,
                                 size_t paddings);

}  // namespace nn::ops
