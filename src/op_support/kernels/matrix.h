// A view of a matrix in memory.
#pragma once

#include <cstddef>

namespace nn::ops {

// Row-major; the elements of a row are contiguous, rows begin `stride` elements apart.
template <class E>
struct Matrix {
    E* data;
    size_t rows;
    size_t columns;
    size_t stride;
};

}  // namespace nn::ops
