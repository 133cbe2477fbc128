#include "op_support/kernels/kernel_call.h"
#include "op_support/kernels/strided_copy.h"
#include "ops/fill/signature.h"

namespace nn::ops {
// y[i] = value
bool kernels::FILL(KernelCall& op) {
    fillElements(op.output(0), op.input(fill::kValue).data);
    return true;
}

}  // namespace nn::ops
