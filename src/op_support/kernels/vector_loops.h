// Defines the functions of vector_kernels.h for the instruction set that the including file is
// compiled for:
//
//   #define NNAPI_INSTRUCTION_SET avx2      // a namespace of its own
//   #include "op_support/kernels/vector_loops.h"
//
// These loops call only functions of this file: a function that files of several instruction sets
// share would exist once in the program, perhaps with instructions that the processor lacks.
#pragma once

#include <cstring>

#include "op_support/kernels/vector_elements.h"
#include "op_support/kernels/vector_kernels.h"
#include "op_support/kernels/vector_types.h"

namespace nn::ops::NNAPI_INSTRUCTION_SET {

// ---- matrix products

// Calls tile.run<rows>(m) for rows 0 to `rows`, at most kMax at once and about as many each time.
template <size_t kMax, class Tile>
NNAPI_INLINE void forEachTile(size_t rows, const Tile& tile) {
    static_assert(kMax <= 6);
    for (size_t m = 0, left = (rows + kMax - 1) / kMax; left > 0; --left) {
        const size_t count = (rows - m + left - 1) / left;
        switch (count) {
            case 1:
                tile.template run<1>(m);
                break;
            case 2:
                tile.template run<2>(m);
                break;
            case 3:
                tile.template run<3>(m);
                break;
            case 4:
                tile.template run < kMax<4 ? 1 : 4>(m);
                break;
            case 5:
                tile.template run < kMax<5 ? 1 : 5>(m);
                break;
            default:
                tile.template run < kMax<6 ? 1 : 6>(m);
                break;
        }
        m += count;
    }
}

inline constexpr size_t kColumns = 8;  // of a block of packed b

// The terms of a sum other than products.
struct NoTerms {
    template <class SumVector>
    NNAPI_INLINE SumVector addTo(const SumVector& sum, size_t, size_t) const {
        return sum;
    }
};
struct RowAndColumnTerms {
    const int32_t* rows;
    const int32_t* columns;
    NNAPI_INLINE Sums addTo(const Sums& sum, size_t m, size_t n) const {
        return sum + load<Sums>(columns + n) + static_cast<uint32_t>(rows[m]);
    }
};

// Tiles of c, with the sums in registers. A block keeps kStep factors of a sum side by side.
template <class A, class B, class Sum, class SumVector, size_t kStep, class Terms = NoTerms>
struct Product {
    Matrix<const A> a;
    const B* packed;
    Matrix<Sum> c;
    Terms terms{};

    static constexpr size_t kLanes = sizeof(SumVector) / sizeof(Sum);
    static constexpr size_t kVectors = kColumns / kLanes;  // of a block

    template <size_t kRows>
    NNAPI_INLINE void run(size_t m) const {
        // As many sums as fit the registers, and enough to hide the latency of additions.
        constexpr size_t kBlocks = kVectors == 1 ? 2 : 1;
        size_t n = 0;
        for (; n + kBlocks * kColumns <= c.columns; n += kBlocks * kColumns) {
            sum<kRows, kBlocks>(m, n);
        }
        for (; n < c.columns; n += kColumns) sum<kRows, 1>(m, n);
    }

    template <size_t kRows, size_t kBlocks>
    NNAPI_INLINE void sum(size_t m, size_t n) const {
        constexpr size_t kWide = kBlocks * kVectors;
        const A* row = a.data + m * a.stride;
        const B* block = packed + n * a.columns;
        SumVector sums[kRows * kWide];
        writeOut<kRows * kWide>([&]<size_t i>() NNAPI_WRITTEN_OUT { sums[i] = SumVector{}; });
        for (size_t k = 0; k < a.columns; k += kStep, block += kColumns * kStep) {
            decltype(loadFactors(block)) b[kWide];
            writeOut<kWide>([&]<size_t v>() NNAPI_WRITTEN_OUT {
                b[v] = loadFactors(block + v / kVectors * kColumns * a.columns +
                                   v % kVectors * kLanes * kStep);
            });
            writeOut<kRows>([&]<size_t r>() NNAPI_WRITTEN_OUT {
                const auto factor = splat(row + r * a.stride + k);
                writeOut<kWide>([&]<size_t v>() NNAPI_WRITTEN_OUT {
                    addProducts(factor, b[v], sums[r * kWide + v]);
                });
            });
        }
        writeOut<kRows * kWide>([&]<size_t i>() NNAPI_WRITTEN_OUT {
            const size_t r = m + i / kWide, first = n + i % kWide * kLanes;
            store(terms.addTo(sums[i], r, first), c.data + r * c.stride + first);
        });
    }
};

inline void multiplyReals(Matrix<const double> a, const double* packed, Matrix<double> c) {
    forEachTile<kRealRows>(a.rows, Product<double, double, double, Reals, 1>{a, packed, c});
}

inline void multiplyIntegers(Matrix<const int16_t> a, const int16_t* packed, Matrix<int32_t> c) {
    forEachTile<kIntegerRows>(a.rows, Product<int16_t, int16_t, int32_t, Sums, 2>{a, packed, c});
}

#if defined(NNAPI_HAS_I8MM)
// Tiles of two rows and two columns of c, to which an instruction adds eight products each.
struct SquareProduct {
    Matrix<const uint8_t> a;
    const int8_t* packed;
    Matrix<int32_t> c;
    RowAndColumnTerms terms;

