#include <absl/algorithm/container.h>

#include <algorithm>
#include <concepts>
#include <limits>
#include <utility>

#include "op_support/kernels/elements.h"
#include "op_support/kernels/reduction.h"
#include "ops/reduce/signature.h"

namespace nn::ops {
namespace reduce {
namespace {

// y = f(... f(f(start, x0), x1) ...), computed in double
template <class F>
bool foldReals(KernelCall& op, double start, F f) {
    const auto x = op.reals(kInput);
    const auto y = op.realOutput(0);
    const auto folded = op.scratch<double>(y.size());
    absl::c_fill(folded, start);
    foldAxes(op.input(kInput), *op.ints(kAxes), x, folded, f);
    absl::c_transform(folded, y.begin(), [](double v) { return static_cast<float>(v); });
    op.store(0, y);
    return true;
}

// The same for values that are compared as stored. The start is the lowest or highest finite number
// of the type.
template <class F>
bool foldOrdered(KernelCall& op, bool startsLowest, F f) {
    visitElements(op, kInput, [&]<class E>(std::span<const E> x) {
        std::pair range(std::numeric_limits<E>::lowest(), std::numeric_limits<E>::max());
        if constexpr (std::same_as<E, float>) {
            if (op.input(kInput).type == TENSOR_FLOAT16) range = {-65504.0f, 65504.0f};
        }
        const std::span<E> y = elementOutput<E>(op, 0);
        absl::c_fill(y, startsLowest ? range.first : range.second);
        foldAxes(op.input(kInput), *op.ints(kAxes), x, y, f);
        storeElements<E>(op, 0, y);
    });
    return true;
}

// The same for truth values: any byte except 0 is true.
template <class F>
bool foldTruth(KernelCall& op, bool start, F f) {
    const auto y = op.output(0).mutableAs<uint8_t>();
    absl::c_fill(y, start ? 1 : 0);
    foldAxes(op.input(kInput), *op.ints(kAxes), op.input(kInput).as<uint8_t>(), y, f);
    return true;
}

}  // namespace
}  // namespace reduce

bool kernels::REDUCE_SUM(KernelCall& op) {
    return reduce::foldReals(op, 0, [](double a, float x) { return a + x; });
}

// A factor of 0 makes the product 0 even if another one is infinite.
bool kernels::REDUCE_PROD(KernelCall& op) {
    return reduce::foldReals(op, 1, [](double a, float x) { return a == 0 || x == 0 ? 0 : a * x; });
}

bool kernels::REDUCE_MAX(KernelCall& op) {
    return reduce::foldOrdered(op, true, [](auto a, auto x) { return std::max(a, x); });
}

bool kernels::REDUCE_MIN(KernelCall& op) {
    return reduce::foldOrdered(op, false, [](auto a, auto x) { return std::min(a, x); });
}

bool kernels::REDUCE_ALL(KernelCall& op) {
    return reduce::foldTruth(op, true,
                             [](uint8_t a, uint8_t x) -> uint8_t { return a & (x != 0); });
}

bool kernels::REDUCE_ANY(KernelCall& op) {
    return reduce::foldTruth(op, false,
                             [](uint8_t a, uint8_t x) -> uint8_t { return a | (x != 0); });
}

}  // namespace nn::ops
