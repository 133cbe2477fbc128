#include <algorithm>

#include "interpreter/gemm.h"
#include "interpreter/vector_clones.h"

namespace nn::ops {
namespace {

constexpr size_t kRowTile = 2;
constexpr size_t kColumnTile = 4;

// Sums of so many products of factors in [-255, 255] fit 32 bits.
constexpr size_t kMostColumns = 32768;

// One tile of c. Loops so simple that compilers turn them into multiply-and-add instructions on
// vectors, with the sums in registers.
template <size_t kRows, size_t kColumns>
NNAPI_INLINE void multiplyTile(const int16_t* a, size_t strideA, const int16_t* b, size_t strideB,
                               size_t depth, int32_t* c, size_t strideC) {
    int32_t sums[kRows][kColumns] = {};
    for (size_t k = 0; k < depth; ++k) {
        for (size_t m = 0; m < kRows; ++m) {
            for (size_t n = 0; n < kColumns; ++n) {
                sums[m][n] += a[m * strideA + k] * b[n * strideB + k];
            }
        }
    }
    for (size_t m = 0; m < kRows; ++m) {
        for (size_t n = 0; n < kColumns; ++n) {
            int32_t& sum = c[m * strideC + n];
            sum = static_cast<int32_t>(static_cast<uint32_t>(sum) +
                                       static_cast<uint32_t>(sums[m][n]));
        }
    }
}

template <size_t kRows>
NNAPI_INLINE void multiplyRows(const int16_t* a, size_t strideA, Matrix<const int16_t> b,
                               size_t depth, int32_t* c, size_t strideC) {
    size_t n = 0;
    for (; n + kColumnTile <= b.rows; n += kColumnTile) {
        multiplyTile<kRows, kColumnTile>(a, strideA, b.data + n * b.stride, b.stride, depth, c + n,
                                         strideC);
    }
    for (; n < b.rows; ++n) {
        multiplyTile<kRows, 1>(a, strideA, b.data + n * b.stride, b.stride, depth, c + n, strideC);
    }
}

}  // namespace

NNAPI_VECTOR_CLONES void multiplyTransposed(Matrix<const int16_t> a, Matrix<const int16_t> b,
                                            Matrix<int32_t> c) {
    for (size_t m = 0; m < c.rows; ++m) std::fill_n(c.data + m * c.stride, c.columns, 0);
    for (size_t k = 0; k < a.columns; k += kMostColumns) {
        const size_t depth = std::min(a.columns - k, kMostColumns);
        const Matrix<const int16_t> columns{b.data + k, b.rows, depth, b.stride};
        size_t m = 0;
        for (; m + kRowTile <= a.rows; m += kRowTile) {
            multiplyRows<kRowTile>(a.data + m * a.stride + k, a.stride, columns, depth,
                                   c.data + m * c.stride, c.stride);
        }
        for (; m < a.rows; ++m) {
            multiplyRows<1>(a.data + m * a.stride + k, a.stride, columns, depth,
                            c.data + m * c.stride, c.stride);
        }
    }
}

}  // namespace nn::ops
