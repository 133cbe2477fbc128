#include "op_support/kernels/broadcast.h"
#include "op_support/kernels/kernel_call.h"

namespace nn::ops {

// y = x if x >= 0, else alpha * x
bool kernels::PRELU(KernelCall& op) {
    broadcastReals(op, [](float x, float alpha) { return x >= 0 ? x : alpha * x; });
    return true;
}

}  // namespace nn::ops
