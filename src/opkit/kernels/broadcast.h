// Applies a function to the elements of two tensors whose shapes are broadcast against each other.
//
//   broadcastInto(op, op.reals(0), op.reals(1), y, [](float a, float b) { return a + b; });
//
// Neighbouring dimensions that behave alike are taken as one, so that equal shapes and scalars are
// one contiguous loop, and a bias is one loop for each row.
#pragma once

#include <absl/algorithm/container.h>
#include <absl/container/inlined_vector.h>

#include <cstddef>
#include <span>

#include "opkit/kernels/kernel_call.h"

namespace nn::ops {

// Dimensions of the output along which each input either advances or repeats.
struct BroadcastAxis {
    size_t extent = 1;
    size_t strideA = 1;  // in elements; 0 if the input repeats
    size_t strideB = 1;
    size_t index = 0;

    bool movesLike(bool a, bool b) const { return (strideA != 0) == a && (strideB != 0) == b; }
};

// The axes of output 0 over inputs 0 and 1, the innermost first. There is at least one.
inline absl::InlinedVector<BroadcastAxis, kUsualRank> broadcastAxes(const KernelCall& op) {
    const auto fromEnd = [](const Value& value, size_t i) -> size_t {
        const size_t rank = value.dimensions.size();
        return i < rank ? value.dimensions[rank - 1 - i] : 1;
    };
    const size_t rank = op.output(0).dimensions.size();
    absl::InlinedVector<BroadcastAxis, kUsualRank> axes;
    size_t elementsA = 1;
    size_t elementsB = 1;
    for (size_t i = 0; i < rank; ++i) {
        const size_t extent = fromEnd(op.output(0), i);
        if (extent == 1) continue;
        const bool movesA = fromEnd(op.input(0), i) != 1;
        const bool movesB = fromEnd(op.input(1), i) != 1;
        if (!axes.empty() && axes.back().movesLike(movesA, movesB)) {
            axes.back().extent *= extent;
        } else {
            axes.push_back({extent, movesA ? elementsA : 0, movesB ? elementsB : 0});
        }
        if (movesA) elementsA *= extent;
        if (movesB) elementsB *= extent;
    }
    if (axes.empty()) axes.emplace_back();
    return axes;
}

// y = f(a, b) for all elements: a of input 0, b of input 1, y of output 0.
template <class E, class R, class F>
void broadcastInto(KernelCall& op, std::span<const E> a, std::span<const E> b, std::span<R> y,
                   F f) {
    if (b.size() == 1 && a.size() == y.size()) {  // as small models often have it
        const E x = b.front();
        absl::c_transform(a, y.begin(), [f, x](E element) { return f(element, x); });
        return;
    }
    auto axes = broadcastAxes(op);
    const BroadcastAxis inner = axes.front();
    const E* x0 = a.data();
    const E* x1 = b.data();
    for (size_t start = 0; start < y.size(); start += inner.extent) {
        R* out = y.data() + start;
        if (inner.strideA == 0) {
            const E x = *x0;
            for (size_t i = 0; i < inner.extent; ++i) out[i] = f(x, x1[i]);
        } else if (inner.strideB == 0) {
            const E x = *x1;
            for (size_t i = 0; i < inner.extent; ++i) out[i] = f(x0[i], x);
        } else {
            for (size_t i = 0; i < inner.extent; ++i) out[i] = f(x0[i], x1[i]);
        }
        for (BroadcastAxis& axis : std::span(axes).subspan(1)) {
            x0 += axis.strideA;
            x1 += axis.strideB;
            if (++axis.index < axis.extent) break;
            x0 -= axis.strideA * axis.extent;
            x1 -= axis.strideB * axis.extent;
            axis.index = 0;
        }
    }
}

// The same for the real values of operands that are not integers: one rounding, as store() does.
template <class F>
void broadcastReals(KernelCall& op, F f) {
    const std::span<float> y = op.realOutput(0);
    broadcastInto(op, op.reals(0), op.reals(1), y, f);
    op.store(0, y);
}

}  // namespace nn::ops
