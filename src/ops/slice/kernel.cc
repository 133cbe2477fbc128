#include "op_support/kernels/kernel_call.h"
#include "op_support/kernels/strided_copy.h"
#include "ops/slice/signature.h"

namespace nn::ops {
// y[i] = x[begin + i]
bool kernels::SLICE(KernelCall& op) {
    using namespace slice;
    const Value& input = op.input(kInput);
    const Value& output = op.output(0);
    const auto begin = *op.ints(kBegin);
    StridedCopy copy(input);
    size_t from = 1;
    size_t to = 1;
    size_t start = 0;
    for (size_t i = input.dimensions.size(); i-- > 0;) {
        copy.axis(output[i], from, to);
        start += static_cast<size_t>(begin[i]) * from;
        from *= input[i];
        to *= output[i];
    }
    copy.run(output, start);
    return true;
}

}  // namespace nn::ops
