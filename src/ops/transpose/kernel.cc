#include "op_support/kernels/kernel_call.h"
#include "op_support/kernels/strided_copy.h"
#include "ops/transpose/signature.h"

namespace nn::ops {
namespace transpose {
namespace {

// The stride along an axis, in elements.
size_t stride(const Value& tensor, size_t axis) {
    size_t product = 1;
    for (size_t i = axis + 1; i < tensor.dimensions.size(); ++i) product *= tensor[i];
    return product;
}

}  // namespace
}  // namespace transpose

// y[i[perm[0]], i[perm[1]], ...] = x[i[0], i[1], ...]
bool kernels::TRANSPOSE(KernelCall& op) {
    using namespace transpose;
    const Value& input = op.input(kInput);
    const Value& output = op.output(0);
    const size_t rank = output.dimensions.size();
    const auto permutation = op.ints(kPermutation);  // none: reversed
    StridedCopy copy(input);
    for (size_t i = 0; i < rank; ++i) {
        const size_t from = permutation ? static_cast<size_t>((*permutation)[i]) : rank - 1 - i;
        copy.axis(output[i], stride(input, from), stride(output, i));
    }
    copy.run(output);
    return true;
}

}  // namespace nn::ops
