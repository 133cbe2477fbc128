#include <algorithm>

#include "op_support/kernels/elementwise.h"
#include "op_support/kernels/kernel_call.h"

namespace nn::ops {

// y = x * min(6, max(0, x + 3)) / 6
bool kernels::HARD_SWISH(KernelCall& op) {
    mapReals(op, [](float x) { return x * std::clamp(x + 3.0f, 0.0f, 6.0f) / 6.0f; });
    return true;
}

}  // namespace nn::ops
