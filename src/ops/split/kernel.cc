#include "op_support/kernels/axis_slices.h"
#include "op_support/kernels/kernel_call.h"
#include "op_support/kernels/strided_copy.h"
#include "ops/split/signature.h"

namespace nn::ops {
// y_k[..., i, ...] = x[..., k * size + i, ...]
bool kernels::SPLIT(KernelCall& op) {
    using namespace split;
    const Value& input = op.input(kInput);
    const AxisSlices slices(input, *op.int32(kAxis));
    const size_t size =
            slices.size() / op.outputCount() * slices.stride();  // contiguous elements of a part
    StridedCopy copy(input);
    copy.axis(size, 1, 1);
    copy.axis(slices.count() / slices.stride(), slices.size() * slices.stride(), size);
    for (size_t k = 0; k < op.outputCount(); ++k) copy.run(op.output(k), k * size);
    return true;
}

}  // namespace nn::ops
