#include "op_support/kernels/kernel_call.h"
#include "op_support/kernels/strided_copy.h"
#include "ops/strided_slice/bounds.h"
#include "ops/strided_slice/signature.h"

namespace nn::ops {
// y[i] = x[begin + i * stride] along each axis; axes that are removed have one element
bool kernels::STRIDED_SLICE(KernelCall& op) {
    using namespace strided_slice;
    const Value& input = op.input(kInput);
    const auto begin = *op.ints(kBegin);
    const auto end = *op.ints(kEnd);
    const auto strides = *op.ints(kStrides);
    StridedCopy copy(input);
    size_t from = 1;
    size_t to = 1;
    size_t start = 0;
    for (size_t i = input.dimensions.size(); i-- > 0;) {
        const Bounds bounds =
                boundsOf(input[i], begin[i], end[i], strides[i], hasBit(*op.int32(kBeginMask), i),
                         hasBit(*op.int32(kEndMask), i));
        // Unsigned, so that intermediate values wrap around and back.
        copy.axis(static_cast<size_t>(bounds.length), static_cast<size_t>(strides[i]) * from, to);
        start += static_cast<size_t>(bounds.begin) * from;
        from *= input[i];
        to *= static_cast<size_t>(bounds.length);
    }
    copy.run(op.output(0), start);
    return true;
}

}  // namespace nn::ops
