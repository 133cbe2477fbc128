#include "opkit/kernels/elementwise.h"

#include <absl/algorithm/container.h>

#include <cmath>

#include "opkit/kernels/kernel_call.h"
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

// -x; the least integer is its own negative
int32_t wrappingNegative(int32_t x) { return static_cast<int32_t>(0u - static_cast<uint32_t>(x)); }

}  // namespace
}  // namespace elementwise

bool kernels::ABS(KernelCall& op) {
    return elementwise::mapAll(
            op, [](float x) { return std::fabs(x); },
            [](int32_t x) { return x < 0 ? elementwise::wrappingNegative(x) : x; });
}

bool kernels::EXP(KernelCall& op) {
    return elementwise::mapAll(op, [](float x) { return std::exp(x); });
}

bool kernels::FLOOR(KernelCall& op) {
    return elementwise::mapAll(op, [](float x) { return std::floor(x); });
}

bool kernels::LOG(KernelCall& op) {
    return elementwise::mapAll(op, [](float x) { return std::log(x); });
}

bool kernels::NEG(KernelCall& op) {
    return elementwise::mapAll(
            op, [](float x) { return -x; }, elementwise::wrappingNegative);
}

bool kernels::RSQRT(KernelCall& op) {
    return elementwise::mapAll(op, [](float x) { return 1.0f / std::sqrt(x); });
}

bool kernels::SIN(KernelCall& op) {
    return elementwise::mapAll(op, [](float x) { return std::sin(x); });
}

bool kernels::SQRT(KernelCall& op) {
    return elementwise::mapAll(op, [](float x) { return std::sqrt(x); });
}

}  // namespace nn::ops
