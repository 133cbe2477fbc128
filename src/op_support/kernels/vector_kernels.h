// The loops that take most of a network's time, written for vectors (vector_loops.h) and compiled
// once for each instruction set. All sets produce the same bits.
//
//   vectorKernels().multiplyReals(a, packed, c);   // with the best set of this processor
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <span>

#include "op_support/kernels/matrix.h"
#include "op_support/rules/quantization.h"

namespace nn::ops {

// Rescales sums of stored values to the output's scale, for consecutive channels.
struct Rescaling {
    const int32_t* bias;
    const int32_t* significands;  // of the multipliers
    const int32_t* shifts;        // minus their exponents, 0 to 31
    const int32_t* halves;        // 2^shift / 2, rounded down
    int32_t zeroPoint;
    StoredRange range;
};

// `count` windows side by side in one row of an image, each `step` elements of x after the one
// before. A window has rows times columns taps of `channels` elements.
template <class E>
struct Windows {
    const E* x = nullptr;
    const E* filter = nullptr;  // may be null
    size_t rows = 0, columns = 0;
    size_t xRow = 0, xColumn = 0;  // from one tap to the next, in elements
    size_t filterRow = 0, filterColumn = 0;
    size_t count = 0, step = 0;
};

// `count` patches of an image, each of `rows` runs of `size` elements; distances in elements of the
// image and in factors of the target.
template <class E>
struct Patches {
    const E* x = nullptr;
    size_t size = 0;
    size_t rows = 1, xRow = 0, toRow = 0;     // from one run to the next
    size_t count = 1, xStep = 0, toStep = 0;  // from one patch to the next
};

// Factors of one byte, and the further terms of each sum of their products.
struct ByteFactors {
    Matrix<const uint8_t> a;
    const int8_t* packed;  // b; see gemm.h for the order
    const int32_t* rowTerms;
    const int32_t* columnTerms;
};

// For processors with instructions that add four or eight products of bytes to a sum.
struct ByteKernels {
    size_t depth;   // sums have a multiple of this many products
    bool isSigned;  // whether the bytes of a are; those of b are

    // c[m][n] = rowTerms[m] + columnTerms[n] + sum_k a[m][k] * b[n][k] modulo 2^32
    void (*multiply)(const ByteFactors& factors, Matrix<int32_t> c);

    // sums[m] = sum_k a[m][k], for a multiple of 4 columns
    void (*sumRows)(Matrix<const uint8_t> a, int32_t* sums);
};

inline constexpr size_t kPanelUnits = 16;

// Where vectors of sines are exact enough.
inline constexpr float kMostOfSines = 0x1p19f;

struct VectorKernels {
    const char* instructionSet;

    // c[m][n] = sum_k a[m][k] * b[n][k]; see gemm.h for the order of packed b.
    void (*multiplyReals)(Matrix<const double> a, const double* packed, Matrix<double> c);
    void (*multiplyIntegers)(Matrix<const int16_t> a, const int16_t* packed, Matrix<int32_t> c);
    const ByteKernels* bytes;  // null if 16-bit factors are as fast

    // y[i] = clamp(zeroPoint + (sums[i] + bias[i]) * multiplier[i]), rounded as multiply() does;
    // the low byte of each.
    void (*rescale)(const int32_t* sums, const Rescaling& rescaling, size_t count, uint8_t* y);

    // y[m][n] = clamp(sums[m][n] + bias[n]), rounded once
    void (*addBias)(Matrix<const double> sums, const float* bias, RealRange range, Matrix<float> y);

    // sums[w][c * multiplier + m] = sum over window w of filter[c * multiplier + m] * x[c], in the
    // order of the taps and with a rounding for each operation.
    void (*sumFloats)(const Windows<float>& windows, size_t channels, size_t multiplier,
                      float* sums);
    void (*sumFloatsToDoubles)(const Windows<float>& windows, size_t channels, size_t multiplier,
                               double* sums);
    void (*sumDoubles)(const Windows<double>& windows, size_t channels, size_t multiplier,
                       double* sums);

    // sums[p][u] = sum_i x[i] * panels[p][i][u], in the order of i, of `count` panels of
    // kPanelUnits weights for each element of x
    void (*sumPanels)(std::span<const double> x, const float* panels, size_t count, double* sums);

