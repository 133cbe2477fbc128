#include "op_support/kernels/axis_slices.h"
#include "op_support/kernels/kernel_call.h"
#include "op_support/kernels/strided_copy.h"
#include "ops/channel_shuffle/signature.h"

namespace nn::ops {
// y[..., i*G + j, ...] = x[..., j*(n/G) + i, ...] along an axis of size n, for G groups
bool kernels::CHANNEL_SHUFFLE(KernelCall& op) {
    using namespace channel_shuffle;
    const Value& input = op.input(kInput);
    const auto groups = static_cast<size_t>(*op.int32(kGroups));
    const AxisSlices slices(input, *op.int32(kAxis));
    const size_t stride = slices.stride();
    const size_t slab = slices.size() * stride;
    const size_t group = slices.size() / groups;
    StridedCopy copy(input);
    copy.axis(stride, 1, 1);
    copy.axis(groups, group * stride, stride);
    copy.axis(group, stride, groups * stride);
    copy.axis(slices.count() / stride, slab, slab);
    copy.run(op.output(0));
    return true;
}

}  // namespace nn::ops
