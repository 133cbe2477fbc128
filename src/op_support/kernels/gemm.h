// Matrix products, c[m][n] = sum_k a[m][k] * b[n][k], of sums with negligible rounding errors: both
// factors have the summed index last, as filters and patches of images have in memory. b is first
// packed into the order in which the product reads it.
//
//   using Gemm = GemmOf<float>;
//   const size_t depth = roundUp(columns, Gemm::kDepth);
//   for (n...) Gemm::pack(b[n], n, depth, packed);  // and zeros in the rest
//   Gemm::multiply({a, rows, depth, depth}, packed, {c, rows, roundUp(n, kGemmColumns), ...});
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>
#include <type_traits>

#include "op_support/kernels/vector_kernels.h"

namespace nn::ops {

constexpr size_t roundUp(size_t size, size_t multiple) {
    return (size + multiple - 1) / multiple * multiple;
}

inline constexpr size_t kGemmColumns = 8;  // c has a multiple of this many columns

// Stores b[n] so that kTogether consecutive factors of a column stay together.
template <size_t kTogether, class Factor>
void packTogether(std::span<const Factor> row, size_t n, size_t depth, Factor* packed) {
    Factor* column =
            packed + n / kGemmColumns * kGemmColumns * depth + n % kGemmColumns * kTogether;
    size_t k = 0;
    for (; k + kTogether <= row.size(); k += kTogether) {
        std::memcpy(column + k * kGemmColumns, row.data() + k, kTogether * sizeof(Factor));
    }
    if (k < row.size()) {
        std::memcpy(column + k * kGemmColumns, row.data() + k, (row.size() - k) * sizeof(Factor));
    }
}

// For factors converted from float32: products are exact in double. Additions are in order of k.
struct RealGemm {
    using Factor = double;
    using Sum = double;
    static constexpr size_t kDepth = 1;  // sums have a multiple of this many products

    // Stores b[n] in the order that multiply() reads.
    static void pack(std::span<const double> row, size_t n, size_t depth, double* packed) {
        packTogether<kDepth>(row, n, depth, packed);
    }
    static void multiply(Matrix<const double> a, const double* packed, Matrix<double> c) {
        vectorKernels().multiplyReals(a, packed, c);
    }
};

// For factors in [-255, 255]: exact modulo 2^32.
struct IntegerGemm {
    using Factor = int16_t;
    using Sum = int32_t;
    static constexpr size_t kDepth = 2;

    static void pack(std::span<const int16_t> row, size_t n, size_t depth, int16_t* packed) {
        packTogether<kDepth>(row, n, depth, packed);
    }
    static void multiply(Matrix<const int16_t> a, const int16_t* packed, Matrix<int32_t> c) {
        vectorKernels().multiplyIntegers(a, packed, c);
    }
};

// The same for a set's products of bytes, which it multiplies itself.
inline void packBytes(const ByteKernels& kernels, std::span<const int8_t> row, size_t n,
                      size_t depth, int8_t* packed) {
    kernels.depth == 8 ? packTogether<8>(row, n, depth, packed)
                       : packTogether<4>(row, n, depth, packed);
}

// The product type for stored elements.
template <class E>
using GemmOf = std::conditional_t<std::is_same_v<E, float>, RealGemm, IntegerGemm>;

}  // namespace nn::ops
