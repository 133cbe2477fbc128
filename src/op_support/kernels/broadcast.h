// Applies a function to the elements of two tensors whose shapes are broadcast against each other.
//
//   broadcastInto(op, op.reals(0), op.reals(1), y, [](float a, float b) { return a + b; });
#pragma once

#include <cstddef>
#include <span>

#include "nnapi/kernel/broadcast.h"
#include "op_support/kernels/kernel_call.h"

namespace nn::ops {

// Calls f(a, strideA, b, strideB, count, y) for rows of elements: a of input 0, b of input 1, y of
// output 0. A stride of 0 repeats one element, else it is 1.
template <class E, class R, class F>
void broadcastRows(KernelCall& op, std::span<const E> a, std::span<const E> b, std::span<R> y,
                   F f) {
    if (b.size() == 1 && a.size() == y.size())  // as small models often have it
        return f(a.data(), 1, b.data(), 0, y.size(), y.data());
    const auto walk =
            kernel::BroadcastWalk<2>::create({op.input(0).dimensions, op.input(1).dimensions});
    if (!walk) return;  // inferShapes accepts no such shapes
    walk->forEachRow([&](size_t start, const auto& in, const auto& row) {
        f(a.data() + in[0], row.strides[0], b.data() + in[1], row.strides[1], row.count,
          y.data() + start);
    });
}

// y = f(a, b) for all elements.
template <class E, class R, class F>
void broadcastInto(KernelCall& op, std::span<const E> a, std::span<const E> b, std::span<R> y,
                   F f) {
    broadcastRows(
            op, a, b, y,
            [f](const E* x0, size_t stride0, const E* x1, size_t stride1, size_t count, R* out) {
                if (stride0 == 0) {
                    const E x = *x0;
                    for (size_t i = 0; i < count; ++i) out[i] = f(x, x1[i]);
                } else if (stride1 == 0) {
                    const E x = *x1;
                    for (size_t i = 0; i < count; ++i) out[i] = f(x0[i], x);
                } else {
                    for (size_t i = 0; i < count; ++i) out[i] = f(x0[i], x1[i]);
                }
            });
}

// The same for the real values of operands that are not integers: one rounding, as store() does.
template <class F>
void broadcastReals(KernelCall& op, F f) {
    const std::span<float> y = op.realOutput(0);
    broadcastInto(op, op.reals(0), op.reals(1), y, f);
    op.store(0, y);
}

}  // namespace nn::ops
