// Dimensions of results, as operators define them.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "importers/common/joined_axes.h"
#include "nnapi/types.h"

namespace nn::onnx {

// Dimensions whose elements can be counted: at most that many dimensions, and a number of elements
// that size_t holds.
class Shape {
   public:
    static std::optional<Shape> of(Dimensions dimensions, size_t maxRank);
    static bool isCountable(const Dimensions& dimensions, size_t maxRank);

    const Dimensions& dimensions() const { return mDimensions; }
    size_t rank() const { return mDimensions.size(); }
    size_t count() const { return mCount; }
    // Of elements in row-major order; 0 for all where there are no elements.
    std::vector<size_t> strides() const;

   private:
    Shape(Dimensions dimensions, size_t count)
        : mDimensions(std::move(dimensions)), mCount(count) {}

    Dimensions mDimensions;
    size_t mCount;
};

// Numbers of a file as dimensions; empty for those below 0 or above 2^31 - 1, and for too many.
std::optional<Dimensions> dimensionsFrom(std::span<const int64_t> sizes, size_t maxRank);

// Dimensions of an operand: a scalar is a tensor of one element.
Dimensions operandDimensions(const Dimensions& dimensions);

std::string shapeText(const Dimensions& dimensions);  // "[1, 3]", cut where it is long

// Those of the result of two tensors that are broadcast; empty where they cannot be.
std::optional<Dimensions> broadcast(const Dimensions& a, const Dimensions& b);

// An axis that may count from the end; empty out of range.
std::optional<uint32_t> axisOf(int64_t axis, size_t rank);

// Axes in ascending order; empty where one is out of range or listed twice.
std::optional<std::vector<uint32_t>> axesOf(std::span<const int64_t> axes, size_t rank);

// Reshape: at most one -1 stands for the remaining elements; 0 copies a dimension unless zeros are
// allowed.
std::optional<Dimensions> reshapedTo(const Dimensions& dimensions, std::span<const int64_t> shape,
                                     bool allowZero, size_t maxRank);
// Squeeze, of all dimensions of 1 without axes.
std::optional<Dimensions> squeezed(const Dimensions& dimensions,
                                   const std::optional<std::vector<int64_t>>& axes);
std::optional<Dimensions> unsqueezed(const Dimensions& dimensions, std::span<const int64_t> axes,
                                     size_t maxRank);
// Flatten: two dimensions, before and from the axis.
std::optional<Dimensions> flattened(const Dimensions& dimensions, int64_t axis);
// The order of axes that Transpose gives; reversed without one.
std::optional<std::vector<uint32_t>> transposition(std::span<const int64_t> order, size_t rank);
// The axes of a reduction removed, or kept with size 1.
Dimensions reduced(const Dimensions& dimensions, std::span<const uint32_t> axes, bool keep);

using importing::aroundAxis;
using importing::joinedTransposition;
using importing::kMaxAxes;
using importing::Transposition;

// The elements that Slice copies along one axis: `count` from `begin` on, none beyond its end. The
// step of less than two elements is 1.
struct SliceRange {
    int64_t begin = 0;
    int64_t step = 1;
    uint32_t count = 0;
};
// Of all axes; empty where the lists do not match, or a step is 0.
std::optional<std::vector<SliceRange>> sliceRanges(
        const Dimensions& dimensions, std::span<const int64_t> starts,
        std::span<const int64_t> ends, const std::optional<std::vector<int64_t>>& axes,
        const std::optional<std::vector<int64_t>>& steps);

// A slice of the same elements in fewer axes: those of one element are left out, and while there
// are more than kMaxAxes, neighbors that are taken as a whole are joined.
struct JoinedSlice {
    Dimensions dimensions{};  // of the tensor that the ranges refer to
    std::vector<SliceRange> ranges{};

    Dimensions taken() const;
};
JoinedSlice joinedSlice(const Dimensions& dimensions, std::span<const SliceRange> ranges);

}  // namespace nn::onnx
