// SOFTMAX by XNNPACK.
#include "opkit/xnnpack/lowering.h"
#include "ops/softmax/signature.h"

namespace nn::ops::softmax {

static bool lowerSoftmax(const xnnpack::Lowerer& l) {
    if (!l.requireFloatOrQuant8(kInput)) return false;
    if (!l.requireLastAxis(kAxis, *l.op.int32Or(kAxis, -1))) return false;
    const Value &x = l.op.input(kInput), &y = l.op.output(0);
    const float beta = *l.op.real(kBeta);
    const size_t channels = xnnpack::lastOf(x), rows = xnnpack::count(x) / channels;
    if (!l.isQuant8()) {
        return l.op.require(beta == 1.0f, "xnnpack.value", "{} is {}, allowed 1", l.op.in(kBeta),
                            beta) &&
               l.create(xnn_create_softmax_nc_f32, channels, channels, channels, 0) &&
               l.setUp(xnn_setup_softmax_nc_f32, rows);
    }
    // Only differences of inputs matter, so the zero point does not.
    l.lowering.isSigned = false;
    return l.create(xnn_create_softmax_nc_qu8, channels, channels, channels, x.scale * beta,
                    xnnpack::zeroPoint<uint8_t>(y), y.scale, 0) &&
           l.setUp(xnn_setup_softmax_nc_qu8, rows);
}

constexpr xnnpack::LoweringRow kLowerings[] = {{OperationType::SOFTMAX, lowerSoftmax}};

}  // namespace nn::ops::softmax

namespace nn::xnnpack::rooms {
extern constexpr LoweringRows softmax = ops::softmax::kLowerings;
}
