// Iterates over two tensors at once, axis by axis, each with its own strides: the loop under copies
// and reductions of any rank.
//
//   StridedWalk walk;                      // sums over the columns of [rows, columns]
//   walk.outer(columns, 1, 0);      // count, stride in the first tensor, stride in the second
//   walk.outer(rows, columns, 1);
//   walk.forEachRow([&](ptrdiff_t from, ptrdiff_t to, const StridedWalk::Axis& row) { ... });
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>

namespace nn::ops {

class StridedWalk {
   public:
    struct Axis {
        size_t count;
        ptrdiff_t from;
        ptrdiff_t to;
    };

    // No tensor in memory has more axes with two elements or more.
    static constexpr size_t kMaxAxes = 64;

    // Adds an axis around those already there. Axes of one element vanish, and an axis that
    // continues the one within becomes part of it.
    void outer(size_t count, ptrdiff_t from, ptrdiff_t to) {
        if (count == 1) return;
        if (count == 0 || mSize == kMaxAxes) {  // too many: one still to come has no elements
            mIsEmpty = true;
            return;
        }
        if (mSize != 0) {
            Axis& within = mAxes[mSize - 1];
            if (continues(from, within.from, within.count) &&
                continues(to, within.to, within.count)) {
                within.count *= count;
                return;
            }
        }
        mAxes[mSize++] = {count, from, to};
    }

    // The i-th axis from within; one element beyond the last.
    Axis axis(size_t i) const { return i < mSize ? mAxes[i] : Axis{1, 0, 0}; }

    // Calls f(from, to, axis(0)) with the offsets of the first element of each row, in order.
    template <class F>
    void forEachRow(F f) const {
        if (mIsEmpty) return;
        const Axis row = axis(0);
        std::array<size_t, kMaxAxes> index;
        std::fill_n(index.begin(), mSize, size_t{0});
        ptrdiff_t from = 0;
        ptrdiff_t to = 0;
        for (;;) {
            f(from, to, row);
            size_t i = 1;
            for (; i < mSize; ++i) {
                from += mAxes[i].from;
                to += mAxes[i].to;
                if (++index[i] < mAxes[i].count) break;
                index[i] = 0;
                from -= static_cast<ptrdiff_t>(mAxes[i].count) * mAxes[i].from;
                to -= static_cast<ptrdiff_t>(mAxes[i].count) * mAxes[i].to;
            }
            if (i >= mSize) return;
        }
    }

   private:
    // Unsigned, because the strides of a tensor without elements may be anything.
    static bool continues(ptrdiff_t stride, ptrdiff_t within, size_t count) {
        return static_cast<size_t>(stride) == count * static_cast<size_t>(within);
    }

    std::array<Axis, kMaxAxes> mAxes;  // mSize are in use
    size_t mSize = 0;
    bool mIsEmpty = false;
};

}  // namespace nn::ops
