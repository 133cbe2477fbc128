
#include <absl/algorithm/container.h>

#include "op_support/kernels/convolution.h"
#include "op_support/kernels/image_layout.h"
#include "ops/batch_matmul/signature.h"

namespace nn::ops {
namespace batch_matmul {
namespace {

struct Product {
    size_t batches, rows, columns, inner;
    bool adjointX, adjointY;

    // The number of multiplications, as a real number, which cannot overflow.
    double size() const {
        return static_cast<double>(batches) * static_cast<double>(rows) *
               static_cast<double>(columns) * static_cast<double>(inner);
    }

    explicit Product(const KernelCall& op)
        : batches(1), adjointX(*op.boolean(kAdjointX)), adjointY(*op.boolean(kAdjointY)) {
        const Value& x = op.input(kX);
        const Value& output = op.output(0);
        const size_t rank = output.dimensions.size();
        for (size_t i = 0; i + 2 < rank; ++i) batches *= output[i];
        rows = output[rank - 2];
        columns = output[rank - 1];
        inner = x[adjointX ? rank - 2 : rank - 1];
    }
};

// sums[c] = sum_k x[row, k] * y[k, c], with x and y, transposed if requested, minus their zero
// points
template <class E, class Sum>
void multiplyRow(const Product& p, const E* x, Sum zeroX, const E* y, Sum zeroY, size_t row,
                 std::span<Sum> sums) {
    const auto at = [&](size_t k) {
        return static_cast<Sum>(x[p.adjointX ? k * p.rows + row : row * p.inner + k]) - zeroX;
    };
    absl::c_fill(sums, Sum{0});
    if (p.adjointY) {
        for (size_t c = 0; c < p.columns; ++c) {
            const E* line = y + c * p.inner;
            for (size_t k = 0; k < p.inner; ++k) {
                sums[c] += at(k) * (static_cast<Sum>(line[k]) - zeroY);
            }
        }
        return;
    }
    for (size_t k = 0; k < p.inner; ++k) {
        const E* line = y + k * p.columns;
        const Sum factor = at(k);
        for (size_t c = 0; c < p.columns; ++c) {
            sums[c] += factor * (static_cast<Sum>(line[c]) - zeroY);
        }
    }
}

// Computes row by row. Calls put(first, sums) with each row and the index of its first element.
template <class E, class Sum, class Put>
void multiply(Interruption& interruption, const Product& p, const E* x, Sum zeroX, const E* y,
              Sum zeroY, std::span<Sum> sums, const Put& put) {
    for (size_t batch = 0; batch < p.batches; ++batch) {
        for (size_t row = 0; row < p.rows; ++row) {
            interruption.spend(p.inner * p.columns);
            multiplyRow(p, x + batch * p.rows * p.inner, zeroX, y + batch * p.inner * p.columns,
                        zeroY, row, sums);
            put((batch * p.rows + row) * p.columns, sums);
        }
    }
}

// The matrix itself, or its transpose in `memory`.
template <class E>
const E* rowsOf(KernelCall& op, const E* matrix, bool isTransposed, size_t rows, size_t columns,
                std::span<E>& memory) {
    if (!isTransposed) return matrix;
    if (memory.empty()) memory = op.scratch<E>(rows * columns);
    transposeMatrix(matrix, columns, rows, memory.data());
    return memory.data();
}

// Like multiply(), by the matrix product of convolutions: x is an image of one-pixel windows, and
// the columns of y are the filters. put(first, sums, scale) gets a part of a row.
template <class Sum, class E, class Put>
void multiplyPacked(KernelCall& op, const Product& p, std::span<const E> x, std::span<const E> y,
                    double scale, const Put& put) {
    std::span<E> memoryX, memoryY;
    for (size_t batch = 0; batch < p.batches; ++batch) {
        const E* left = rowsOf(op, x.data() + batch * p.rows * p.inner, p.adjointX, p.rows, p.inner,
                               memoryX);
        const E* right = rowsOf(op, y.data() + batch * p.inner * p.columns, !p.adjointY, p.columns,
                                p.inner, memoryY);
        multiplyRows(op, Matrix<const E>{left, p.rows, p.inner, p.inner},
                     Matrix<const E>{right, p.columns, p.inner, p.inner},
                     [&](Matrix<const Sum> sums, size_t row, size_t column) {
                         for (size_t m = 0; m < sums.rows; ++m) {
                             put((batch * p.rows + row + m) * p.columns + column,
                                 std::span(sums.data + m * sums.stride, sums.columns), scale);
                         }
                     });
    }
}

}  // namespace
}  // namespace batch_matmul

bool kernels::BATCH_MATMUL(KernelCall& op) {
    using namespace batch_matmul;
    const Product product(op);
    const Value& x = op.input(kX);
    const Value& y = op.input(kY);
    if (x.type == TENSOR_INT32) {  // unsigned, so that sums wrap
        const auto out = op.output(0).mutableAs<uint32_t>();
        multiply(op.interruption(), product, x.as<uint32_t>().data(), 0u, y.as<uint32_t>().data(),
                 0u, op.scratch<uint32_t>(product.columns), [&](size_t first, auto sums) {
                     absl::c_copy(sums, out.begin() + static_cast<std::ptrdiff_t>(first));
                 });
        return true;
    }
    const auto out = op.realOutput(0);
    if (product.inner == 0) {
        absl::c_fill(out, 0.0f);
        op.store(0, out);
        return true;
    }
    const auto put = [&](size_t first, auto sums, double scale) {
        for (const auto sum : sums)
            out[first++] = static_cast<float>(static_cast<double>(sum) * scale);
    };
    constexpr size_t kFits32Bits = size_t{1} << 15;  // products whose sum fits
    constexpr double kFew = 1024;                    // multiplications that packing would slow down
    if (x.type != TENSOR_QUANT8_ASYMM_SIGNED) {
        multiplyPacked<double>(op, product, op.reals(kX), op.reals(kY), 1, put);
    } else if (product.inner <= kFits32Bits && product.size() <= kFew) {
        multiply(op.interruption(), product, x.as<int8_t>().data(), x.zeroPoint,
                 y.as<int8_t>().data(), y.zeroPoint, op.scratch<int32_t>(product.columns),
                 [&](size_t first, auto sums) { put(first, sums, double{x.scale} * y.scale); });
    } else if (product.inner <= kFits32Bits) {
        multiplyPacked<int32_t>(op, product, x.as<int8_t>(), y.as<int8_t>(),
                                double{x.scale} * y.scale, put);
    } else {
        multiply(op.interruption(), product, x.as<int8_t>().data(), int64_t{x.zeroPoint},
                 y.as<int8_t>().data(), int64_t{y.zeroPoint}, op.scratch<int64_t>(product.columns),
                 [&](size_t first, auto sums) { put(first, sums, double{x.scale} * y.scale); });
    }
    op.store(0, out);
    return true;
}

}  // namespace nn::ops
