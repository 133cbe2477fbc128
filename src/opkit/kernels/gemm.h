// Matrix products, c[m][n] = sum_k a[m][k] * b[n][k], of sums without rounding errors that count:
// both factors have the summed index last, which is how filters and patches of images lie in
// memory. b is packed first, into the order that the product reads it in.
//
//   using Gemm = GemmOf<float>;
//   const size_t depth = roundUp(columns, Gemm::kDepth);
//   for (n...) for (k...) packed[Gemm::indexOf(n, k, depth)] = b[n][k];  // and zeros up to depth
//   Gemm::multiply({a, rows, depth, depth}, packed, {c, rows, roundUp(n, Gemm::kColumns), ...});
#pragma once

#include <cstddef>
#include <cstdint>
#include <type_traits>

namespace nn::ops {

// Row-major; the elements of a row are contiguous, rows begin `stride` elements apart.
template <class E>
struct Matrix {
    E* data;
    size_t rows;
    size_t columns;
    size_t stride;
};

void multiplyPacked(Matrix<const double> a, const double* packed, Matrix<double> c);
void multiplyPacked(Matrix<const int16_t> a, const int16_t* packed, Matrix<int32_t> c);

constexpr size_t roundUp(size_t size, size_t multiple) {
    return (size + multiple - 1) / multiple * multiple;
}

// For factors that come from float32: their products are exact in double. The order of additions is
// that of k.
struct RealGemm {
    using Factor = double;
    using Sum = double;
    static constexpr size_t kDepth = 1;    // sums have a multiple of so many products
    static constexpr size_t kColumns = 8;  // c has a multiple of so many columns

    // Where b[n][k] is.
    static constexpr size_t indexOf(size_t n, size_t k, size_t depth) {
        return (n / kColumns * depth + k) * kColumns + n % kColumns;
    }
    static void multiply(Matrix<const double> a, const double* packed, Matrix<double> c) {
        multiplyPacked(a, packed, c);
    }
};

// For factors in [-255, 255]: exact modulo 2^32.
struct IntegerGemm {
    using Factor = int16_t;
    using Sum = int32_t;
    static constexpr size_t kDepth = 8;
    static constexpr size_t kColumns = 1;

    static constexpr size_t indexOf(size_t n, size_t k, size_t depth) { return n * depth + k; }
    static void multiply(Matrix<const int16_t> a, const int16_t* packed, Matrix<int32_t> c) {
        multiplyPacked(a, packed, c);
    }
};

// The product for elements as they are stored.
template <class E>
using GemmOf = std::conditional_t<std::is_same_v<E, float>, RealGemm, IntegerGemm>;

}  // namespace nn::ops