    template <size_t kRows>
    NNAPI_INLINE void run(size_t m) const {
        for (size_t n = 0; n < c.columns; n += kColumns) sum<kRows>(m, n);
    }

    template <size_t kRows>
    NNAPI_INLINE void sum(size_t m, size_t n) const {
        constexpr size_t kStep = 8, kPairs = (kRows + 1) / 2, kWide = kColumns / 2;
        const uint8_t* row = a.data + m * a.stride;
        const int8_t* block = packed + n * a.columns;
        int32x4_t sums[kPairs * kWide];
        writeOut<kPairs * kWide>([&]<size_t i>() NNAPI_WRITTEN_OUT { sums[i] = int32x4_t{}; });
        for (size_t k = 0; k < a.columns; k += kStep, block += kColumns * kStep) {
            int8x16_t b[kWide];
            writeOut<kWide>([&]<size_t v>()
                                    NNAPI_WRITTEN_OUT { b[v] = vld1q_s8(block + v * 2 * kStep); });
            writeOut<kPairs>([&]<size_t r>() NNAPI_WRITTEN_OUT {
                const uint8_t* first = row + 2 * r * a.stride + k;
                const uint8_t* second = 2 * r + 1 < kRows ? first + a.stride : first;
                const auto factors = int8x16_t(vcombine_u8(vld1_u8(first), vld1_u8(second)));
                writeOut<kWide>([&]<size_t v>() NNAPI_WRITTEN_OUT {
                    sums[r * kWide + v] = vmmlaq_s32(sums[r * kWide + v], factors, b[v]);
                });
            });
        }
        // Two squares side by side make a vector of either row.
        writeOut<kPairs * kWide / 2>([&]<size_t i>() NNAPI_WRITTEN_OUT {
            const auto left = int64x2_t(sums[2 * i]), right = int64x2_t(sums[2 * i + 1]);
            const size_t r = m + i / (kWide / 2) * 2, first = n + i % (kWide / 2) * 4;
            storeRow(Sums(vzip1q_s64(left, right)), r, first);
            if (r + 1 < m + kRows) storeRow(Sums(vzip2q_s64(left, right)), r + 1, first);
        });
    }

