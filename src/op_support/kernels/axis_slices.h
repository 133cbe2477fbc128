// One-dimensional slices of a tensor along an axis: for each combination of the other indexes, the
// elements that differ only in the index of the axis.
//
//   for (const AxisSlices slices(op.input(0), axis); const size_t start : slices) f(slices.of(x,
//   start));
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "op_support/rules/op_view.h"
#include "op_support/rules/shapes.h"

namespace nn::ops {

template <class E>
class AxisSlice {
   public:
    AxisSlice(E* first, size_t size, size_t stride) : mFirst(first), mSize(size), mStride(stride) {}
    E& operator[](size_t i) const { return mFirst[i * mStride]; }
    size_t size() const { return mSize; }

   private:
    E* mFirst;
    size_t mSize;
    size_t mStride;
};

class AxisSlices {
   public:
    // Axis in [-rank, rank), as inferShapes has checked; a tensor of rank 0 is one slice.
    AxisSlices(const Value& tensor, int32_t axis) {
        const auto at = resolveAxis(axis, tensor.dimensions.size()).value_or(0);
        for (size_t i = 0; i < tensor.dimensions.size(); ++i) {
            const size_t size = tensor.dimensions[i];
            (i < at ? mOuter : i == at ? mSize : mStride) *= size;
        }
    }

    size_t size() const { return mSize; }      // elements of a slice
    size_t stride() const { return mStride; }  // between them
    size_t count() const { return mSize == 0 ? 0 : mOuter * mStride; }

    // The slice that begins at that element.
    template <class E>
    AxisSlice<E> of(std::span<E> elements, size_t start) const {
        return {elements.data() + start, mSize, mStride};
    }

    // Iterates over the first elements of all slices.
    class Iterator {
       public:
        Iterator(const AxisSlices* slices, size_t slice) : mSlices(slices), mSlice(slice) {}
        size_t operator*() const {
            const size_t stride = mSlices->mStride;
            return mSlice / stride * stride * mSlices->mSize + mSlice % stride;
        }
        Iterator& operator++() {
            ++mSlice;
            return *this;
        }
        bool operator!=(const Iterator& other) const { return mSlice != other.mSlice; }

       private:
        const AxisSlices* mSlices;
        size_t mSlice;
    };
    Iterator begin() const { return {this, 0}; }
    Iterator end() const { return {this, count()}; }

   private:
    size_t mOuter = 1;
    size_t mSize = 1;
    size_t mStride = 1;
};

}  // namespace nn::ops
