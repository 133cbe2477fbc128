#include "op_support/kernels/kernel_call.h"
#include "op_support/kernels/strided_copy.h"
#include "op_support/rules/image.h"
#include "ops/space_to_depth/signature.h"

namespace nn::ops {
// y[n, h, w, (dh*B + dw) * C + c] = x[n, h*B + dh, w*B + dw, c] with C channels in x
bool kernels::SPACE_TO_DEPTH(KernelCall& op) {
    using namespace space_to_depth;
    const auto block = static_cast<size_t>(*op.int32(kBlock));
    const bool isNchw = *op.booleanOr(kIsNchw, false);
    const ImageExtents x(op.input(kInput), isNchw);
    const ImageExtents y(op.output(0), isNchw);
    const size_t group = x.depth.size * y.depth.stride;
    StridedCopy copy(op.input(kInput));
    copy.axis(y.batch.size, x.batch.stride, y.batch.stride);
    copy.axis(y.height.size, block * x.height.stride, y.height.stride);
    copy.axis(y.width.size, block * x.width.stride, y.width.stride);
    copy.axis(block, x.height.stride, block * group);
    copy.axis(block, x.width.stride, group);
    copy.axis(x.depth.size, x.depth.stride, y.depth.stride);
    copy.run(op.output(0));
    return true;
}

}  // namespace nn::ops
