// Loops over elements, each for itself: between stored values, real numbers and factors. A part of
// vector_loops.h.
#pragma once

#include <cstring>

#include "op_support/kernels/vector_kernels.h"
#include "op_support/kernels/vector_types.h"

namespace nn::ops::NNAPI_INSTRUCTION_SET {

// ---- real numbers of stored values, and the reverse

template <class E>
inline void realsOf(std::span<const E> from, float scale, int32_t zeroPoint, float* to) {
    const auto zero = static_cast<float>(zeroPoint);
    const E* x = from.data();
    const size_t count = from.size();
    for (size_t i = 0; i < count; ++i) to[i] = (static_cast<float>(x[i]) - zero) * scale;
}

// round(x / scale), halves away from zero, in 32 bits, clamped far outside any stored type.
NNAPI_INLINE Vector<int32_t> rounded(Vector<float> x, float scale) {
    constexpr float kFar = 1 << 20;
    const Vector<float> far = kFar - Vector<float>{};
    x /= scale;
    x = x < far ? x : far;  // NaN as well
    x = x > -far ? x : -far;
    auto result = __builtin_convertvector(x, Vector<int32_t>);
    const Vector<float> rest = x - __builtin_convertvector(result, Vector<float>);  // exact
    result -= Vector<int32_t>(rest >= 0.5f);                                        // true is -1
    result += Vector<int32_t>(rest <= -0.5f);
    return result;
}

template <class E, int32_t kMin, int32_t kMax>
inline void quantize(std::span<const float> from, float scale, int32_t zeroPoint, E* to) {
    constexpr size_t kBlock = 64, kLanes = VectorOf<float>::kLanes;
    const float* x = from.data();
    float rest[kBlock] = {};
    int32_t stored[kBlock];
    for (size_t left = from.size(); left > 0;) {
        const size_t count = left < kBlock ? left : kBlock;
        if (count < kBlock) {
            std::memcpy(rest, x, count * sizeof(float));
            x = rest;
        }
        for (size_t i = 0; i < count; i += kLanes) {
            store(rounded(load<Vector<float>>(x + i), scale), stored + i);
        }
        for (size_t i = 0; i < count; ++i) {
            int32_t result = stored[i] + zeroPoint;
            result = result < kMin ? kMin : result;
            to[i] = static_cast<E>(result > kMax ? kMax : result);
        }
        x += count;
        to += count;
        left -= count;
    }
}

// ---- floats of 16 bits

// Calls map.run(x, y) for vectors of kLanes elements, the last of them filled up with zeros.
template <size_t kLanes, class X, class Y, class Map>
NNAPI_INLINE void mapVectors(std::span<const X> from, Y* y, const Map& map) {
    const X* x = from.data();
    const size_t count = from.size();
    size_t i = 0;
    for (; i + kLanes <= count; i += kLanes) map(x + i, y + i);
    if (i == count) return;
    X last[kLanes] = {};
    Y results[kLanes];
    std::memcpy(last, x + i, (count - i) * sizeof(X));
    map(last, results);
    std::memcpy(y + i, results, (count - i) * sizeof(Y));
}

// `a` in the slices where the mask is set, `b` in the others.
template <class V>
NNAPI_INLINE V choose(const Vector<int32_t>& mask, const V& a, const V& b) {
    return V((Vector<uint32_t>(mask) & Vector<uint32_t>(a)) |
             (~Vector<uint32_t>(mask) & Vector<uint32_t>(b)));
}

using Halves = typename VectorOf<uint16_t, kVectorBytes / 2>::Type;

NNAPI_INLINE void halvesToReals(const uint16_t* x, float* y) {
    using Bits = Vector<uint32_t>;
    const Bits bits = __builtin_convertvector(load<Halves>(x), Bits);
    const Bits magnitude = (bits & 0x7FFF) << 13;
    const Bits exponent = magnitude & (0x1Fu << 23);
    const Bits normal = magnitude + (112u << 23);
    // Values below 2^-14 have no leading one, so it is added and subtracted here.
    const Bits subnormal = Bits(Vector<float>(normal + (1u << 23)) - 0x1p-14f);
    Bits result = choose(exponent == 0, subnormal, normal);
    result = choose(exponent == (0x1Fu << 23), magnitude | 0x7F800000u, result);
    store(result | (bits & 0x8000) << 16, y);
}

NNAPI_INLINE void realsToHalves(const float* x, uint16_t* y) {
    using Bits = Vector<uint32_t>;
    const Bits bits = load<Bits>(x);
    const Bits magnitude = bits & 0x7FFFFFFFu;
    // Adding a half of the last place, or one less if that place is even, carries if the value
    // rounds up.
    const Bits normal = (magnitude - (112u << 23) + 0xFFF + (magnitude >> 13 & 1)) >> 13;
    // A unit of 0.5 is one of the least subnormal number, so that the addition rounds.
    const Bits subnormal = Bits(Vector<float>(magnitude) + 0.5f) - 0x3F000000u;
    Bits result = choose(magnitude < (113u << 23), subnormal, normal);
    result = choose(magnitude >= 0x477FF000u, Bits{} + 0x7C00, result);  // 2^16 or above
    result = choose(magnitude > 0x7F800000u, Bits{} + 0x7E00, result);   // NaN
    store(__builtin_convertvector(result | (bits >> 16 & 0x8000), Halves), y);
}

#if defined(NNAPI_HAS_AVX512)
// By instructions for 16 of them; these change a NaN in other ways.
inline constexpr size_t kHalves = 16;
NNAPI_INLINE bool hasNan(const __m512& reals) {
    return _mm512_cmp_ps_mask(reals, reals, _CMP_UNORD_Q) != 0;
}
NNAPI_INLINE void convertHalves(const uint16_t* x, float* y) {
    const __m512 reals = _mm512_maskz_cvtph_ps(0xFFFF, load<__m256i>(x));
    if (!hasNan(reals)) return store(reals, y);
    halvesToReals(x, y);
    halvesToReals(x + 8, y + 8);
}
NNAPI_INLINE void convertHalves(const float* x, uint16_t* y) {
    const __m512 reals = load<__m512>(x);
    if (!hasNan(reals)) {
        return store(_mm512_maskz_cvtps_ph(0xFFFF, reals, _MM_FROUND_TO_NEAREST_INT), y);
    }
    realsToHalves(x, y);
    realsToHalves(x + 8, y + 8);
}
#else
inline constexpr size_t kHalves = VectorOf<uint32_t>::kLanes;
NNAPI_INLINE void convertHalves(const uint16_t* x, float* y) { halvesToReals(x, y); }
NNAPI_INLINE void convertHalves(const float* x, uint16_t* y) { realsToHalves(x, y); }
#endif

inline void realsOfHalves(std::span<const uint16_t> from, float* to) {
    mapVectors<kHalves>(from, to,
                        [](const uint16_t* x, float* y) NNAPI_WRITTEN_OUT { convertHalves(x, y); });
}

inline void halvesOfReals(std::span<const float> from, uint16_t* to) {
    mapVectors<kHalves>(from, to,
                        [](const float* x, uint16_t* y) NNAPI_WRITTEN_OUT { convertHalves(x, y); });
}

// ---- functions of real numbers

// A polynomial, the coefficient of the highest power first.
template <class... Coefficients>
NNAPI_INLINE Reals polynomial(const Reals& x, double highest, Coefficients... others) {
    Reals sum = Reals{} + highest;
    ((sum = sum * x + others), ...);
    return sum;
}

// exp(x) for x in [-700, 700], to 10 digits: 2^n * exp(r) with r in [-ln 2 / 2, ln 2 / 2].
NNAPI_INLINE Reals exponential(const Reals& x) {
    using Integers = VectorOf<int64_t, kRealBytes>::Type;
    // Adding this rounds a number to an integer, found in the last bits of the sum.
    constexpr double kRounder = 0x1.8p52;
    const Reals shifted = x * 1.4426950408889634 + kRounder;
    const Reals r = x - (shifted - kRounder) * 0.6931471805599453;
    const Reals sum = polynomial(r, 1.0 / 40320, 1.0 / 5040, 1.0 / 720, 1.0 / 120, 1.0 / 24,
                                 1.0 / 6, 0.5, 1.0, 1.0);
    return Reals(Integers(sum) + (Integers(shifted) << 52));
}

// y[i] = f(x[i]), of doubles and rounded to float32.
template <class F>
NNAPI_INLINE void mapInDouble(std::span<const float> from, float* to, const F& f) {
    constexpr size_t kLanes = kRealBytes / sizeof(double);
    const auto map = [&](const float* x, float* y)
                             NNAPI_WRITTEN_OUT { store(toFloats(f(loadReals(x))), y); };
    mapVectors<kLanes>(from, to, map);
}

// x, limited to [-most, most].
NNAPI_INLINE Reals within(double most, const Reals& x) {
    const Reals far = most - Reals{};
    const Reals below = x > far ? far : x;
    return below < -far ? -far : below;
}

inline void logistic(std::span<const float> from, float* to) {
    mapInDouble(from, to, [](const Reals& x) NNAPI_WRITTEN_OUT {
        const Reals e = exponential(-within(150, x));  // beyond, the result is 0 or 1
        return x != x ? x : 1.0 / (1.0 + e);
    });
}

inline void exponentials(std::span<const float> from, float* to) {
    mapInDouble(from, to, [](const Reals& x) NNAPI_WRITTEN_OUT {
        const Reals e = exponential(within(150, x));  // beyond, the result is 0 or infinite
        return x != x ? x : e;
    });
}

// ln x = n * ln 2 + ln m, with x = 2^n * m and m in [sqrt(1/2), sqrt(2)); ln m = 2 artanh s, with
// s = (m - 1) / (m + 1).
inline void logarithms(std::span<const float> from, float* to) {
    using Integers = VectorOf<int64_t, kRealBytes>::Type;
    mapInDouble(from, to, [](const Reals& x) NNAPI_WRITTEN_OUT {
        constexpr int64_t kRootOfHalf = 0x3FE6A09E667F3BCD;  // as stored
        constexpr double kRounder = 0x1.8p52;
        const Integers n = (Integers(x) - kRootOfHalf) >> 52;
        const Reals m = Reals(Integers(x) - (n << 52));
        const Reals s = (m - 1.0) / (m + 1.0);
        const Reals square = s * s;
        const Reals sum =
                polynomial(square, 1.0 / 13, 1.0 / 11, 1.0 / 9, 1.0 / 7, 1.0 / 5, 1.0 / 3, 1.0);
        const Reals exponent = Reals(Integers(Reals{} + kRounder) + n) - kRounder;
        const Reals result = exponent * 0.6931471805599453 + 2.0 * s * sum;
        const Reals infinity = Reals{} + __builtin_inf();
        const Reals positive = x < infinity ? result : x;
        const Reals other = x == 0.0 ? -infinity : Reals{} + __builtin_nan("");
        return x > 0.0 ? positive : other;
    });
}

// sin x = (-1)^n * sin r, with x = n * pi + r and r in [-pi / 2, pi / 2].
inline void sines(std::span<const float> from, float* to) {
    using Integers = VectorOf<int64_t, kRealBytes>::Type;
    mapInDouble(from, to, [](const Reals& x) NNAPI_WRITTEN_OUT {
        constexpr double kRounder = 0x1.8p52;
        constexpr double kPi = 0x1.921fb544p+1;  // so short that its products with n are exact
        constexpr double kRest = 0x1.0b4611a626331p-33;
        const Reals shifted = x * 0.3183098861837907 + kRounder;
        const Reals n = shifted - kRounder;
        const Reals r = x - n * kPi - n * kRest;
        const Reals square = r * r;
        const Reals sum =
                polynomial(square, -1.0 / 1307674368000, 1.0 / 6227020800, -1.0 / 39916800,
                           1.0 / 362880, -1.0 / 5040, 1.0 / 120, -1.0 / 6, 1.0);
        return Reals(Integers(sum * r) ^ (Integers(shifted) << 63));
    });
}

NNAPI_INLINE Vector<float> root(const Vector<float>& x) {
#if defined(NNAPI_HAS_AVX2)
    return _mm256_sqrt_ps(x);
#elif defined(NNAPI_HAS_SSE2)
    return _mm_sqrt_ps(x);
#elif defined(NNAPI_HAS_NEON)
    return vsqrtq_f32(x);
#else
    Vector<float> roots;
    for (size_t i = 0; i < VectorOf<float>::kLanes; ++i) roots[i] = __builtin_sqrtf(x[i]);
    return roots;
#endif
}

inline void roots(std::span<const float> from, float* to) {
    const auto map = [](const float* x, float* y)
                             NNAPI_WRITTEN_OUT { store(root(load<Vector<float>>(x)), y); };
    mapVectors<VectorOf<float>::kLanes>(from, to, map);
}

inline void inverseRoots(std::span<const float> from, float* to) {
    const auto map = [](const float* x, float* y)
                             NNAPI_WRITTEN_OUT { store(1.0f / root(load<Vector<float>>(x)), y); };
    mapVectors<VectorOf<float>::kLanes>(from, to, map);
}

// x = n * ln 2 + r, with r in [-ln 2 / 2, ln 2 / 2].
struct Reduced {
    using Integers = VectorOf<int64_t, kRealBytes>::Type;
    Integers n;  // in the low bits
    Reals r;

