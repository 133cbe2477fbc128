// Matrix products, c[m][n] = sum_k a[m][k] * b[n][k], of sums without rounding errors that count:
// both factors have the summed index last, which is how filters and patches of images lie in
// memory. b is packed first, into the order that the product reads it in.
//
//   using Gemm = GemmOf<float>;
//   const size_t depth = roundUp(columns, Gemm::kDepth);
//   for (n...) Gemm::pack(b[n], n, depth, packed);  // and zeros for what that leaves
//   Gemm::multiply({a, rows, depth, depth}, packed, {c, rows, roundUp(n, Gemm::kColumns), ...});
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>
#include <type_traits>

#include "opkit/kernels/vector_kernels.h"

namespace nn::ops {

constexpr size_t roundUp(size_t size, size_t multiple) {
    return (size + multiple - 1) / multiple * multiple;
}

// For factors converted from float32: products are exact in double. Additions are in order of k.
struct RealGemm {
    using Factor = double;
    using Sum = double;
    static constexpr size_t kDepth = 1;    // sums have a multiple of this many products
    static constexpr size_t kColumns = 8;  // c has a multiple of this many columns

    // Stores b[n] in the order that multiply() reads.
    static void pack(std::span<const double> row, size_t n, size_t depth, double* packed) {
        double* column = packed + n / kColumns * kColumns * depth + n % kColumns;
        for (size_t k = 0; k < row.size(); ++k) column[k * kColumns] = row[k];
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
    static constexpr size_t kColumns = 8;

    // Pairs of a column stay together.
    static void pack(std::span<const int16_t> row, size_t n, size_t depth, int16_t* packed) {
        int16_t* column = packed + n / kColumns * kColumns * depth + n % kColumns * 2;
        size_t k = 0;
        for (; k + 2 <= row.size(); k += 2) {
            std::memcpy(column + k * kColumns, row.data() + k, 2 * sizeof(int16_t));
        }
        if (k < row.size()) column[k * kColumns] = row[k];
    }
    static void multiply(Matrix<const int16_t> a, const int16_t* packed, Matrix<int32_t> c) {
        vectorKernels().multiplyIntegers(a, packed, c);
    }
};

// The product type for stored elements.
template <class E>
using GemmOf = std::conditional_t<std::is_same_v<E, float>, RealGemm, IntegerGemm>;

}  // namespace nn::ops
