// CAST by XNNPACK: between float32 and float16, or to the same type.
#include "op_support/xnnpack/lowering.h"
#include "ops/cast/signature.h"

namespace nn::ops {

bool lowerings::CAST(const xnnpack::Lowerer& l) {
    using namespace cast;
    const OperandType from = l.op.input(kInput).type, to = l.op.output(0).type;
    if (from == to) return l.copy();
    if ((from == TENSOR_FLOAT16 && to == TENSOR_FLOAT32) ||
        (from == TENSOR_FLOAT32 && to == TENSOR_FLOAT16)) {
        return l.convert();
    }
    return l.refuse("xnnpack.type",
                    "{} is {} and {} {}, allowed TENSOR_FLOAT16 and TENSOR_FLOAT32, or one type",
                    l.op.in(kInput), from, l.op.out(0), to);
}

}  // namespace nn::ops