    NNAPI_INLINE explicit Reduced(const Reals& x) {
        constexpr double kRounder = 0x1.8p52;
        const Reals shifted = x * 1.4426950408889634 + kRounder;
        n = Integers(shifted);
        r = x - (shifted - kRounder) * 0.6931471805599453;
    }

    // 2^n
    NNAPI_INLINE Reals power() const { return Reals(Integers(Reals{} + 1.0) + (n << 52)); }

    // exp(r) - 1, to 14 digits also where r is small
    NNAPI_INLINE Reals exponentialLessOne() const {
        const Reals sum = polynomial(r, 1.0 / 39916800, 1.0 / 3628800, 1.0 / 362880, 1.0 / 40320,
                                     1.0 / 5040, 1.0 / 720, 1.0 / 120, 1.0 / 24, 1.0 / 6, 0.5, 1.0);
        return sum * r;
    }
};

// exp(x), to 13 digits; exp(700) for larger x, exp(-700) for smaller x
NNAPI_INLINE Reals exactExponential(const Reals& x) {
    const Reduced reduced(within(700, x));
    return reduced.power() * (1.0 + reduced.exponentialLessOne());
}

template <class F>
NNAPI_INLINE void mapDoubles(std::span<double> values, const F& f) {
    const auto map = [&](const double* from, double* to) NNAPI_WRITTEN_OUT {
        const Reals x = load<Reals>(from);
        const Reals result = f(x);
        store(x != x ? x : result, to);
    };
    mapVectors<kRealBytes / sizeof(double)>(std::span<const double>(values), values.data(), map);
}

inline void exponentialOf(std::span<double> values) {
    mapDoubles(values, [](const Reals& x) NNAPI_WRITTEN_OUT { return exactExponential(x); });
}

inline void logisticOf(std::span<double> values) {
    mapDoubles(values,
               [](const Reals& x) NNAPI_WRITTEN_OUT { return 1.0 / (1.0 + exactExponential(-x)); });
}

// (e - 1) / (e + 1) with e = exp(2 |x|), and the sign of x.
inline void tanhOf(std::span<double> values) {
    using Integers = Reduced::Integers;
    mapDoubles(values, [](const Reals& x) NNAPI_WRITTEN_OUT {
        const Integers sign = Integers(x) & INT64_MIN;
        const Reals magnitude = Reals(Integers(x) ^ sign);
        const Reals far = 20.0 - Reals{};  // the result is 1 from here
        const Reduced twice(2.0 * (magnitude < far ? magnitude : far));
        const Reals power = twice.power();
        const Reals e = power * twice.exponentialLessOne() + (power - 1.0);  // less one
        return Reals(Integers(e / (e + 2.0)) | sign);
    });
}

// ---- bounds

template <class E, class Range>
inline void clampAll(std::span<const E> from, Range range, E* y) {
    const auto least = static_cast<E>(range.least), most = static_cast<E>(range.most);
    const E* x = from.data();
    const size_t count = from.size();
    for (size_t i = 0; i < count; ++i) {
        const E above = x[i] < least ? least : x[i];
        y[i] = above > most ? most : above;
    }
}

struct Plus {
    NNAPI_INLINE float operator()(float a, float b) const { return a + b; }
};
struct Minus {
    NNAPI_INLINE float operator()(float a, float b) const { return a - b; }
};
struct Times {
    NNAPI_INLINE float operator()(float a, float b) const { return a * b; }
};
struct DividedBy {
    NNAPI_INLINE float operator()(float a, float b) const { return a / b; }
};

template <class F>
inline void combine(const float* a, size_t strideA, const float* b, size_t strideB, size_t count,
                    RealRange range, float* y) {
    const float least = range.least, most = range.most;
    const auto clamped = [=](float x, float z) NNAPI_WRITTEN_OUT {
        const float result = F()(x, z);
        const float above = result < least ? least : result;
        return above > most ? most : above;
    };
    if (strideA == 0) {
        const float x = *a;
        for (size_t i = 0; i < count; ++i) y[i] = clamped(x, b[i]);
    } else if (strideB == 0) {
        const float z = *b;
        for (size_t i = 0; i < count; ++i) y[i] = clamped(a[i], z);
    } else {
        for (size_t i = 0; i < count; ++i) y[i] = clamped(a[i], b[i]);
    }
}

// (|sum| + half of count) / count, rounded down. It multiplies by the inverse of count: half of one
// more keeps each product away from the integers, by more than it is wrong.
template <class E>
inline void averageAll(std::span<const int32_t> from, int32_t count, StoredRange range, E* y) {
    const int32_t* sums = from.data();
    const size_t size = from.size();
    const double inverse = count == 0 ? 0 : 1.0 / count;
    const int32_t halves = count / 2;
    const double half = halves + 0.5;
    const int32_t least = range.least, most = count == 0 ? least : range.most;
    for (size_t i = 0; i < size; ++i) {
        const double sum = sums[i];
        const auto quotient = static_cast<int32_t>(((sum < 0 ? -sum : sum) + half) * inverse);
        const int32_t rounded = sum < 0 ? -quotient : quotient;
        const int32_t above = rounded < least ? least : rounded;
        y[i] = static_cast<E>(above > most ? most : above);
    }
}

// ---- conversions

template <class E, size_t kLanes>
struct AxisSlices {
    typedef E Type __attribute__((vector_size(kLanes * sizeof(E))));
};

// to[i] = from[i] - zeroPoint for kLanes elements
template <size_t kLanes, class E, class Factor>
NNAPI_INLINE void widenLanes(const E* from, Factor zeroPoint, Factor* to) {
    using Factors = typename AxisSlices<Factor, kLanes>::Type;
    const auto elements = load<typename AxisSlices<E, kLanes>::Type>(from);
    if constexpr (std::is_same_v<Factor, double>) {
        store(__builtin_convertvector(elements, Factors), to);
    } else {
        store(__builtin_convertvector(elements, Factors) - zeroPoint, to);
    }
}

// The same for any number; the last vector may overlap the one before.
template <class E, class Factor>
NNAPI_INLINE void widenRun(const E* from, size_t count, Factor zeroPoint, Factor* to) {
    constexpr size_t kLanes = sizeof(Factor) <= 2 ? 8 : VectorOf<Factor>::kLanes;
    size_t i = 0;
    if constexpr (sizeof(Factor) == 1) {
        for (; i + 16 <= count; i += 16) widenLanes<16>(from + i, zeroPoint, to + i);
    }
    if constexpr (!std::is_same_v<Factor, float>) {  // there the plain loop is as good
        for (; i + kLanes <= count; i += kLanes) widenLanes<kLanes>(from + i, zeroPoint, to + i);
        if (i == count) return;
        if (count > kLanes) {
            i = count - kLanes;
            return widenLanes<kLanes>(from + i, zeroPoint, to + i);
        }
    }
    for (; i < count; ++i) {
        to[i] = static_cast<Factor>(static_cast<Factor>(from[i]) - zeroPoint);
    }
}

template <class E, class Factor>
inline void widen(const Patches<E>& patches, int32_t zeroPoint, Factor* to) {
    const Patches<E> p = patches;  // no store can change it
    const auto zero = static_cast<Factor>(zeroPoint);
    for (size_t n = 0; n < p.count; ++n) {
        for (size_t a = 0; a < p.rows; ++a) {
            widenRun(p.x + n * p.xStep + a * p.xRow, p.size, zero, to + n * p.toStep + a * p.toRow);
        }
    }
}

}  // namespace nn::ops::NNAPI_INSTRUCTION_SET
