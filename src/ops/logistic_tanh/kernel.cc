#include <cmath>

#include "opkit/kernels/elementwise.h"
#include "opkit/kernels/kernel_call.h"

namespace nn::ops {

// y = 1 / (1 + exp(-x))
bool kernels::LOGISTIC(KernelCall& op) {
    mapReals(op, [](float x) { return 1.0f / (1.0f + std::exp(-x)); });
    return true;
}

// y = tanh x
bool kernels::TANH(KernelCall& op) {
    mapReals(op, [](float x) { return std::tanh(x); });
    return true;
}

}  // namespace nn::ops
