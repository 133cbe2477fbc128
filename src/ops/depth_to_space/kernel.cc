#include "op_support/kernels/kernel_call.h"
#include "op_support/kernels/strided_copy.h"
#include "op_support/rules/image.h"
#include "ops/depth_to_space/signature.h"

namespace nn::ops {
// y[n, h*B + dh, w*B + dw, c] = x[n, h, w, (dh*B + dw) * C + c] with C channels in y
bool kernels::DEPTH_TO_SPACE(KernelCall& op) {
    using namespace depth_to_space;
    const auto block = static_cast<size_t>(*op.int32(kBlock));
    const bool isNchw = *op.booleanOr(kIsNchw, false);
    const ImageExtents x(op.input(kInput), isNchw);
    const ImageExtents y(op.output(0), isNchw);
    const size_t group = y.depth.size * x.depth.stride;
    StridedCopy copy(op.input(kInput));
    copy.axis(x.batch.size, x.batch.stride, y.batch.stride);
    copy.axis(x.height.size, x.height.stride, block * y.height.stride);
    copy.axis(x.width.size, x.width.stride, block * y.width.stride);
    copy.axis(block, block * group, y.height.stride);
    copy.axis(block, group, y.width.stride);
    copy.axis(y.depth.size, x.depth.stride, y.depth.stride);
    copy.run(op.output(0));
    return true;
}

}  // namespace nn::ops
