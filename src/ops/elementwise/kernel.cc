#include "op_support/kernels/elementwise.h"

#include <absl/algorithm/container.h>

#include <cmath>

#include "op_support/kernels/kernel_call.h"
#include "op_support/kernels/vector_kernels.h"
#include "ops/elementwise/signature.h"

namespace nn::ops {
namespace elementwise {
namespace {

// y = f(x) of real values
template <class F>
bool mapAll(KernelCall& op, F f) {
    mapReals(op, f);
    return true;
}

// y = f(x) of real values, y = g(x) of TENSOR_INT32
template <class F, class G>
bool mapAll(KernelCall& op, F f, G g) {
    const Value& input = op.input(kInput);
    if (input.type != TENSOR_INT32) return mapAll(op, f);
    absl::c_transform(input.as<int32_t>(), op.output(0).mutableAs<int32_t>().begin(), g);
    return true;
}

// y = f(x) of real values, by a loop over all
bool mapAll(KernelCall& op, void (*VectorKernels::*f)(std::span<const float>, float*)) {
    const std::span<float> y = op.realOutput(0);
    (vectorKernels().*f)(op.reals(kInput), y.data());
    op.store(0, y);
    return true;
}

// -x; the least integer is its own negative
int32_t wrappingNegative(int32_t x) { return static_cast<int32_t>(0u - static_cast<uint32_t>(x)); }

}  // namespace
}  // namespace elementwise

bool kernels::ABS(KernelCall& op) {
    return elementwise::mapAll(
            op, [](float x) { return std::fabs(x); },
            [](int32_t x) { return x < 0 ? elementwise::wrappingNegative(x) : x; });
}

bool kernels::EXP(KernelCall& op) { return elementwise::mapAll(op, &VectorKernels::exponentials); }

bool kernels::FLOOR(KernelCall& op) {
    return elementwise::mapAll(op, [](float x) { return std::floor(x); });
}

bool kernels::LOG(KernelCall& op) { return elementwise::mapAll(op, &VectorKernels::logarithms); }

bool kernels::NEG(KernelCall& op) {
    return elementwise::mapAll(
            op, [](float x) { return -x; }, elementwise::wrappingNegative);
}

bool kernels::RSQRT(KernelCall& op) {
    return elementwise::mapAll(op, &VectorKernels::inverseRoots);
}

bool kernels::SIN(KernelCall& op) {
    const std::span<const float> x = op.reals(elementwise::kInput);
    const std::span<float> y = op.realOutput(0);
    vectorKernels().sines(x, y.data());
    for (size_t i = 0; i < x.size(); ++i) {
        if (!(std::fabs(x[i]) <= kMostOfSines)) y[i] = std::sin(x[i]);
    }
    op.store(0, y);
    return true;
}

bool kernels::SQRT(KernelCall& op) { return elementwise::mapAll(op, &VectorKernels::roots); }

}  // namespace nn::ops
