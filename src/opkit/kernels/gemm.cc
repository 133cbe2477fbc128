#include "opkit/kernels/gemm.h"

#include <algorithm>
#include <cstring>

#include "opkit/kernels/vector_clones.h"
#include "opkit/rules/quantization.h"

namespace nn::ops {
namespace {

// Four doubles, whose sums stay in registers.
constexpr size_t kLanes = 4;
using Lanes = double __attribute__((vector_size(kLanes * sizeof(double))));

// One tile of c: kRows rows and RealGemm::kColumns columns.
template <size_t kRows>
NNAPI_INLINE void multiplyTile(const double* a, size_t strideA, const double* packed, size_t depth,
                               double* c, size_t strideC) {
    constexpr size_t kVectors = RealGemm::kColumns / kLanes;
    Lanes sums[kRows][kVectors] = {};
    for (size_t k = 0; k < depth; ++k, packed += RealGemm::kColumns) {
        Lanes b[kVectors];
        for (size_t v = 0; v < kVectors; ++v) {
            std::memcpy(&b[v], packed + v * kLanes, sizeof(Lanes));
        }
        for (size_t m = 0; m < kRows; ++m) {
            const double factor = a[m * strideA + k];
            for (size_t v = 0; v < kVectors; ++v) {
                sums[m][v] += Lanes{factor, factor, factor, factor} * b[v];
            }
        }
    }
    for (size_t m = 0; m < kRows; ++m) {
        for (size_t v = 0; v < kVectors; ++v) {
            std::memcpy(c + m * strideC + v * kLanes, &sums[m][v], sizeof(Lanes));
        }
    }
}

// Sums of so many products of factors in [-255, 255] fit 32 bits.
constexpr size_t kMostColumns = 32768;

// Adds to one tile of c. A loop so simple that compilers turn it into multiply-and-add instructions
// on vectors, with the sums in registers.
template <size_t kRows, size_t kColumns>
NNAPI_INLINE void addTile(const int16_t* a, size_t strideA, const int16_t* b, size_t strideB,
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
            c[m * strideC + n] = addWrapping(c[m * strideC + n], sums[m][n]);
        }
    }
}

template <size_t kRows>
NNAPI_INLINE void addRows(const int16_t* a, size_t strideA, Matrix<const int16_t> b, int32_t* c,
                          size_t strideC) {
    constexpr size_t kColumnTile = 4;
    size_t n = 0;
    for (; n + kColumnTile <= b.rows; n += kColumnTile) {
        addTile<kRows, kColumnTile>(a, strideA, b.data + n * b.stride, b.stride, b.columns, c + n,
                                    strideC);
    }
    for (; n < b.rows; ++n) {
        addTile<kRows, 1>(a, strideA, b.data + n * b.stride, b.stride, b.columns, c + n, strideC);
    }
}

}  // namespace

NNAPI_VECTOR_CLONES void multiplyPacked(Matrix<const double> a, const double* packed,
                                        Matrix<double> c) {
    constexpr size_t kRowTile = 4;
    for (size_t m = 0; m < a.rows;) {
        const size_t rows = m + kRowTile <= a.rows ? kRowTile : 1;
        for (size_t n = 0; n < c.columns; n += RealGemm::kColumns) {
            const double* rowsOfA = a.data + m * a.stride;
            const double* columns = packed + n * a.columns;
            double* tile = c.data + m * c.stride + n;
            if (rows == kRowTile) {
                multiplyTile<kRowTile>(rowsOfA, a.stride, columns, a.columns, tile, c.stride);
            } else {
                multiplyTile<1>(rowsOfA, a.stride, columns, a.columns, tile, c.stride);
            }
        }
        m += rows;
    }
}

NNAPI_VECTOR_CLONES void multiplyPacked(Matrix<const int16_t> a, const int16_t* packed,
                                        Matrix<int32_t> c) {
    constexpr size_t kRowTile = 2;
    for (size_t m = 0; m < c.rows; ++m) std::fill_n(c.data + m * c.stride, c.columns, 0);
    for (size_t k = 0; k < a.columns; k += kMostColumns) {
        const size_t depth = std::min(a.columns - k, kMostColumns);
        const Matrix<const int16_t> b{packed + k, c.columns, depth, a.columns};
        size_t m = 0;
        for (; m + kRowTile <= a.rows; m += kRowTile) {
            addRows<kRowTile>(a.data + m * a.stride + k, a.stride, b, c.data + m * c.stride,
                              c.stride);
        }
        for (; m < a.rows; ++m) {
            addRows<1>(a.data + m * a.stride + k, a.stride, b, c.data + m * c.stride, c.stride);
        }
    }
}

}  // namespace nn::ops
