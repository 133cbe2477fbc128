#include <cmath>

#include "op_support/kernels/broadcast.h"
#include "op_support/kernels/kernel_call.h"

namespace nn::ops {

// y = base ^ exponent
bool kernels::POW(KernelCall& op) {
    broadcastReals(op, [](float base, float exponent) { return std::pow(base, exponent); });
    return true;
}

}  // namespace nn::ops
