// Vector types of the instruction set that the including file is compiled for, and their
// operations. As in vector_loops.h, each instruction set has its own namespace.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <type_traits>
#include <utility>

#if defined(__SSE2__) && !defined(NNAPI_WITHOUT_INTRINSICS)
#include <immintrin.h>
#define NNAPI_HAS_SSE2
#endif
#if defined(__AVX2__) && defined(__FMA__) && !defined(NNAPI_WITHOUT_INTRINSICS)
#define NNAPI_HAS_AVX2
#endif
#if defined(__AVX512F__) && defined(__AVX512VL__) && defined(__AVX512VNNI__) && \
        defined(NNAPI_HAS_AVX2)
#define NNAPI_HAS_AVX512
#endif
#if defined(__aarch64__) && defined(__ARM_NEON) && !defined(NNAPI_WITHOUT_INTRINSICS)
#include <arm_neon.h>
#define NNAPI_HAS_NEON
#endif
#if defined(NNAPI_HAS_NEON) && defined(__ARM_FEATURE_DOTPROD)
#define NNAPI_HAS_DOTPROD
#endif
#if defined(NNAPI_HAS_DOTPROD) && defined(__ARM_FEATURE_MATMUL_INT8)
#define NNAPI_HAS_I8MM
#endif

#define NNAPI_INLINE __attribute__((always_inline)) inline
#define NNAPI_WRITTEN_OUT __attribute__((always_inline))

