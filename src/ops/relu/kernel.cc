#include "op_support/kernels/kernel_call.h"
#include "op_support/kernels/vector_kernels.h"
#include "op_support/rules/quantization.h"

namespace nn::ops {
namespace relu {
namespace {

// y = min(max(x, least), most); stored values are clamped to bounds with the quantization of the
// input.
template <class E>
bool cutStored(const KernelCall& op, int32_t activation) {
    const Value& x = op.input(0);
    const StoredRange range = activationRange<E>(activation, x.scale, x.zeroPoint);
    clamp(x.as<E>(), range, op.output(0).mutableAs<E>().data());
    return true;
}

bool cut(KernelCall& op, int32_t activation) {
    switch (op.input(0).type) {
        case TENSOR_QUANT8_ASYMM:
            return cutStored<uint8_t>(op, activation);
        case TENSOR_QUANT8_ASYMM_SIGNED:
            return cutStored<int8_t>(op, activation);
        default: {
            const std::span<float> y = op.realOutput(0);
            vectorKernels().clampReals(op.reals(0), activationRange(activation), y.data());
            op.store(0, y);
            return true;
        }
    }
}

}  // namespace
}  // namespace relu

bool kernels::RELU(KernelCall& op) { return relu::cut(op, 1); }

bool kernels::RELU1(KernelCall& op) { return relu::cut(op, 2); }

bool kernels::RELU6(KernelCall& op) { return relu::cut(op, 3); }

}  // namespace nn::ops
