#include "op_support/kernels/kernel_call.h"
#include "op_support/kernels/strided_copy.h"
#include "ops/mirror_pad/signature.h"

namespace nn::ops {
namespace mirror_pad {
namespace {

struct Frame {
    const Value& input;
    const Value& output;
    std::span<const int32_t> paddings;

    size_t before(size_t axis) const { return static_cast<size_t>(paddings[2 * axis]); }
    size_t after(size_t axis) const { return static_cast<size_t>(paddings[2 * axis + 1]); }

    // Copies slices across the axis within the output: to `toSlice` and those after it, from
    // `fromSlice` and those before it. The output is already padded along later axes, but not along
    // earlier ones.
    void reflect(size_t axis, size_t count, size_t fromSlice, size_t toSlice) const {
        StridedCopy copy(output.mutableData, output.type);
        size_t stride = 1;
        size_t start = 0;
        size_t across = 0;
        for (size_t i = output.dimensions.size(); i-- > 0;) {
            if (i > axis) copy.axis(output[i], stride, stride);
            if (i == axis) {
                copy.axis(count, size_t{0} - stride, stride);
                across = stride;
            }
            if (i < axis) {
                copy.axis(input[i], stride, stride);
                start += before(i) * stride;
            }
            stride *= output[i];
        }
        copy.run(output, start + fromSlice * across, start + toSlice * across);
    }
};

}  // namespace
}  // namespace mirror_pad

// y[p] = x[reflected p] along each axis of size d, after l elements:
//   p < l:       l - p (REFLECT) or l - 1 - p (SYMMETRIC)
//   p < l + d:   p - l
//   otherwise:   d - 2 - k (REFLECT) or d - 1 - k (SYMMETRIC), k = p - l - d
// Axes are padded from the last to the first; each one reflects the padding of those before.
bool kernels::MIRROR_PAD(KernelCall& op) {
    using namespace mirror_pad;
    const Frame frame{op.input(kInput), op.output(0), *op.ints(kPaddings)};
    const size_t edge = *op.int32(kMode) == static_cast<int32_t>(Mode::REFLECT) ? 1 : 0;
    const size_t rank = frame.input.dimensions.size();

    copyWithin(frame.input, frame.output, frame.paddings);
    for (size_t i = rank; i-- > 0;) {
        const size_t first = frame.before(i);
        const size_t end = first + frame.input[i];
        frame.reflect(i, first, first + edge + first - 1, 0);
        frame.reflect(i, frame.after(i), end - 1 - edge, end);
    }
    return true;
}

}  // namespace nn::ops
