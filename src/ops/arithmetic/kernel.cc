#include <functional>

#include "op_support/kernels/broadcast.h"
#include "op_support/kernels/kernel_call.h"
#include "op_support/kernels/vector_kernels.h"
#include "op_support/rules/quantization.h"
#include "ops/arithmetic/signature.h"

namespace nn::ops {
namespace arithmetic {
namespace {

// y = activation(f(a, b)) of real values; y = g(a, b) of TENSOR_INT32
template <class G>
bool compute(KernelCall& op, VectorKernels::Combine f, G g) {
    if (op.output(0).type == TENSOR_INT32) {
        broadcastInto(op, op.input(kInput0).as<int32_t>(), op.input(kInput1).as<int32_t>(),
                      op.output(0).mutableAs<int32_t>(), g);
    } else {
        const RealRange range = activationRange(*op.int32(kActivation));
        const std::span<float> y = op.realOutput(0);
        broadcastRows(op, op.reals(kInput0), op.reals(kInput1), y,
                      [f, range](const float* a, size_t strideA, const float* b, size_t strideB,
                                 size_t count,
                                 float* out) { f(a, strideA, b, strideB, count, range, out); });
        op.store(0, y);
    }
    return true;
}

// Wrapping arithmetic on 32-bit two's complement integers.
template <class F>
auto wrapping(F f) {
    return [f](int32_t a, int32_t b) {
        return static_cast<int32_t>(f(static_cast<uint32_t>(a), static_cast<uint32_t>(b)));
    };
}

// floor(a / b); 0 if b is 0.
int32_t floorDivide(int32_t a, int32_t b) {
    if (b == 0) return 0;
    const int64_t quotient = int64_t{a} / b;
    const bool roundedUp = int64_t{a} % b != 0 && (a < 0) != (b < 0);
    return static_cast<int32_t>(roundedUp ? quotient - 1 : quotient);
}

}  // namespace
}  // namespace arithmetic

bool kernels::ADD(KernelCall& op) {
    return arithmetic::compute(op, vectorKernels().plus, arithmetic::wrapping(std::plus<>()));
}

bool kernels::SUB(KernelCall& op) {
    return arithmetic::compute(op, vectorKernels().minus, arithmetic::wrapping(std::minus<>()));
}

bool kernels::MUL(KernelCall& op) {
    return arithmetic::compute(op, vectorKernels().times,
                               arithmetic::wrapping(std::multiplies<>()));
}

bool kernels::DIV(KernelCall& op) {
    return arithmetic::compute(op, vectorKernels().dividedBy, arithmetic::floorDivide);
}

}  // namespace nn::ops