    // sums[w][c] = sum over window w of x[c], or of x[c] * x[c]; most[w][c] = the greatest x[c],
    // without NaN, infinity below all
    void (*addFloats)(const Windows<float>& windows, size_t channels, double* sums);
    void (*addSquares)(const Windows<float>& windows, size_t channels, double* sums);
    void (*addUnsigned)(const Windows<uint8_t>& windows, size_t channels, int32_t* sums);
    void (*addSigned)(const Windows<int8_t>& windows, size_t channels, int32_t* sums);
    void (*maxFloats)(const Windows<float>& windows, size_t channels, float* most);
    void (*maxUnsigned)(const Windows<uint8_t>& windows, size_t channels, uint8_t* most);
    void (*maxSigned)(const Windows<int8_t>& windows, size_t channels, int8_t* most);

    // y[i] = clamp(a[i * strideA] + b[i * strideB]), and so on, with strides of 0 or 1
    using Combine = void (*)(const float* a, size_t strideA, const float* b, size_t strideB,
                             size_t count, RealRange range, float* y);
    Combine plus;
    Combine minus;
    Combine times;
    Combine dividedBy;

    // y[i] = the sum of x[k][i] * shares[k], with a rounding for each operation
    void (*blend)(const float* const x[4], const float shares[4], size_t count, float* y);

    // y[c][r] = x[r][c], for elements of 1, 2 and 4 bytes
    void (*transpose8)(Matrix<const uint8_t> x, uint8_t* y, size_t strideY);
    void (*transpose16)(Matrix<const uint16_t> x, uint16_t* y, size_t strideY);
    void (*transpose32)(Matrix<const uint32_t> x, uint32_t* y, size_t strideY);

    // sums[r] = sum_i x[i] * weights.data[r][i], with a rounding for each operation: eight sums
    // side by side, then the rest, then all of these in order.
    void (*dotFloats)(const float* x, Matrix<const float> weights, double* sums);
    void (*dotDoubles)(const double* x, Matrix<const float> weights, double* sums);

    // sums[r] = sum_i x[i] * (weights.data[r][i] - zeroPoint) modulo 2^32, for x in [-255, 255]
    void (*dotUnsigned)(const int16_t* x, Matrix<const uint8_t> weights, int32_t zeroPoint,
                        int32_t* sums);
    void (*dotSigned)(const int16_t* x, Matrix<const int8_t> weights, int32_t zeroPoint,
                      int32_t* sums);

    // to[i] = (from[i] - zeroPoint) * scale
    void (*realsOfUnsigned)(std::span<const uint8_t> from, float scale, int32_t zeroPoint,
                            float* to);
    void (*realsOfSigned)(std::span<const int8_t> from, float scale, int32_t zeroPoint, float* to);

    // to[i] = quantized<E>(from[i], scale, zeroPoint)
    void (*quantizeUnsigned)(std::span<const float> from, float scale, int32_t zeroPoint,
                             uint8_t* to);
    void (*quantizeSigned)(std::span<const float> from, float scale, int32_t zeroPoint, int8_t* to);
    void (*quantizeUnsigned16)(std::span<const float> from, float scale, int32_t zeroPoint,
                               uint16_t* to);
    void (*quantizeSigned16)(std::span<const float> from, float scale, int32_t zeroPoint,
                             int16_t* to);

    // to[i] = halfToFloat(from[i]), and floatToHalf(from[i])
    void (*realsOfHalves)(std::span<const uint16_t> from, float* to);
    void (*halvesOfReals)(std::span<const float> from, uint16_t* to);

    // y[i] = 1 / (1 + exp(-x[i])), computed in double
    void (*logistic)(std::span<const float> x, float* y);

    // y[i] = exp x[i], ln x[i], sin x[i], computed in double to ten digits; sines of numbers up to
    // kMostOfSines from 0
    void (*exponentials)(std::span<const float> x, float* y);
    void (*logarithms)(std::span<const float> x, float* y);
    void (*sines)(std::span<const float> x, float* y);

    // y[i] = sqrt x[i], 1 / sqrt x[i], with a rounding for each operation
    void (*roots)(std::span<const float> x, float* y);
    void (*inverseRoots)(std::span<const float> x, float* y);

    // exp, the logistic function and tanh of doubles in place, to 13 digits.
    void (*exponentialDoubles)(std::span<double> x);
    void (*logisticDoubles)(std::span<double> x);
    void (*tanhDoubles)(std::span<double> x);

