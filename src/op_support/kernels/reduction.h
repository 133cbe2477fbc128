// Folding a tensor along some of its axes.
//
//   absl::c_fill(y, 0.0f);
//   foldAxes(op.input(0), axes, x, y, std::plus<float>());   // the sums along the axes
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "op_support/kernels/strided_walk.h"
#include "op_support/rules/dimensions.h"
#include "op_support/rules/op_view.h"

namespace nn::ops {

// y[j] = f(... f(f(y[j], x[i0]), x[i1]) ...) over the elements x[i] whose other indexes are j, in
// the order of memory. The list of axes is as namedAxes reads it.
template <class E, class A, class F>
void foldAxes(const Value& tensor, std::span<const int32_t> axes, std::span<const E> x,
              std::span<A> y, F f) {
    StridedWalk walk;
    const size_t rank = tensor.dimensions.size();
    const std::vector<bool> isFolded = namedAxes(axes, rank);
    size_t from = 1;
    size_t to = 1;
    for (size_t i = rank; i-- > 0;) {
        walk.outer(tensor[i], static_cast<ptrdiff_t>(from),
                   isFolded[i] ? 0 : static_cast<ptrdiff_t>(to));
        from *= tensor[i];
        if (!isFolded[i]) to *= tensor[i];
    }
    walk.forEachRow([&](ptrdiff_t start, ptrdiff_t result, const StridedWalk::Axis& row) {
        const E* in = x.data() + start;
        A* out = y.data() + result;
        if (row.to == 0) {
            A folded = *out;
            for (size_t i = 0; i < row.count; ++i) folded = f(folded, in[i]);
            *out = folded;
        } else {
            for (size_t i = 0; i < row.count; ++i) out[i] = f(out[i], in[i]);
        }
    });
}

}  // namespace nn::ops
