#include <absl/algorithm/container.h>

#include <algorithm>

#include "op_support/kernels/kernel_call.h"
#include "op_support/kernels/strided_copy.h"
#include "op_support/rules/image.h"
#include "ops/space_to_batch_nd/signature.h"

namespace nn::ops {
namespace space_to_batch_nd {
namespace {

// The positions o along an axis, below `count`, at which o * block + shift is within `size`.
struct Range {
    size_t begin = 0;
    size_t end = 0;

    Range(int64_t shift, int64_t block, int64_t size, int64_t count) {
        const auto firstAtOrAbove = [&](int64_t bound) {
            return bound <= shift ? 0 : std::min((bound - shift - 1) / block + 1, count);
        };
        begin = static_cast<size_t>(firstAtOrAbove(0));
        end = static_cast<size_t>(firstAtOrAbove(size));
    }
    size_t size() const { return end - begin; }
};

}  // namespace
}  // namespace space_to_batch_nd

// y[(dh*Bw + dw) * N + n, h, w, c] = x[n, h*Bh + dh - top, w*Bw + dw - left, c] with N batches in
// x, and real 0 if that is outside of x
bool kernels::SPACE_TO_BATCH_ND(KernelCall& op) {
    using namespace space_to_batch_nd;
    const Value& input = op.input(kInput);
    const Value& output = op.output(0);
    const auto blocks = *op.ints(kBlocks);
    const auto paddings = *op.ints(kPaddings);
    const bool isNchw = *op.booleanOr(kIsNchw, false);
    const ImageExtents x(input, isNchw);
    const ImageExtents y(output, isNchw);
    if (absl::c_any_of(paddings, [](int32_t padding) { return padding != 0; }))
        fillWithZero(output);
    const auto range = [](int32_t position, int32_t before, int32_t block, ImageExtent in,
                          ImageExtent out) {
        return Range(int64_t{position} - before, block, static_cast<int64_t>(in.size),
                     static_cast<int64_t>(out.size));
    };
    size_t batch = 0;
    for (int32_t dh = 0; dh < blocks[0]; ++dh) {
        const Range rows = range(dh, paddings[0], blocks[0], x.height, y.height);
        for (int32_t dw = 0; dw < blocks[1]; ++dw, batch += x.batch.size) {
            const Range columns = range(dw, paddings[2], blocks[1], x.width, y.width);
            const auto height = static_cast<size_t>(blocks[0]);
            const auto width = static_cast<size_t>(blocks[1]);
            StridedCopy copy(input);
            copy.axis(x.batch.size, x.batch.stride, y.batch.stride);
            copy.axis(rows.size(), height * x.height.stride, y.height.stride);
            copy.axis(columns.size(), width * x.width.stride, y.width.stride);
            copy.axis(x.depth.size, x.depth.stride, y.depth.stride);
            // The first row and column in x; unsigned, so that intermediate values wrap around and
            // back.
            const size_t row = rows.begin * height + static_cast<size_t>(int64_t{dh} - paddings[0]);
            const size_t column =
                    columns.begin * width + static_cast<size_t>(int64_t{dw} - paddings[2]);
            copy.run(output, row * x.height.stride + column * x.width.stride,
                     batch * y.batch.stride + rows.begin * y.height.stride +
                             columns.begin * y.width.stride);
        }
    }
    return true;
}

}  // namespace nn::ops
