#include "op_support/kernels/kernel_call.h"
#include "op_support/kernels/strided_copy.h"
#include "ops/expand_dims/signature.h"

namespace nn::ops {
// y = x, element by element
bool kernels::EXPAND_DIMS(KernelCall& op) {
    copyElements(op.input(expand_dims::kInput), op.output(0));
    return true;
}

}  // namespace nn::ops
