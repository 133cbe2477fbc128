// QUANTIZE by XNNPACK.
#include "op_support/xnnpack/lowering.h"
#include "ops/quantize/signature.h"

namespace nn::ops::quantize {

static bool lowerQuantize(const xnnpack::Lowerer& l) {
    return l.requireFloat(kInput) && l.convert();
}

constexpr xnnpack::LoweringRow kLowerings[] = {{OperationType::QUANTIZE, lowerQuantize}};

}  // namespace nn::ops::quantize

namespace nn::xnnpack::folders {
extern constexpr LoweringRows quantize = ops::quantize::kLowerings;
}
