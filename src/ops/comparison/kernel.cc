#include <functional>

#include "op_support/kernels/broadcast.h"
#include "op_support/kernels/kernel_call.h"
#include "ops/comparison/signature.h"

namespace nn::ops {
namespace comparison {
namespace {

// y = f(a, b) of real values for floats and quantized types, of stored values for the rest
template <class F>
bool compare(KernelCall& op, F f) {
    const Value& a = op.input(kInput0);
    const Value& b = op.input(kInput1);
    const auto y = op.output(0).mutableAs<uint8_t>();
    const auto asByte = [f](auto x0, auto x1) { return static_cast<uint8_t>(f(x0, x1)); };
    switch (a.type) {
        case TENSOR_BOOL8:
            broadcastInto(op, a.as<uint8_t>(), b.as<uint8_t>(), y, asByte);
            break;
        case TENSOR_INT32:
            broadcastInto(op, a.as<int32_t>(), b.as<int32_t>(), y, asByte);
            break;
        default:
            broadcastInto(op, op.reals(kInput0), op.reals(kInput1), y, asByte);
            break;
    }
    return true;
}

}  // namespace
}  // namespace comparison

bool kernels::EQUAL(KernelCall& op) { return comparison::compare(op, std::equal_to<>()); }

bool kernels::GREATER(KernelCall& op) { return comparison::compare(op, std::greater<>()); }

bool kernels::GREATER_EQUAL(KernelCall& op) {
    return comparison::compare(op, std::greater_equal<>());
}

bool kernels::LESS(KernelCall& op) { return comparison::compare(op, std::less<>()); }

bool kernels::LESS_EQUAL(KernelCall& op) { return comparison::compare(op, std::less_equal<>()); }

bool kernels::NOT_EQUAL(KernelCall& op) { return comparison::compare(op, std::not_equal_to<>()); }

}  // namespace nn::ops