    NNAPI_INLINE void storeRow(const Sums& sums, size_t m, size_t n) const {
        store(terms.addTo(sums, m, n), c.data + m * c.stride + n);
    }
};
inline constexpr size_t kByteDepth = 8;
using ByteProduct = SquareProduct;
#else
inline constexpr size_t kByteDepth = 4;
using ByteProduct = Product<uint8_t, int8_t, int32_t, Sums, kByteDepth, RowAndColumnTerms>;
#endif

inline void multiplyBytes(const ByteFactors& factors, Matrix<int32_t> c) {
    forEachTile<kIntegerRows>(
            factors.a.rows,
            ByteProduct{factors.a, factors.packed, c, {factors.rowTerms, factors.columnTerms}});
}

inline void sumRows(Matrix<const uint8_t> a, int32_t* sums) {
    const Quads ones = 1 - Quads{};
    for (size_t m = 0; m < a.rows; ++m) {
        const uint8_t* row = a.data + m * a.stride;
        Sums lanes{}, rest{};
        size_t k = 0;
        for (; k + sizeof(Quads) <= a.columns; k += sizeof(Quads)) {
            addProducts(load<Quads>(row + k), ones, lanes);
        }
        for (; k < a.columns; k += 4) addProducts(splat(row + k), ones, rest);
        uint32_t sum = rest[0];
        for (size_t i = 0; i < VectorOf<uint32_t>::kLanes; ++i) sum += lanes[i];
        sums[m] = static_cast<int32_t>(sum);
    }
}

inline constexpr ByteKernels kByteKernels = {.depth = kByteDepth,
                                             .isSigned = kAreBytesSigned,
                                             .multiply = multiplyBytes,
                                             .sumRows = sumRows};
#if defined(NNAPI_HAS_AVX512) || defined(NNAPI_HAS_DOTPROD) || defined(NNAPI_WITHOUT_INTRINSICS)
inline constexpr const ByteKernels* kBytes = &kByteKernels;
#else
inline constexpr const ByteKernels* kBytes = nullptr;
#endif

// ---- the way from sums to stored values

NNAPI_INLINE uint8_t rescaled(uint32_t biased, const Rescaling& r, size_t i) {
    const int64_t product =
            int64_t{static_cast<int32_t>(biased)} * r.significands[i] + (int64_t{1} << 30);
    const auto high = static_cast<uint32_t>(static_cast<uint64_t>(product) >> 31);
    const uint32_t sign = high >> 31 != 0 ? ~0u : 0u;
    const uint32_t magnitude = (high ^ sign) - sign;
    const uint32_t rounded = (magnitude + static_cast<uint32_t>(r.halves[i])) >> r.shifts[i];
    auto result = static_cast<int32_t>((rounded ^ sign) - sign);
    // Clamped first, so that nothing overflows.
    const int32_t least = r.range.least - r.zeroPoint, most = r.range.most - r.zeroPoint;
    result = result < least ? least : result;
    result = result > most ? most : result;
    return static_cast<uint8_t>(result + r.zeroPoint);
}

#if defined(NNAPI_HAS_AVX512)
// rescaled() for the sums of a mask, at most sixteen.
NNAPI_INLINE __m128i rescaledSixteen(const int32_t* sums, const Rescaling& r, size_t i,
                                     __mmask16 mask) {
    const auto at = [&](const int32_t* from)
                            NNAPI_WRITTEN_OUT { return _mm512_maskz_loadu_epi32(mask, from + i); };
    const __m512i half = _mm512_set1_epi64(int64_t{1} << 30);
    const __m512i x = _mm512_add_epi32(at(sums), at(r.bias)), significands = at(r.significands);
    const __m512i even = _mm512_maskz_mul_epi32(0xFF, x, significands);
    const __m512i odd = _mm512_maskz_mul_epi32(0xFF, _mm512_maskz_srli_epi64(0xFF, x, 32),
                                               _mm512_maskz_srli_epi64(0xFF, significands, 32));
    const __m512i high = _mm512_mask_blend_epi32(
            0xAAAA, _mm512_maskz_srli_epi64(0xFF, _mm512_add_epi64(even, half), 31),
            _mm512_maskz_slli_epi64(0xFF, _mm512_add_epi64(odd, half), 1));
    const __m512i magnitude = _mm512_maskz_srlv_epi32(
            0xFFFF, _mm512_add_epi32(_mm512_maskz_abs_epi32(0xFFFF, high), at(r.halves)),
            at(r.shifts));
    const __m512i result = _mm512_mask_sub_epi32(magnitude, _mm512_movepi32_mask(high),
                                                 _mm512_set1_epi32(0), magnitude);
    const __m512i least = _mm512_set1_epi32(r.range.least - r.zeroPoint);
    const __m512i most = _mm512_set1_epi32(r.range.most - r.zeroPoint);
    const __m512i cut =
            _mm512_maskz_min_epi32(0xFFFF, _mm512_maskz_max_epi32(0xFFFF, result, least), most);
    return _mm512_maskz_cvtepi32_epi8(0xFFFF,
                                      _mm512_add_epi32(cut, _mm512_set1_epi32(r.zeroPoint)));
}
#elif defined(NNAPI_HAS_AVX2)
NNAPI_INLINE __m256i loadIntegers(const int32_t* from) {
    return _mm256_loadu_si256(reinterpret_cast<const __m256i*>(from));
}

// rescaled() for eight sums, before clamping.
NNAPI_INLINE __m256i rescaledEight(const int32_t* sums, const Rescaling& r, size_t i) {
    const __m256i half = _mm256_set1_epi64x(int64_t{1} << 30);
    const __m256i x = _mm256_add_epi32(loadIntegers(sums + i), loadIntegers(r.bias + i));
    const __m256i significands = loadIntegers(r.significands + i);
    const __m256i even = _mm256_mul_epi32(x, significands);
    const __m256i odd =
            _mm256_mul_epi32(_mm256_srli_epi64(x, 32), _mm256_srli_epi64(significands, 32));
    const __m256i high =
            _mm256_blend_epi32(_mm256_srli_epi64(_mm256_add_epi64(even, half), 31),
                               _mm256_slli_epi64(_mm256_add_epi64(odd, half), 1), 0b10101010);
    const __m256i sum = _mm256_add_epi32(_mm256_abs_epi32(high), loadIntegers(r.halves + i));
    return _mm256_sign_epi32(_mm256_srlv_epi32(sum, loadIntegers(r.shifts + i)), high);
}
#elif defined(NNAPI_HAS_NEON)
// rescaled() for four sums, before clamping; values beyond 16 bits saturate.
NNAPI_INLINE int16x4_t rescaledFour(const int32_t* sums, const Rescaling& r, size_t i) {
    const int32x4_t high = vqrdmulhq_s32(vaddq_s32(vld1q_s32(sums + i), vld1q_s32(r.bias + i)),
                                         vld1q_s32(r.significands + i));
    const int32x4_t sign = vshrq_n_s32(high, 31);
    const uint32x4_t sum = vaddq_u32(vreinterpretq_u32_s32(vabsq_s32(high)),
                                     vreinterpretq_u32_s32(vld1q_s32(r.halves + i)));
    const uint32x4_t rounded = vshlq_u32(sum, vnegq_s32(vld1q_s32(r.shifts + i)));
    return vqmovn_s32(vsubq_s32(veorq_s32(vreinterpretq_s32_u32(rounded), sign), sign));
}
#endif

inline void rescale(const int32_t* sums, const Rescaling& rescaling, size_t count, uint8_t* y) {
    const Rescaling r = rescaling;  // no store to y can change it
    size_t i = 0;
#if defined(NNAPI_HAS_AVX512)
    for (; i + 16 <= count; i += 16) store(rescaledSixteen(sums, r, i, 0xFFFF), y + i);
    if (i < count) {
        const auto mask = static_cast<__mmask16>((1u << (count - i)) - 1);
        _mm_mask_storeu_epi8(y + i, mask, rescaledSixteen(sums, r, i, mask));
        i = count;
    }
#elif defined(NNAPI_HAS_AVX2)
    // Values beyond 16 bits are outside the range, which is within 511 of the zero point.
    const auto wide = [](int32_t x) { return _mm256_set1_epi16(static_cast<int16_t>(x)); };
    const __m256i least = wide(r.range.least - r.zeroPoint);
    const __m256i most = wide(r.range.most - r.zeroPoint);
    const __m256i zeroPoint = wide(r.zeroPoint), byte = wide(0xff);
    const auto sixteen = [&](size_t first) {
        const __m256i results = _mm256_packs_epi32(rescaledEight(sums, r, first),
                                                   rescaledEight(sums, r, first + 8));
        const __m256i cut = _mm256_min_epi16(_mm256_max_epi16(results, least), most);
        return _mm256_and_si256(_mm256_add_epi16(cut, zeroPoint), byte);
    };
    for (; i + 32 <= count; i += 32) {
        // Packing works in halves: groups of four come out in this order.
        const __m256i order = _mm256_setr_epi32(0, 4, 1, 5, 2, 6, 3, 7);
        const __m256i mixed = _mm256_packus_epi16(sixteen(i), sixteen(i + 16));
        _mm256_storeu_si256(reinterpret_cast<__m256i*>(y + i),
                            _mm256_permutevar8x32_epi32(mixed, order));
    }
#elif defined(NNAPI_HAS_NEON)
    // Values beyond 16 bits are outside the range, which is within 511 of the zero point.
    const auto wide = [](int32_t x) { return vdupq_n_s16(static_cast<int16_t>(x)); };
    const int16x8_t least = wide(r.range.least - r.zeroPoint);
    const int16x8_t most = wide(r.range.most - r.zeroPoint);
    const int16x8_t zeroPoint = wide(r.zeroPoint);
    for (; i + 8 <= count; i += 8) {
        const int16x8_t results =
                vcombine_s16(rescaledFour(sums, r, i), rescaledFour(sums, r, i + 4));
        const int16x8_t cut = vminq_s16(vmaxq_s16(results, least), most);
        vst1_u8(y + i, vmovn_u16(vreinterpretq_u16_s16(vaddq_s16(cut, zeroPoint))));
    }
#endif
    for (; i < count; ++i) {
        y[i] = rescaled(static_cast<uint32_t>(sums[i]) + static_cast<uint32_t>(r.bias[i]), r, i);
    }
}

// ---- the way from sums to real numbers

inline void addBias(Matrix<const double> sums, const float* bias, RealRange range,
                    Matrix<float> y) {
    for (size_t m = 0; m < sums.rows; ++m) {
        const double* sum = sums.data + m * sums.stride;
        float* out = y.data + m * y.stride;
        for (size_t n = 0; n < sums.columns; ++n) {
            auto result = static_cast<float>(sum[n] + double{bias[n]});
            result = result < range.least ? range.least : result;
            out[n] = result > range.most ? range.most : result;
        }
    }
}

// ---- sums over windows

// Sums of doubles use the widest vectors there are.
template <class Sum>
using SumsOf = VectorOf<Sum, std::is_same_v<Sum, double> ? kRealBytes : kVectorBytes>;

// As many elements as a vector of sums has.
template <class Sum, class Real>
NNAPI_INLINE typename SumsOf<Sum>::Type loadFor(const Real* from) {
    if constexpr (std::is_same_v<Real, Sum>) {
        return load<typename SumsOf<Sum>::Type>(from);
    } else {
        return loadReals(from);
    }
}

// The sums of one vector of channels for kWindows windows, in registers.
template <size_t kWindows, bool isSplat, class Real, class Sum>
NNAPI_INLINE void sumLanes(const Windows<Real>& w, const Real* x, const Real* filter,
                           size_t outputs, Sum* sums) {
    using Terms = typename SumsOf<Sum>::Type;
    Terms lanes[kWindows];
    writeOut<kWindows>([&]<size_t i>() NNAPI_WRITTEN_OUT { lanes[i] = Terms{}; });
    const size_t step = w.step;
    for (size_t a = 0; a < w.rows; ++a, x += w.xRow, filter += w.filterRow) {
        const Real* at = x;
        const Real* from = filter;
        for (size_t b = 0; b < w.columns; ++b, at += w.xColumn, from += w.filterColumn) {
            const Terms tap = loadFor<Sum>(from);
            writeOut<kWindows>([&]<size_t i>() NNAPI_WRITTEN_OUT {
                if constexpr (isSplat) {
                    lanes[i] += Sum{at[i * step]} * tap;
                } else {
                    lanes[i] += loadFor<Sum>(at + i * step) * tap;
                }
            });
        }
    }
    writeOut<kWindows>([&]<size_t i>() NNAPI_WRITTEN_OUT { store(lanes[i], sums + i * outputs); });
}

// The sums of `count` elements of the filter for kWindows windows; each is one element of x, or all
// are the same.
template <size_t kWindows, bool isSplat, class Real, class Sum>
NNAPI_INLINE void sumRun(const Windows<Real>& w, const Real* x, const Real* filter, size_t count,
                         size_t outputs, Sum* sums) {
    constexpr size_t kLanes = SumsOf<Sum>::kLanes;
    size_t i = 0;
    for (; i + kLanes <= count; i += kLanes) {
        sumLanes<kWindows, isSplat>(w, isSplat ? x : x + i, filter + i, outputs, sums + i);
    }
    for (; i < count; ++i) {
        for (size_t n = 0; n < kWindows; ++n) {
            Sum sum{};
            for (size_t a = 0; a < w.rows; ++a) {
                for (size_t b = 0; b < w.columns; ++b) {
                    sum += Sum{x[a * w.xRow + b * w.xColumn + n * w.step + (isSplat ? 0 : i)]} *
                           filter[a * w.filterRow + b * w.filterColumn + i];
                }
            }
            sums[n * outputs + i] = sum;
        }
    }
}

template <size_t kWindows, class Real, class Sum>
NNAPI_INLINE void sumWindows(const Windows<Real>& w, size_t first, size_t channels,
                             size_t multiplier, Sum* sums) {
    const size_t outputs = channels * multiplier;
    const Real* x = w.x + first * w.step;
    sums += first * outputs;
    if (multiplier == 1) {
        sumRun<kWindows, false>(w, x, w.filter, channels, outputs, sums);
        return;
    }
    for (size_t c = 0; c < channels; ++c) {
        sumRun<kWindows, true>(w, x + c, w.filter + c * multiplier, multiplier, outputs,
                               sums + c * multiplier);
    }
}

template <class Real, class Sum>
inline void sumAll(const Windows<Real>& windows, size_t channels, size_t multiplier, Sum* sums) {
    const Windows<Real> w = windows;      // no store to sums can change it
    if (w.rows == 0 || w.columns == 0) {  // and x is null
        for (size_t i = 0; i < w.count * channels * multiplier; ++i) sums[i] = 0;
        return;
    }
    size_t i = 0;
    for (; i + 8 <= w.count; i += 8) sumWindows<8>(w, i, channels, multiplier, sums);
    for (; i + 4 <= w.count; i += 4) sumWindows<4>(w, i, channels, multiplier, sums);
    for (; i < w.count; ++i) sumWindows<1>(w, i, channels, multiplier, sums);
}

// The sums of kPanels panels side by side.
template <size_t kPanels>
NNAPI_INLINE void sumTheseTogether(std::span<const double> x, const float* panels, double* sums) {
    using Terms = typename SumsOf<double>::Type;
    constexpr size_t kLanes = SumsOf<double>::kLanes, kVectors = kPanelUnits / kLanes;
    const size_t size = x.size();
    Terms lanes[kPanels * kVectors];
    writeOut<kPanels * kVectors>([&]<size_t v>() NNAPI_WRITTEN_OUT { lanes[v] = Terms{}; });
    for (size_t i = 0; i < size; ++i, panels += kPanelUnits) {
        const double tap = x[i];
        writeOut<kPanels * kVectors>([&]<size_t v>() NNAPI_WRITTEN_OUT {
            const float* panel = panels + v / kVectors * size * kPanelUnits;
            lanes[v] += tap * loadFor<double>(panel + v % kVectors * kLanes);
        });
    }
    writeOut<kPanels * kVectors>([&]<size_t v>()
                                         NNAPI_WRITTEN_OUT { store(lanes[v], sums + v * kLanes); });
}

inline void sumPanels(std::span<const double> x, const float* panels, size_t count, double* sums) {
    constexpr size_t kMax = kRealBytes >= 32 ? 2 : 1;  // whose sums fit the registers
    size_t p = 0;
    for (; p + kMax <= count; p += kMax) {
        sumTheseTogether<kMax>(x, panels + p * x.size() * kPanelUnits, sums + p * kPanelUnits);
    }
    for (; p < count; ++p) {
        sumTheseTogether<1>(x, panels + p * x.size() * kPanelUnits, sums + p * kPanelUnits);
    }
}

// Folds a window: sum = fold(sum, x) for each element, starting with `start`.
struct Add {
    static constexpr int start = 0;
    template <class Sum, class E>
    NNAPI_INLINE Sum operator()(Sum sum, E x) const {
        return static_cast<Sum>(sum + static_cast<Sum>(x));
    }
};
struct AddSquare {
    static constexpr int start = 0;
    NNAPI_INLINE double operator()(double sum, float x) const { return sum + double{x} * x; }
};
template <class E>
struct Max {
    static constexpr E start = std::is_same_v<E, float>    ? -__builtin_inff()
                               : std::is_same_v<E, int8_t> ? -128
                                                           : 0;
    NNAPI_INLINE E operator()(E most, E x) const { return most < x ? x : most; }
};

// Tap by tap, all channels of each. Windows that move by one pixel are one long window.
template <class Fold, class E, class Sum>
inline void foldAll(const Windows<E>& windows, size_t channels, Sum* results) {
    Windows<E> w = windows;  // no store can change it
    if (w.step == channels) {
        channels *= w.count;
        w.count = 1;
    }
    for (size_t n = 0; n < w.count; ++n, results += channels) {
        for (size_t c = 0; c < channels; ++c) results[c] = static_cast<Sum>(Fold::start);
        for (size_t a = 0; a < w.rows; ++a) {
            for (size_t b = 0; b < w.columns; ++b) {
                const E* x = w.x + n * w.step + a * w.xRow + b * w.xColumn;
                for (size_t c = 0; c < channels; ++c) results[c] = Fold()(results[c], x[c]);
            }
        }
    }
}

inline void blend(const float* const x[4], const float shares[4], size_t count, float* y) {
    const float *x0 = x[0], *x1 = x[1], *x2 = x[2], *x3 = x[3];
    const float s0 = shares[0], s1 = shares[1], s2 = shares[2], s3 = shares[3];
    for (size_t i = 0; i < count; ++i) y[i] = x0[i] * s0 + x1[i] * s1 + x2[i] * s2 + x3[i] * s3;
}

// ---- transposition

// The interleaved elements of two vectors: of their first or second halves.
template <bool isSecond, class V, size_t... kIndexes>
NNAPI_INLINE V interleave(const V& a, const V& b, std::index_sequence<kIndexes...>) {
    constexpr size_t kLanes = sizeof...(kIndexes);
    return __builtin_shufflevector(
            a, b, (kIndexes / 2 + kIndexes % 2 * kLanes + (isSecond ? kLanes / 2 : 0))...);
}

// A square whose rows are vectors of 16 bytes: row i and the row half of them below are
// interleaved, repeatedly, until each row is a column.
template <class E>
NNAPI_INLINE void transposeSquare(const E* x, size_t strideX, E* y, size_t strideY) {
    constexpr size_t kLanes = 16 / sizeof(E);
    using Row = typename VectorOf<E, 16>::Type;
    using Indexes = std::make_index_sequence<kLanes>;
    Row rows[kLanes], turned[kLanes];
    writeOut<kLanes>([&]<size_t i>() NNAPI_WRITTEN_OUT { rows[i] = load<Row>(x + i * strideX); });
    const auto turn = [&](const Row* from, Row* to) NNAPI_WRITTEN_OUT {
        writeOut<kLanes / 2>([&]<size_t i>() NNAPI_WRITTEN_OUT {
            to[2 * i] = interleave<false>(from[i], from[i + kLanes / 2], Indexes());
            to[2 * i + 1] = interleave<true>(from[i], from[i + kLanes / 2], Indexes());
        });
    };
    turn(rows, turned);
    turn(turned, rows);
    if constexpr (kLanes >= 8) turn(rows, turned);
    if constexpr (kLanes >= 16) turn(turned, rows);
    const Row* const columns = kLanes == 8 ? turned : rows;
    writeOut<kLanes>([&]<size_t i>() NNAPI_WRITTEN_OUT { store(columns[i], y + i * strideY); });
}

// Squares in blocks whose lines of x and y stay in the cache.
template <class E>
inline void transpose(Matrix<const E> x, E* y, size_t strideY) {
    constexpr size_t kLanes = 16 / sizeof(E), kBlock = 64 / sizeof(E);
    const size_t rows = x.rows / kLanes * kLanes, columns = x.columns / kLanes * kLanes;
    for (size_t r0 = 0; r0 < rows; r0 += kBlock) {
        const size_t end = r0 + kBlock < rows ? r0 + kBlock : rows;
        for (size_t c = 0; c < columns; c += kLanes) {
            for (size_t r = r0; r < end; r += kLanes) {
                transposeSquare(x.data + r * x.stride + c, x.stride, y + c * strideY + r, strideY);
            }
        }
    }
    for (size_t r = 0; r < x.rows; ++r) {
        for (size_t c = r < rows ? columns : 0; c < x.columns; ++c) {
            y[c * strideY + r] = x.data[r * x.stride + c];
        }
    }
}

// ---- sums of products of vectors

template <size_t kRows, class X>
NNAPI_INLINE void dotRows(const X* x, const float* weights, size_t stride, size_t size,
                          double* sums) {
    constexpr size_t kLanes = 8;
    constexpr size_t kLanesOfVector = kRealBytes / sizeof(double);
    constexpr size_t kVectors = kLanes / kLanesOfVector;
    Reals lanes[kRows * kVectors];
    writeOut<kRows * kVectors>([&]<size_t k>() NNAPI_WRITTEN_OUT { lanes[k] = Reals{}; });
    size_t i = 0;
    for (; i + kLanes <= size; i += kLanes) {
        writeOut<kVectors>([&]<size_t v>() NNAPI_WRITTEN_OUT {
            const float* weight = weights + i + v * kLanesOfVector;
            const Reals factors = loadReals(x + i + v * kLanesOfVector);
            writeOut<kRows>([&]<size_t r>() NNAPI_WRITTEN_OUT {
                if constexpr (sizeof(X) == sizeof(float)) {
                    addProducts(factors, loadReals(weight + r * stride), lanes[r * kVectors + v]);
                } else {
                    lanes[r * kVectors + v] += factors * loadReals(weight + r * stride);
                }
            });
        });
    }
    for (size_t r = 0; r < kRows; ++r) {
        double sum = 0;
        for (size_t k = i; k < size; ++k) sum += double{x[k]} * double{weights[r * stride + k]};
        double eight[kLanes];
        std::memcpy(eight, lanes + r * kVectors, sizeof eight);
        for (size_t lane = 0; i != 0 && lane < kLanes; ++lane) sum += eight[lane];
        sums[r] = sum;
    }
}

template <class X>
inline void dot(const X* x, Matrix<const float> weights, double* sums) {
    constexpr size_t kMax = kRealBytes / 8;  // whose sums fit the registers
    const size_t stride = weights.stride;
    size_t r = 0;
    for (; r + kMax <= weights.rows; r += kMax) {
        dotRows<kMax>(x, weights.data + r * stride, stride, weights.columns, sums + r);
    }
    for (; r < weights.rows; ++r) {
        dotRows<1>(x, weights.data + r * stride, stride, weights.columns, sums + r);
    }
}

template <size_t kRows, class E>
NNAPI_INLINE void dotStoredRows(const int16_t* x, const E* weights, size_t stride, size_t size,
                                int16_t zeroPoint, int32_t* sums) {
    constexpr size_t kLanes = VectorOf<int16_t>::kLanes;
    Sums lanes[kRows];
    writeOut<kRows>([&]<size_t r>() NNAPI_WRITTEN_OUT { lanes[r] = Sums{}; });
    size_t i = 0;
    for (; i + kLanes <= size; i += kLanes) {
        const Pairs factors = load<Pairs>(x + i);
        writeOut<kRows>([&]<size_t r>() NNAPI_WRITTEN_OUT {
            addEachProduct(factors, loadStored(weights + r * stride + i) - zeroPoint, lanes[r]);
        });
    }
    for (size_t r = 0; r < kRows; ++r) {
        uint32_t sum = 0;
        for (size_t k = i; k < size; ++k) {
            sum += static_cast<uint32_t>(x[k] * (weights[r * stride + k] - zeroPoint));
        }
        uint32_t all[VectorOf<uint32_t>::kLanes];
        std::memcpy(all, lanes + r, sizeof all);
        for (const uint32_t lane : all) sum += lane;
        sums[r] = static_cast<int32_t>(sum);
    }
}

template <class E>
inline void dotStored(const int16_t* x, Matrix<const E> weights, int32_t zeroPoint, int32_t* sums) {
    constexpr size_t kMax = 4;  // which hide the latency of additions
    const auto zero = static_cast<int16_t>(zeroPoint);
    const size_t stride = weights.stride;
    size_t r = 0;
    for (; r + kMax <= weights.rows; r += kMax) {
        dotStoredRows<kMax>(x, weights.data + r * stride, stride, weights.columns, zero, sums + r);
    }
    for (; r < weights.rows; ++r) {
        dotStoredRows<1>(x, weights.data + r * stride, stride, weights.columns, zero, sums + r);
    }
}

#define NNAPI_NAME_OF(set) #set
#define NNAPI_NAME(set) NNAPI_NAME_OF(set)

inline constexpr VectorKernels kKernels = {.instructionSet = NNAPI_NAME(NNAPI_INSTRUCTION_SET),
                                           .multiplyReals = multiplyReals,
                                           .multiplyIntegers = multiplyIntegers,
                                           .bytes = kBytes,
                                           .rescale = rescale,
                                           .addBias = addBias,
                                           .sumFloats = sumAll<float, float>,
                                           .sumFloatsToDoubles = sumAll<float, double>,
                                           .sumDoubles = sumAll<double, double>,
                                           .sumPanels = sumPanels,
                                           .addFloats = foldAll<Add, float, double>,
                                           .addSquares = foldAll<AddSquare, float, double>,
                                           .addUnsigned = foldAll<Add, uint8_t, int32_t>,
                                           .addSigned = foldAll<Add, int8_t, int32_t>,
                                           .maxFloats = foldAll<Max<float>, float, float>,
                                           .maxUnsigned = foldAll<Max<uint8_t>, uint8_t, uint8_t>,
                                           .maxSigned = foldAll<Max<int8_t>, int8_t, int8_t>,
                                           .plus = combine<Plus>,
                                           .minus = combine<Minus>,
                                           .times = combine<Times>,
                                           .dividedBy = combine<DividedBy>,
                                           .blend = blend,
                                           .transpose8 = transpose<uint8_t>,
                                           .transpose16 = transpose<uint16_t>,
                                           .transpose32 = transpose<uint32_t>,
                                           .dotFloats = dot<float>,
                                           .dotDoubles = dot<double>,
                                           .dotUnsigned = dotStored<uint8_t>,
                                           .dotSigned = dotStored<int8_t>,
                                           .realsOfUnsigned = realsOf<uint8_t>,
                                           .realsOfSigned = realsOf<int8_t>,
                                           .quantizeUnsigned = quantize<uint8_t, 0, 255>,
                                           .quantizeSigned = quantize<int8_t, -128, 127>,
                                           .quantizeUnsigned16 = quantize<uint16_t, 0, 65535>,
                                           .quantizeSigned16 = quantize<int16_t, -32768, 32767>,
                                           .realsOfHalves = realsOfHalves,
                                           .halvesOfReals = halvesOfReals,
                                           .logistic = logistic,
                                           .exponentials = exponentials,
                                           .logarithms = logarithms,
                                           .sines = sines,
                                           .roots = roots,
                                           .inverseRoots = inverseRoots,
                                           .exponentialDoubles = exponentialOf,
                                           .logisticDoubles = logisticOf,
                                           .tanhDoubles = tanhOf,
                                           .clampReals = clampAll<float>,
                                           .clampUnsigned = clampAll<uint8_t>,
                                           .clampSigned = clampAll<int8_t>,
                                           .averageUnsigned = averageAll<uint8_t>,
                                           .averageSigned = averageAll<int8_t>,
                                           .widenReals = widen<float, double>,
                                           .shiftBytes = widen<uint8_t, uint8_t>,
                                           .widenUnsigned = widen<uint8_t, int16_t>,
                                           .widenSigned = widen<int8_t, int16_t>,
                                           .floatUnsigned = widen<uint8_t, float>,
                                           .floatSigned = widen<int8_t, float>};

}  // namespace nn::ops::NNAPI_INSTRUCTION_SET
