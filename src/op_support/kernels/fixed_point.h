// Numbers of 16 bits with a fixed point, as the quantized recurrent operations define them: a
// stored value in Q(k) is a real value times 2^(15 - k), so that k bits are before the point. Every
// step rounds as the definition of these operations requires, since their results must match it bit
// by bit.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <span>

namespace nn::ops {

// The value in 16 bits that is nearest.
inline int16_t saturate16(int64_t x) {
    return static_cast<int16_t>(std::clamp<int64_t>(x, std::numeric_limits<int16_t>::min(),
                                                    std::numeric_limits<int16_t>::max()));
}

// round(a * b / 2^15), halves upward: the product of Q(j) and Q(k), in Q(j + k).
inline int16_t multiply16(int16_t a, int16_t b) {
    return saturate16((int32_t{a} * b + (1 << 14)) >> 15);
}

// 1 / (1 + exp(-x)) and tanh x in Q(0), for x in Q(integerBits) with 0 to 6 integer bits.
int16_t sigmoid16(int16_t x, int integerBits);
int16_t tanh16(int16_t x, int integerBits);

// sum_i (a[i] - zeroA) * (b[i] - zeroB) modulo 2^32, for spans of one size.
template <class A, class B>
uint32_t dotModulo(std::span<const A> a, int32_t zeroA, std::span<const B> b, int32_t zeroB) {
    uint32_t sum = 0;
    for (size_t i = 0; i < a.size(); ++i) {
        sum += static_cast<uint32_t>((a[i] - zeroA) * (b[i] - zeroB));
    }
    return sum;
}

}  // namespace nn::ops
