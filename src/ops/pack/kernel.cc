#include "opkit/kernels/axis_slices.h"
#include "opkit/kernels/kernel_call.h"
#include "opkit/kernels/strided_copy.h"
#include "ops/pack/signature.h"

namespace nn::ops {
// y[..., k, ...] = x_k[..., ...]
bool kernels::PACK(KernelCall& op) {
    using namespace pack;
    const Value& output = op.output(0);
    const AxisSlices lanes(output, *op.int32(kAxis));
    for (size_t k = 0; k < lanes.size(); ++k) {
        StridedCopy move(op.input(kFirst + k));
        move.axis(lanes.stride(), 1, 1);
        move.axis(lanes.count() / lanes.stride(), lanes.stride(), lanes.size() * lanes.stride());
        move.run(output, 0, k * lanes.stride());
    }
    return true;
}

}  // namespace nn::ops
