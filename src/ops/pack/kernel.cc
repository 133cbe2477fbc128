#include "op_support/kernels/axis_slices.h"
#include "op_support/kernels/kernel_call.h"
#include "op_support/kernels/strided_copy.h"
#include "ops/pack/signature.h"

namespace nn::ops {
// y[..., k, ...] = x_k[..., ...]
bool kernels::PACK(KernelCall& op) {
    using namespace pack;
    const Value& output = op.output(0);
    const AxisSlices slices(output, *op.int32(kAxis));
    for (size_t k = 0; k < slices.size(); ++k) {
        StridedCopy copy(op.input(kFirst + k));
        copy.axis(slices.stride(), 1, 1);
        copy.axis(slices.count() / slices.stride(), slices.stride(),
                  slices.size() * slices.stride());
        copy.run(output, 0, k * slices.stride());
    }
    return true;
}

}  // namespace nn::ops
