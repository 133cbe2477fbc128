#include <cmath>

#include "op_support/kernels/elementwise.h"
#include "op_support/kernels/kernel_call.h"
#include "op_support/kernels/vector_kernels.h"

namespace nn::ops {

// y = 1 / (1 + exp(-x))
bool kernels::LOGISTIC(KernelCall& op) {
    if (isQuant8Asymm(op.input(0).type)) {
        mapReals(op, [](float x) { return 1.0f / (1.0f + std::exp(-x)); });
    } else {
        const std::span<float> y = op.realOutput(0);
        vectorKernels().logistic(op.reals(0), y.data());
        op.store(0, y);
    }
    return true;
}

// y = tanh x
bool kernels::TANH(KernelCall& op) {
    mapReals(op, [](float x) { return std::tanh(x); });
    return true;
}

}  // namespace nn::ops