    // y[i] = clamp(x[i]); NaN stays
    void (*clampReals)(std::span<const float> x, RealRange range, float* y);
    void (*clampUnsigned)(std::span<const uint8_t> x, StoredRange range, uint8_t* y);
    void (*clampSigned)(std::span<const int8_t> x, StoredRange range, int8_t* y);

    // y[i] = clamp(round(sums[i] / count)), halves away from zero; the least where count is 0
    void (*averageUnsigned)(std::span<const int32_t> sums, int32_t count, StoredRange range,
                            uint8_t* y);
    void (*averageSigned)(std::span<const int32_t> sums, int32_t count, StoredRange range,
                          int8_t* y);

    // Factors of elements: stored - zeroPoint; of bytes modulo 256.
    void (*widenReals)(const Patches<float>& patches, int32_t, double* to);
    void (*shiftBytes)(const Patches<uint8_t>& patches, int32_t zeroPoint, uint8_t* to);
    void (*widenUnsigned)(const Patches<uint8_t>& patches, int32_t zeroPoint, int16_t* to);
    void (*widenSigned)(const Patches<int8_t>& patches, int32_t zeroPoint, int16_t* to);
    void (*floatUnsigned)(const Patches<uint8_t>& patches, int32_t zeroPoint, float* to);
    void (*floatSigned)(const Patches<int8_t>& patches, int32_t zeroPoint, float* to);
};

// The sets that this processor can run, the best first; the last runs everywhere.
std::span<const VectorKernels* const> allVectorKernels();

// The set in use: the best, unless a test has put another in its place.
inline std::atomic<const VectorKernels*> usedVectorKernels = nullptr;

inline const VectorKernels& vectorKernels() {
    const VectorKernels* used = usedVectorKernels.load(std::memory_order_relaxed);
    return used != nullptr ? *used : *allVectorKernels().front();
}

// The kernels for these types.
inline void average(std::span<const int32_t> sums, int32_t count, StoredRange range, uint8_t* y) {
    vectorKernels().averageUnsigned(sums, count, range, y);
}
inline void average(std::span<const int32_t> sums, int32_t count, StoredRange range, int8_t* y) {
    vectorKernels().averageSigned(sums, count, range, y);
}
inline void clamp(std::span<const uint8_t> x, StoredRange range, uint8_t* y) {
    vectorKernels().clampUnsigned(x, range, y);
}
inline void clamp(std::span<const int8_t> x, StoredRange range, int8_t* y) {
    vectorKernels().clampSigned(x, range, y);
}
inline void addBias(Matrix<const double> sums, const float* bias, RealRange range,
                    Matrix<float> y) {
    vectorKernels().addBias(sums, bias, range, y);
}
inline void dot(const float* x, Matrix<const float> weights, int32_t, double* sums) {
    vectorKernels().dotFloats(x, weights, sums);
}
inline void dot(const int16_t* x, Matrix<const uint8_t> weights, int32_t zeroPoint, int32_t* sums) {
    vectorKernels().dotUnsigned(x, weights, zeroPoint, sums);
}
inline void dot(const int16_t* x, Matrix<const int8_t> weights, int32_t zeroPoint, int32_t* sums) {
    vectorKernels().dotSigned(x, weights, zeroPoint, sums);
}
inline void widen(const Patches<uint8_t>& patches, int32_t zeroPoint, uint8_t* to) {
    vectorKernels().shiftBytes(patches, zeroPoint, to);
}
inline void widen(const Patches<float>& patches, int32_t zeroPoint, double* to) {
    vectorKernels().widenReals(patches, zeroPoint, to);
}
inline void widen(const Patches<uint8_t>& patches, int32_t zeroPoint, int16_t* to) {
    vectorKernels().widenUnsigned(patches, zeroPoint, to);
}
inline void widen(const Patches<int8_t>& patches, int32_t zeroPoint, int16_t* to) {
    vectorKernels().widenSigned(patches, zeroPoint, to);
}
inline void widen(const Patches<uint8_t>& patches, int32_t zeroPoint, float* to) {
    vectorKernels().floatUnsigned(patches, zeroPoint, to);
}
inline void widen(const Patches<int8_t>& patches, int32_t zeroPoint, float* to) {
    vectorKernels().floatSigned(patches, zeroPoint, to);
}

}  // namespace nn::ops
