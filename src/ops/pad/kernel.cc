#include "op_support/kernels/kernel_call.h"
#include "op_support/kernels/strided_copy.h"
#include "ops/pad/signature.h"

namespace nn::ops {
// y[before + i] = x[i] along each axis, and 0 or the given value everywhere else
bool kernels::PAD(KernelCall& op) {
    fillWithZero(op.output(0));
    copyWithin(op.input(pad::kInput), op.output(0), *op.ints(pad::kPaddings));
    return true;
}

bool kernels::PAD_V2(KernelCall& op) {
    const Value& value = op.input(pad::kPadValue);
    // Quantized tensors use only its lowest byte.
    const auto stored = op.int32(pad::kPadValue);
    const auto lowByte = static_cast<uint8_t>(stored.value_or(0));
    fillElements(op.output(0), stored ? &lowByte : value.data);
    copyWithin(op.input(pad::kInput), op.output(0), *op.ints(pad::kPaddings));
    return true;
}

}  // namespace nn::ops
