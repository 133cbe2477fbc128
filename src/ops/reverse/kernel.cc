#include "opkit/kernels/axis_slices.h"
#include "opkit/kernels/kernel_call.h"
#include "opkit/kernels/strided_copy.h"
#include "ops/reverse/signature.h"

namespace nn::ops {
// y[..., i, ...] = x[..., size - 1 - i, ...]
bool kernels::REVERSE(KernelCall& op) {
    using namespace reverse;
    const Value& input = op.input(kInput);
    const AxisSlices lanes(input, op.ints(kAxis)->front());
    const size_t stride = lanes.stride();
    const size_t slab = lanes.size() * stride;
    StridedCopy move(input);
    move.axis(stride, 1, 1);
    move.axis(lanes.size(), size_t{0} - stride, stride);
    move.axis(lanes.count() / stride, slab, slab);
    move.run(op.output(0), slab - stride);
    return true;
}

}  // namespace nn::ops
