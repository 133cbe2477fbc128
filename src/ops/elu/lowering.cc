// ELU by XNNPACK.
#include "op_support/xnnpack/lowering.h"
#include "ops/elu/signature.h"

namespace nn::ops {

bool lowerings::ELU(const xnnpack::Lowerer& l) {
    using namespace elu;
    if (!l.requireFloat(kInput)) return false;
    const float alpha = *l.op.real(kAlpha);
    if (!(alpha > 0)) {  // XNNPACK distinguishes by the sign of x
        return l.refuse("xnnpack.value", "{} is {}, allowed above 0", l.op.in(kAlpha), alpha);
    }
    return l.elu(alpha);
}

}  // namespace nn::ops
