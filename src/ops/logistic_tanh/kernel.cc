#include <cmath>

#include "interpreter/elementwise.h"
#include "interpreter/execution.h"

namespace nn::ops {

// y = 1 / (1 + exp(-x))
bool kernels::LOGISTIC(Execution& op) {
    mapReals(op, [](float x) { return 1.0f / (1.0f + std::exp(-x)); });
    return true;
}

// y = tanh x
bool kernels::TANH(Execution& op) {
    mapReals(op, [](float x) { return std::tanh(x); });
    return true;
}

}  // namespace nn::ops
