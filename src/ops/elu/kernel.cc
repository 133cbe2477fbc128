#include <cmath>

#include "op_support/kernels/elementwise.h"
#include "op_support/kernels/kernel_call.h"
#include "ops/elu/signature.h"

namespace nn::ops {

// y = max(0, x) + min(0, alpha * (exp(x) - 1)). The second term is 0 if x and alpha have the same
// sign.
bool kernels::ELU(KernelCall& op) {
    const float alpha = *op.real(elu::kAlpha);
    const bool isNegative = alpha < 0;
    mapReals(op, [alpha, isNegative](float x) {
        const float straight = x < 0 ? 0 : x;
        return (x < 0) == isNegative ? straight : straight + alpha * std::expm1(x);
    });
    return true;
}

}  // namespace nn::ops
