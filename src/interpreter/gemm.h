// Matrix products, c[m][n] = sum_k a[m][k] * b[n][k]: both factors have the summed index last,
// which is how filters and patches of images lie in memory.
//
//   multiplyTransposed({patches, rows, depth, depth}, {filter, channels, depth, depth},
//                      {sums, rows, channels, channels});
#pragma once

#include <cstddef>
#include <cstdint>

namespace nn::ops {

// Row-major; the elements of a row are contiguous, rows begin `stride` elements apart.
template <class E>
struct Matrix {
    E* data;
    size_t rows;
    size_t columns;
    size_t stride;
};

void multiplyTransposed(Matrix<const float> a, Matrix<const float> b, Matrix<float> c);

// Exact for factors in [-255, 255], modulo 2^32. Fastest with a multiple of 8 columns.
void multiplyTransposed(Matrix<const int16_t> a, Matrix<const int16_t> b, Matrix<int32_t> c);

}  // namespace nn::ops
