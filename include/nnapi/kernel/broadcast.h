// nnapi/kernel/broadcast.h -- Broadcasting: the shape of a result, and the elements of each input
// that belong to an element of it.
//
//   const auto walk = nn::kernel::BroadcastWalk<2>::create({a.dimensions, b.dimensions});
//   if (!walk) return error;                     // the shapes do not fit
//   walk->forEach([&](size_t out, const auto& in) { y[out] = x0[in[0]] + x1[in[1]]; });
//
// or with whole rows, where each input either advances or repeats:
//
//   walk->forEachRow([&](size_t out, const auto& in, const auto& row) {
//       for (size_t i = 0; i < row.count; ++i)
//           y[out + i] = x0[in[0] + i * row.strides[0]] + x1[in[1] + i * row.strides[1]];
//   });
//
// Dimensions are aligned at the last one; two are compatible if they are equal or one of them is 1,
// and a missing one counts as 1. A dimension of 0 is an empty one. Tensors are in row-major order;
// strides and offsets are in elements. Source: "This operation supports broadcasting" of
// ANEURALNETWORKS_ADD in NeuralNetworks.h. Accepts any dimensions. Pure and thread-safe.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <optional>
#include <span>
#include <utility>
#include <vector>

namespace nn::kernel {

// The dimension of a result for two dimensions; none if they are incompatible.
constexpr std::optional<uint32_t> broadcastDimension(uint32_t a, uint32_t b) {
    if (a == 1 || a == b) return b;
    return b == 1 ? std::optional(a) : std::nullopt;
}

// The dimensions of the result for any number of shapes; [] without shapes. None if two dimensions
// are incompatible.
std::optional<std::vector<uint32_t>> broadcastShape(
        std::span<const std::span<const uint32_t>> shapes);

// For each dimension of a result the stride of an input: 0 where the input repeats. None if the
// input cannot be broadcast to the result, and for inputs of more elements than size_t can count.
std::optional<std::vector<size_t>> broadcastStrides(std::span<const uint32_t> input,
                                                    std::span<const uint32_t> result);

// Walks over a result and `kInputs` inputs at once. Neighboring dimensions that behave alike are
// one axis, so that equal shapes and scalars are one row, and a bias is one row for each of its
// repetitions.
template <size_t kInputs>
class BroadcastWalk {
   public:
    // Dimensions of the inputs; an element index for each of them.
    using Shapes = std::array<std::span<const uint32_t>, kInputs>;
    using Offsets = std::array<size_t, kInputs>;

    // Neighboring dimensions where the same inputs repeat.
    struct Axis {
        size_t count;     // elements
        Offsets strides;  // 1 or 0 in a row
    };

    // A result with elements has no more axes with two elements or more.
    static constexpr size_t kMaxAxes = 64;

    // None if two dimensions are incompatible, and for results of more elements than size_t can
    // count. Allocates nothing.
    static std::optional<BroadcastWalk> create(const Shapes& shapes) {
        std::optional<BroadcastWalk> walk(std::in_place);
        if (!walk->addAll(shapes)) walk.reset();
        return walk;
    }

    // A scalar result of scalars.
    BroadcastWalk() = default;

    // The number of elements of the result.
    size_t count() const { return mCount; }

    // The axes of the result, the innermost first.
    std::span<const Axis> axes() const { return {mAxes.data(), mSize}; }

    // Calls f(offset in the result, offsets in the inputs, axis) for each row, in order.
    template <class F>
    void forEachRow(F f) const {
        if (mIsEmpty) return;
        Axis row{.count = 1, .strides = {}};
        if (mSize != 0) row = mAxes[0];
        std::array<size_t, kMaxAxes> index;
        std::fill_n(index.begin(), mSize, size_t{0});
        Offsets in{};
        for (size_t out = 0;; out += row.count) {
            f(out, in, row);
            size_t i = 1;
            for (; i < mSize; ++i) {
                const bool isInside = ++index[i] < mAxes[i].count;
                for (size_t k = 0; k < kInputs; ++k) {
                    in[k] += mAxes[i].strides[k];
                    if (!isInside) in[k] -= mAxes[i].strides[k] * mAxes[i].count;
                }
                if (isInside) break;
                index[i] = 0;
            }
            if (i >= mSize) return;
        }
    }

    // Calls f(offset in the result, offsets in the inputs) for each element, in order.
    template <class F>
    void forEach(F f) const {
        forEachRow([&](size_t out, Offsets in, const Axis& row) {
            for (size_t i = 0; i < row.count; ++i) {
                f(out + i, static_cast<const Offsets&>(in));
                for (size_t k = 0; k < kInputs; ++k) in[k] += row.strides[k];
            }
        });
    }

   private:
    // False if create() has no result.
    bool addAll(const Shapes& shapes) {
        size_t rank = 0;
        for (const auto& shape : shapes) rank = std::max(rank, shape.size());
        Offsets elements;  // of each input, in the dimensions so far
        elements.fill(1);
        for (size_t i = 0; i < rank; ++i) {
            if (!addDimension(shapes, i, elements)) return false;
        }
        if (mIsEmpty) mCount = 0;
        return mIsEmpty || !mOverflows;
    }

    // The i-th dimension from the end.
    static uint32_t fromEnd(std::span<const uint32_t> shape, size_t i) {
        return i < shape.size() ? shape[shape.size() - 1 - i] : 1;
    }

    bool addDimension(const Shapes& shapes, size_t i, Offsets& elements) {
        uint32_t extent = 1;
        for (const auto& shape : shapes) {
            const auto together = broadcastDimension(extent, fromEnd(shape, i));
            if (!together) return false;
            extent = *together;
        }
        if (extent == 1) return true;
        if (extent == 0) mIsEmpty = true;
        if (mIsEmpty || mOverflows) return true;  // the rest only has to be compatible
        if (mCount > std::numeric_limits<size_t>::max() / extent) {
            mOverflows = true;
            return true;
        }
        mCount *= extent;
        Axis axis{.count = extent, .strides = {}};
        bool isLikeLast = mSize != 0;
        for (size_t k = 0; k < kInputs; ++k) {
            const bool moves = fromEnd(shapes[k], i) != 1;
            if (moves) axis.strides[k] = elements[k];
            if (moves) elements[k] *= extent;
            isLikeLast = isLikeLast && moves == (mAxes[mSize - 1].strides[k] != 0);
        }
        if (isLikeLast) {
            mAxes[mSize - 1].count *= extent;
        } else {
            mAxes[mSize++] = axis;
        }
        return true;
    }

    std::array<Axis, kMaxAxes> mAxes;  // mSize are in use
    size_t mSize = 0;
    size_t mCount = 1;
    bool mIsEmpty = false;
    bool mOverflows = false;
};

}  // namespace nn::kernel
