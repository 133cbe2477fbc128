#include "op_support/kernels/kernel_call.h"
#include "op_support/kernels/strided_copy.h"
#include "ops/squeeze/signature.h"

namespace nn::ops {
// y = x, element by element
bool kernels::SQUEEZE(KernelCall& op) {
    copyElements(op.input(squeeze::kInput), op.output(0));
    return true;
}

}  // namespace nn::ops
