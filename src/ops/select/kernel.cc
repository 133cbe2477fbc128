#include "op_support/kernels/kernel_call.h"
#include "ops/select/signature.h"

namespace nn::ops {
namespace select {
namespace {

// y = a if the mask is not 0, else b
template <class E>
void choose(std::span<const uint8_t> mask, std::span<const E> a, std::span<const E> b,
            std::span<E> y) {
    for (size_t i = 0; i < y.size(); ++i) y[i] = mask[i] != 0 ? a[i] : b[i];
}

}  // namespace
}  // namespace select

bool kernels::SELECT(KernelCall& op) {
    using namespace select;
    const auto mask = op.input(kMask).as<uint8_t>();
    if (op.output(0).type == TENSOR_INT32) {
        choose(mask, op.input(kInput1).as<int32_t>(), op.input(kInput2).as<int32_t>(),
               op.output(0).mutableAs<int32_t>());
        return true;
    }
    const auto y = op.realOutput(0);
    choose(mask, op.reals(kInput1), op.reals(kInput2), y);
    op.store(0, y);
    return true;
}

}  // namespace nn::ops
