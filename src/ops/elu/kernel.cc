#include <cmath>

#include "opkit/kernels/elementwise.h"
#include "opkit/kernels/kernel_call.h"
#include "ops/elu/signature.h"

namespace nn::ops {

// y = x if x >= 0, else alpha * (exp(x) - 1)
bool kernels::ELU(KernelCall& op) {
    const float alpha = *op.real(elu::kAlpha);
    mapReals(op, [alpha](float x) { return x >= 0 ? x : alpha * std::expm1(x); });
    return true;
}

}  // namespace nn::ops
