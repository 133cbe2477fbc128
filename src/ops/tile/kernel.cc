#include "op_support/kernels/kernel_call.h"
#include "op_support/kernels/strided_copy.h"
#include "ops/tile/signature.h"

namespace nn::ops {
// y[k * size + i] = x[i] along each axis, for each k below its multiple
bool kernels::TILE(KernelCall& op) {
    using namespace tile;
    const Value& input = op.input(kInput);
    const Value& output = op.output(0);
    const auto multiples = *op.ints(kMultiples);
    StridedCopy copy(input);
    size_t from = 1;
    size_t to = 1;
    for (size_t i = input.dimensions.size(); i-- > 0;) {
        copy.axis(input[i], from, to);
        copy.axis(static_cast<size_t>(multiples[i]), 0, input[i] * to);
        from *= input[i];
        to *= output[i];
    }
    copy.run(output);
    return true;
}

}  // namespace nn::ops
