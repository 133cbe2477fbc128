#include "op_support/kernels/kernel_call.h"
#include "ops/rank/signature.h"

namespace nn::ops {
// y = number of dimensions of x
bool kernels::RANK(KernelCall& op) {
    op.output(0).mutableAs<int32_t>()[0] =
            static_cast<int32_t>(op.input(rank::kInput).dimensions.size());
    return true;
}

}  // namespace nn::ops
