#include <algorithm>
#include <cmath>
#include <concepts>
#include <numeric>

#include "op_support/kernels/elements.h"
#include "ops/topk_v2/signature.h"

namespace nn::ops {
namespace topk_v2 {
namespace {

// NaN is less than all numbers, so that the order is total.
template <class E>
bool isBelow(E a, E b) {
    if constexpr (std::floating_point<E>) return a < b || (std::isnan(a) && !std::isnan(b));
    return a < b;
}

// The indexes of x in descending order of (value, index), the first k of them.
template <class E>
std::span<const int32_t> largest(std::span<const E> x, size_t k, std::span<int32_t> order) {
    std::iota(order.begin(), order.end(), 0);
    const auto precedes = [x](int32_t a, int32_t b) {
        const E left = x[static_cast<size_t>(a)];
        const E right = x[static_cast<size_t>(b)];
        return isBelow(right, left) || (!isBelow(left, right) && a > b);
    };
    std::partial_sort(order.begin(), order.begin() + static_cast<ptrdiff_t>(k), order.end(),
                      precedes);
    return order.first(k);
}

}  // namespace
}  // namespace topk_v2

// values[i], indices[i] = the i-th largest of (x[j], j) over the last axis: among equal elements,
// the last comes first
bool kernels::TOPK_V2(KernelCall& op) {
    using namespace topk_v2;
    const size_t size = op.input(kInput).dimensions.back();
    const auto k = static_cast<size_t>(*op.int32(kCount));
    const auto indices = op.output(kIndices).mutableAs<int32_t>();
    const auto order = op.scratch<int32_t>(size);
    visitElements(op, kInput, [&]<class E>(std::span<const E> x) {
        const std::span<E> values = elementOutput<E>(op, kValues);
        for (size_t in = 0, out = 0; in < x.size(); in += size) {
            const auto row = x.subspan(in, size);
            for (const int32_t j : largest(row, k, order)) {
                values[out] = row[static_cast<size_t>(j)];
                indices[out++] = j;
            }
        }
        storeElements<E>(op, kValues, values);
    });
    return true;
}

}  // namespace nn::ops
