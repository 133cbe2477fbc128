#include "op_support/kernels/axis_slices.h"
#include "op_support/kernels/kernel_call.h"
#include "op_support/kernels/strided_copy.h"
#include "ops/reverse/signature.h"

namespace nn::ops {
// y[..., i, ...] = x[..., size - 1 - i, ...]
bool kernels::REVERSE(KernelCall& op) {
    using namespace reverse;
    const Value& input = op.input(kInput);
    const AxisSlices slices(input, op.ints(kAxis)->front());
    const size_t stride = slices.stride();
    const size_t slab = slices.size() * stride;
    StridedCopy copy(input);
    copy.axis(stride, 1, 1);
    copy.axis(slices.size(), size_t{0} - stride, stride);
    copy.axis(slices.count() / stride, slab, slab);
    copy.run(op.output(0), slab - stride);
    return true;
}

}  // namespace nn::ops
