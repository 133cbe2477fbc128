// Applies a function to each element of a tensor.
//
//   mapReals(op, [](float x) { return std::tanh(x); });
#pragma once

#include <absl/algorithm/container.h>

#include <array>
#include <cstdint>
#include <limits>

#include "opkit/kernels/kernel_call.h"
#include "opkit/rules/quantization.h"

namespace nn::ops {

// y = f(x) for the stored values of 8 bits, with f called once for each possible value; where
// elements are not many, only for those that there are.
template <class E, class F>
void mapBytes(std::span<const E> x, std::span<E> y, F f) {
    static_assert(sizeof(E) == 1);
    std::array<E, 256> results;
    if (x.size() <= results.size()) {
        absl::c_transform(x, y.begin(), [&](E stored) { return f(int32_t{stored}); });
        return;
    }
    constexpr size_t kMany = size_t{1} << 14;
    std::array<bool, 256> isThere;
    isThere.fill(x.size() > kMany);
    if (x.size() <= kMany) {
        for (const E stored : x) isThere[static_cast<uint8_t>(stored)] = true;
    }
    for (int32_t stored = std::numeric_limits<E>::min(); stored <= std::numeric_limits<E>::max();
         ++stored) {
        const auto byte = static_cast<uint8_t>(stored);
        if (isThere[byte]) results[byte] = f(stored);
    }
    absl::c_transform(x, y.begin(),
                      [&](E stored) { return results[static_cast<uint8_t>(stored)]; });
}

// y = f(x) in stored values of 8 bits that stand for real numbers, rounded once.
template <class E, class F>
void mapQuantized(const Value& x, const Value& y, F f) {
    mapBytes(x.as<E>(), y.mutableAs<E>(), [&](int32_t stored) {
        const auto real = static_cast<float>(stored - x.zeroPoint) * x.scale;
        return quantized<E>(f(real), y.scale, y.zeroPoint);
    });
}

// y = f(x) for input 0 and output 0, which have one type: floats, or quantised in 8 bits.
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
