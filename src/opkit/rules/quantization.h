// Quantised arithmetic with its rounding, stated once: real = (stored - zeroPoint) * scale.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>

namespace nn::ops {

// The stored value nearest to a real one: zeroPoint + round(real / scale), halves away from zero,
// saturated to the range of the stored type. NaN becomes its largest value.
template <class E>
E quantized(float real, float scale, int32_t zeroPoint) {
    static_assert(sizeof(E) <= 2);
    constexpr float kFar = 0x1p22f;  // no stored value is so far from a zero point
    float units = real / scale;
    units = units < kFar ? units : kFar;  // NaN as well
    units = units > -kFar ? units : -kFar;
    const auto whole = static_cast<int32_t>(units);
    const float rest = units - static_cast<float>(whole);  // exact
    const int64_t stored = int64_t{whole} + (rest >= 0.5f) - (rest <= -0.5f) + zeroPoint;
    return static_cast<E>(std::clamp<int64_t>(stored, std::numeric_limits<E>::min(),
                                              std::numeric_limits<E>::max()));
}

// A real multiplier as significand * 2^(exponent - 31), with the significand in [2^30, 2^31).
struct FixedMultiplier {
    int32_t significand = 0;
    int32_t exponent = 0;

    // Zero for multipliers up to 2^-32, from 2^31 on, and those that are not finite.
    static FixedMultiplier of(double multiplier) {
        if (!(multiplier > 0) || !(multiplier < 0x1p31)) return {};
        FixedMultiplier fixed;
        const double fraction = std::frexp(multiplier, &fixed.exponent);  // in [0.5, 1)
        int64_t significand = std::llround(fraction * 0x1p31);
        if (significand == int64_t{1} << 31) {
            significand /= 2;
            ++fixed.exponent;
        }
        if (fixed.exponent < -31) return {};
        fixed.significand = static_cast<int32_t>(significand);
        return fixed;
    }
};

// The sum modulo 2^32.
inline int32_t addWrapping(int32_t a, int32_t b) {
    return static_cast<int32_t>(static_cast<uint32_t>(a) + static_cast<uint32_t>(b));
}

// round(a * b / 2^31), halves upward; the only product that does not fit saturates.
inline int32_t doublingHighMultiply(int32_t a, int32_t b) {
    if (a == std::numeric_limits<int32_t>::min() && b == a)
        return std::numeric_limits<int32_t>::max();
    return static_cast<int32_t>((int64_t{a} * b + (int64_t{1} << 30)) >> 31);
}

// round(x / 2^exponent), halves away from zero; exponent in [0, 31].
inline int32_t roundingDivideByPowerOfTwo(int32_t x, int32_t exponent) {
    if (exponent == 0) return x;
    const int64_t half = int64_t{1} << (exponent - 1);
    const int64_t magnitude = ((x < 0 ? -int64_t{x} : int64_t{x}) + half) >> exponent;
    return static_cast<int32_t>(x < 0 ? -magnitude : magnitude);
}

// x times a multiplier, rounded twice as the fixed-point reference does. Saturates instead of
// wrapping where the left shift leaves 32 bits.
inline int32_t multiply(int32_t x, FixedMultiplier m) {
    const int32_t left = std::max(m.exponent, 0);
    const int64_t shifted = std::clamp<int64_t>(int64_t{x} * (int64_t{1} << left),
                                                std::numeric_limits<int32_t>::min(),
                                                std::numeric_limits<int32_t>::max());
    return roundingDivideByPowerOfTwo(
            doublingHighMultiply(static_cast<int32_t>(shifted), m.significand),
            std::max(-m.exponent, 0));
}

// The range to which a fused activation limits a float result.
struct RealRange {
    float least;
    float most;
    float clamp(float x) const { return std::min(std::max(x, least), most); }
};

// The code is that of FusedActivationFunc; codes other than 1 to 3 only limit to finite numbers.
inline RealRange activationRange(int32_t code) {
    constexpr float kMax = std::numeric_limits<float>::max();
    switch (code) {
        case 1:
            return {0.0f, kMax};
        case 2:
            return {-1.0f, 1.0f};
        case 3:
            return {0.0f, 6.0f};
        default:
            return {-kMax, kMax};
    }
}

// The range to which a fused activation limits stored values of type E.
struct StoredRange {
    int32_t least;
    int32_t most;
    template <class I>
    int32_t clamp(I x) const {
        return static_cast<int32_t>(std::clamp<I>(x, least, most));
    }
};

template <class E>
StoredRange activationRange(int32_t code, float scale, int32_t zeroPoint) {
    const RealRange real = activationRange(code);
    const auto stored = [&](float bound) { return int32_t{quantized<E>(bound, scale, zeroPoint)}; };
    return {stored(real.least), stored(real.most)};
}

}  // namespace nn::ops
