// Applies a function to each element of a tensor.
//
//   mapReals(op, [](float x) { return std::tanh(x); });
#pragma once

#include <absl/algorithm/container.h>

#include <array>
#include <cstdint>
#include <span>

#include "op_support/kernels/kernel_call.h"
#include "op_support/kernels/vector_kernels.h"

namespace nn::ops {

inline void quantize(std::span<const float> reals, const Value& to, uint8_t* stored) {
    vectorKernels().quantizeUnsigned(reals, to.scale, to.zeroPoint, stored);
}
inline void quantize(std::span<const float> reals, const Value& to, int8_t* stored) {
    vectorKernels().quantizeSigned(reals, to.scale, to.zeroPoint, stored);
}

// y = f(x) in stored values of 8 bits that represent real numbers, rounded once, with f called once
// for each possible value if there are more elements than that.
template <class E, class F>
void mapQuantized(const Value& x, const Value& y, F f) {
    static_assert(sizeof(E) == 1);
    const std::span<const E> from = x.as<E>();
    E* const to = y.mutableAs<E>().data();
    const auto realOf = [&](E stored) {
        return f(static_cast<float>(int32_t{stored} - x.zeroPoint) * x.scale);
    };
    std::array<float, 256> reals;
    if (from.size() <= reals.size()) {
        absl::c_transform(from, reals.begin(), realOf);
        return quantize(std::span(reals).first(from.size()), y, to);
    }
    for (size_t byte = 0; byte < reals.size(); ++byte) reals[byte] = realOf(static_cast<E>(byte));
    std::array<E, 256> results;
    quantize(reals, y, results.data());
    absl::c_transform(from, to, [&](E stored) { return results[static_cast<uint8_t>(stored)]; });
}

// y = f(x) for input 0 and output 0, which have one type: floats, or quantized in 8 bits.
template <class F>
void mapReals(KernelCall& op, F f) {
    switch (op.input(0).type) {
        case TENSOR_QUANT8_ASYMM:
            return mapQuantized<uint8_t>(op.input(0), op.output(0), f);
        case TENSOR_QUANT8_ASYMM_SIGNED:
            return mapQuantized<int8_t>(op.input(0), op.output(0), f);
        default: {
            const std::span<float> y = op.realOutput(0);
            absl::c_transform(op.reals(0), y.begin(), f);
            op.store(0, y);
        }
    }
}

}  // namespace nn::ops
