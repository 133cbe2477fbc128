#include "op_support/kernels/kernel_call.h"
#include "op_support/kernels/strided_copy.h"
#include "op_support/rules/image.h"
#include "ops/batch_to_space_nd/signature.h"

namespace nn::ops {
// y[n, h*Bh + dh, w*Bw + dw, c] = x[(dh*Bw + dw) * N + n, h, w, c] with N batches in y
bool kernels::BATCH_TO_SPACE_ND(KernelCall& op) {
    using namespace batch_to_space_nd;
    const auto blocks = *op.ints(kBlocks);
    const auto height = static_cast<size_t>(blocks[0]);
    const auto width = static_cast<size_t>(blocks[1]);
    const bool isNchw = *op.booleanOr(kIsNchw, false);
    const ImageExtents x(op.input(kInput), isNchw);
    const ImageExtents y(op.output(0), isNchw);
    const size_t group = y.batch.size * x.batch.stride;
    StridedCopy copy(op.input(kInput));
    copy.axis(y.batch.size, x.batch.stride, y.batch.stride);
    copy.axis(x.height.size, x.height.stride, height * y.height.stride);
    copy.axis(x.width.size, x.width.stride, width * y.width.stride);
    copy.axis(x.depth.size, x.depth.stride, y.depth.stride);
    copy.axis(height, width * group, y.height.stride);
    copy.axis(width, group, y.width.stride);
    copy.run(op.output(0));
    return true;
}

}  // namespace nn::ops
