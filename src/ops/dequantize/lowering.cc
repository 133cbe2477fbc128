// DEQUANTIZE by XNNPACK.
#include "op_support/xnnpack/lowering.h"
#include "ops/dequantize/signature.h"

namespace nn::ops {

bool lowerings::DEQUANTIZE(const xnnpack::Lowerer& l) {
    using namespace dequantize;
    const Value &x = l.op.input(kInput), &y = l.op.output(0);
    if (!xnnpack::isQuant8(x.type)) {
        return l.refuseType(
                kInput, "TENSOR_QUANT8_ASYMM, TENSOR_QUANT8_ASYMM_SIGNED and TENSOR_QUANT8_SYMM");
    }
    if (y.type != TENSOR_FLOAT32) {
        return l.refuse("xnnpack.type", "{} is {}, allowed TENSOR_FLOAT32", l.op.out(0), y.type);
    }
    return l.convert();
}

}  // namespace nn::ops
