// ELU by XNNPACK.
#include "op_support/xnnpack/lowering.h"
#include "ops/elu/signature.h"

namespace nn::ops::elu {

static bool lowerElu(const xnnpack::Lowerer& l) {
    if (!l.requireFloat(kInput)) return false;
    const float alpha = *l.op.real(kAlpha);
    if (!(alpha > 0)) {  // XNNPACK distinguishes by the sign of x
        return l.refuse("xnnpack.value", "{} is {}, allowed above 0", l.op.in(kAlpha), alpha);
    }
    return l.elu(alpha);
}

constexpr xnnpack::LoweringRow kLowerings[] = {{OperationType::ELU, lowerElu}};

}  // namespace nn::ops::elu

namespace nn::xnnpack::folders {
extern constexpr LoweringRows elu = ops::elu::kLowerings;
}
