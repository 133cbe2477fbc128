// QUANTIZE by XNNPACK.
#include "op_support/xnnpack/lowering.h"
#include "ops/quantize/signature.h"

namespace nn::ops {

bool lowerings::QUANTIZE(const xnnpack::Lowerer& l) {
    using namespace quantize;
    return l.requireFloat(kInput) && l.convert();
}

}  // namespace nn::ops
