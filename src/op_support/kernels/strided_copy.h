// Copies elements of any type between tensors with strides.
//
//   StridedCopy copy(op.input(0));              // the transpose of [rows, columns]
//   copy.axis(rows, columns, 1);         // count, stride in the source, stride in the target
//   copy.axis(columns, 1, rows);
//   copy.run(op.output(0));
//
// Axes may be added in any order, and have strides of any sign: 0 in the source repeats, a negative
// one reverses. Strides and starts are in elements.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>

#include "op_support/kernels/strided_walk.h"
#include "op_support/rules/op_view.h"

namespace nn::ops {

class StridedCopy {
   public:
    explicit StridedCopy(const Value& source) : StridedCopy(source.data, source.type) {}
    StridedCopy(const uint8_t* source, OperandType type);

    void axis(size_t count, size_t from, size_t to);

    // Copies everything the axes span, from a first element of the source to one of the target.
    void run(const Value& target, size_t fromStart = 0, size_t toStart = 0) const;

   private:
    const uint8_t* mSource;
    size_t mElementSize;
    std::array<StridedWalk::Axis, StridedWalk::kMaxAxes> mAxes;  // mSize are in use
    size_t mSize = 0;
    bool mIsEmpty = false;
};

// Copies all elements in order: the target has as many as the source.
void copyElements(const Value& source, const Value& target);

// Copies a tensor into a larger one of the same rank, after margins: paddings[2 * i] along axis i.
void copyWithin(const Value& source, const Value& target, std::span<const int32_t> paddings);

// Sets each element of the target to the same bytes, or to real 0.
void fillElements(const Value& target, const void* element);
void fillWithZero(const Value& target);

}  // namespace nn::ops