namespace nn::ops::NNAPI_INSTRUCTION_SET {

// Calls f<i>() for i from 0 on, each written out: vectors in an array stay in registers only where
// their index is known.
template <class F, size_t... kIndexes>
NNAPI_INLINE void writeOut(const F& f, std::index_sequence<kIndexes...>) {
    (f.template operator()<kIndexes>(), ...);
}
template <size_t kCount, class F>
NNAPI_INLINE void writeOut(const F& f) {
    writeOut(f, std::make_index_sequence<kCount>());
}

// ---- vectors, with all that the tiles need of them

// Matrix products sum doubles or 32-bit integers; this many rows of sums fit the registers.
#if defined(NNAPI_HAS_AVX2)
inline constexpr size_t kVectorBytes = 32;
inline constexpr size_t kRealRows = 6, kIntegerRows = 6;
#else
inline constexpr size_t kVectorBytes = 16;
#if defined(NNAPI_HAS_NEON)
inline constexpr size_t kRealRows = 6, kIntegerRows = 6;  // NEON has twice the registers of SSE2
#else
inline constexpr size_t kRealRows = 3, kIntegerRows = 4;
#endif
#endif
#if defined(NNAPI_HAS_AVX512)
inline constexpr size_t kRealBytes = 64;
#else
inline constexpr size_t kRealBytes = kVectorBytes;
#endif

template <class E, size_t kBytes = kVectorBytes>
struct VectorOf {
    static constexpr size_t kLanes = kBytes / sizeof(E);
    typedef E Type __attribute__((vector_size(kBytes)));
};
template <class E>
using Vector = typename VectorOf<E>::Type;

template <class V, class E>
NNAPI_INLINE V load(const E* from) {
    V vector;
    std::memcpy(&vector, from, sizeof vector);
    return vector;
}
template <class V, class E>
NNAPI_INLINE void store(const V& vector, E* to) {
    std::memcpy(to, &vector, sizeof vector);
}

// sum += factor * b in each lane. The factors come from float32, whose product is exact in double:
// one rounding or two make no difference.
using Reals = VectorOf<double, kRealBytes>::Type;
NNAPI_INLINE Reals loadFactors(const double* from) { return load<Reals>(from); }

// Floats as doubles and back. gcc converts vectors of 64 bytes in parts, and warns about lanes that
// the plain intrinsics leave undefined.
using Floats = VectorOf<float, kRealBytes / 2>::Type;
NNAPI_INLINE Reals toReals(const Floats& floats) {
#if defined(NNAPI_HAS_AVX512)
    return _mm512_maskz_cvtps_pd(0xFF, floats);
#else
    return __builtin_convertvector(floats, Reals);
#endif
}
NNAPI_INLINE Reals loadReals(const double* from) { return load<Reals>(from); }
NNAPI_INLINE Reals loadReals(const float* from) { return toReals(load<Floats>(from)); }
NNAPI_INLINE Floats toFloats(const Reals& reals) {
#if defined(NNAPI_HAS_AVX512)
    return _mm512_maskz_cvtpd_ps(0xFF, reals);
#else
    return __builtin_convertvector(reals, Floats);
#endif
}

NNAPI_INLINE Reals splat(const double* factor) {
#if defined(NNAPI_HAS_AVX512)
    return _mm512_set1_pd(*factor);
#elif defined(NNAPI_HAS_AVX2)
    return _mm256_set1_pd(*factor);
#else
    return Reals{*factor, *factor};
#endif
}
NNAPI_INLINE void addProducts(const Reals& factor, const Reals& b, Reals& sum) {
#if defined(NNAPI_HAS_AVX512)
    sum = _mm512_fmadd_pd(factor, b, sum);
#elif defined(NNAPI_HAS_AVX2)
    sum = _mm256_fmadd_pd(factor, b, sum);
#elif defined(NNAPI_HAS_NEON)
    sum = vfmaq_f64(sum, factor, b);
#else
    sum += factor * b;
#endif
}

// Two factors for each of a vector's sums.
using Sums = Vector<uint32_t>;  // modulo 2^32
using Pairs = Vector<int16_t>;

// sum[i] += factors[0] * b[2 * i] + factors[1] * b[2 * i + 1]
#if defined(NNAPI_HAS_NEON)
// The first factors of all sums, and the second ones: products are added immediately.
NNAPI_INLINE int16x4x2_t loadFactors(const int16_t* from) { return vld2_s16(from); }
NNAPI_INLINE int16x4_t splat(const int16_t* factors) {
    int32_t both;
    std::memcpy(&both, factors, sizeof both);
    return vreinterpret_s16_s32(vdup_n_s32(both));
}
NNAPI_INLINE void addProducts(int16x4_t factors, const int16x4x2_t& b, Sums& sum) {
    const int32x4_t first = vmlal_lane_s16(int32x4_t(sum), b.val[0], factors, 0);
    sum = Sums(vmlal_lane_s16(first, b.val[1], factors, 1));
}
#else
NNAPI_INLINE Pairs loadFactors(const int16_t* from) { return load<Pairs>(from); }
NNAPI_INLINE Pairs splat(const int16_t* factors) {
    int32_t both;
    std::memcpy(&both, factors, sizeof both);
#if defined(NNAPI_HAS_AVX2)
    return Pairs(_mm256_set1_epi32(both));
#else
    return Pairs(Vector<int32_t>{both, both, both, both});
#endif
}
NNAPI_INLINE void addProducts(const Pairs& factors, const Pairs& b, Sums& sum) {
#if defined(NNAPI_HAS_AVX512)
    sum = Sums(_mm256_dpwssd_epi32(__m256i(sum), __m256i(factors), __m256i(b)));
#elif defined(NNAPI_HAS_AVX2)
    sum += Sums(_mm256_madd_epi16(__m256i(factors), __m256i(b)));
#elif defined(NNAPI_HAS_SSE2)
    sum += Sums(_mm_madd_epi16(__m128i(factors), __m128i(b)));
#else
    for (size_t i = 0; i < VectorOf<uint32_t>::kLanes; ++i) {
        sum[i] += static_cast<uint32_t>(factors[2 * i] * b[2 * i] +
                                        factors[2 * i + 1] * b[2 * i + 1]);
    }
#endif
}
#endif

// Four factors of one byte for each of a vector's sums; those of b are signed.
using Quads = Vector<int8_t>;
#if defined(NNAPI_HAS_NEON)
inline constexpr bool kAreBytesSigned = true;  // there is no instruction for bytes of both kinds
#else
inline constexpr bool kAreBytesSigned = false;
#endif

NNAPI_INLINE Quads loadFactors(const int8_t* from) { return load<Quads>(from); }
NNAPI_INLINE Quads splat(const uint8_t* factors) {
    uint32_t four;
    std::memcpy(&four, factors, sizeof four);
    return Quads(four - Sums{});
}

// sum[i] += factors[0] * b[4 * i] + ... + factors[3] * b[4 * i + 3]
NNAPI_INLINE void addProducts(const Quads& factors, const Quads& b, Sums& sum) {
#if defined(NNAPI_HAS_AVX512)
    sum = Sums(_mm256_dpbusd_epi32(__m256i(sum), __m256i(factors), __m256i(b)));
#elif defined(NNAPI_HAS_DOTPROD)
    sum = Sums(vdotq_s32(int32x4_t(sum), int8x16_t(factors), int8x16_t(b)));
#else
    for (size_t i = 0; i < sizeof factors; ++i) {
        const int factor = kAreBytesSigned ? factors[i] : static_cast<uint8_t>(factors[i]);
        sum[i / 4] += static_cast<uint32_t>(factor * b[i]);
    }
#endif
}

// Stored values as factors. gcc converts vectors of 32 bytes in parts.
template <class E>
NNAPI_INLINE Pairs loadStored(const E* from) {
#if defined(NNAPI_HAS_AVX2)
    const auto stored = load<__m128i>(from);
    return Pairs(std::is_signed_v<E> ? _mm256_cvtepi8_epi16(stored) : _mm256_cvtepu8_epi16(stored));
#else
    return __builtin_convertvector(load<typename VectorOf<E, kVectorBytes / 2>::Type>(from), Pairs);
#endif
}

// Adds the products a[i] * b[i], two to each of the sums.
NNAPI_INLINE void addEachProduct(const Pairs& a, const Pairs& b, Sums& sum) {
#if defined(NNAPI_HAS_NEON)
    const int16x8_t left(a), right(b);
    const int32x4_t first = vmlal_s16(int32x4_t(sum), vget_low_s16(left), vget_low_s16(right));
    sum = Sums(vmlal_high_s16(first, left, right));
#else
    addProducts(a, b, sum);
#endif
}

}  // namespace nn::ops::NNAPI_INSTRUCTION_SET
