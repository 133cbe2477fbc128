#include "op_support/kernels/broadcast.h"
#include "op_support/kernels/kernel_call.h"
#include "ops/maximum_minimum/signature.h"

namespace nn::ops {
namespace maximum_minimum {
namespace {

template <class F>
bool choose(KernelCall& op, F f) {
    if (op.output(0).type == TENSOR_INT32) {
        broadcastInto(op, op.input(kInput0).as<int32_t>(), op.input(kInput1).as<int32_t>(),
                      op.output(0).mutableAs<int32_t>(), f);
    } else {
        broadcastReals(op, f);
    }
    return true;
}

}  // namespace
}  // namespace maximum_minimum

// y = a if a > b, else b
bool kernels::MAXIMUM(KernelCall& op) {
    return maximum_minimum::choose(op, [](auto a, auto b) { return a > b ? a : b; });
}

// y = a if a < b, else b
bool kernels::MINIMUM(KernelCall& op) {
    return maximum_minimum::choose(op, [](auto a, auto b) { return a < b ? a : b; });
}

}  // namespace nn::ops
