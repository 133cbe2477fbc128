// DEQUANTIZE by XNNPACK.
#include "opkit/xnnpack/lowering.h"
#include "ops/dequantize/signature.h"

namespace nn::ops::dequantize {

static bool lowerDequantize(const xnnpack::Lowerer& l) {
    const Value &x = l.op.input(kInput), &y = l.op.output(0);
    if (!xnnpack::isQuant8(x.type)) {
        return l.refuseType(
                kInput, "TENSOR_QUANT8_ASYMM, TENSOR_QUANT8_ASYMM_SIGNED and TENSOR_QUANT8_SYMM");
    }
    if (y.type != TENSOR_FLOAT32) {
        return l.refuse("xnnpack.type", "{} is {}, allowed TENSOR_FLOAT32", l.op.out(0), y.type);
    }
    const size_t n = xnnpack::count(x);
    if (l.lowering.isSigned) {
        return l.create(xnn_create_convert_nc_qs8_f32, n, n, n, x.scale,
                        xnnpack::zeroPoint<int8_t>(x), 0) &&
               l.setUp(xnn_setup_convert_nc_qs8_f32, 1);
    }
    return l.create(xnn_create_convert_nc_qu8_f32, n, n, n, x.scale, xnnpack::zeroPoint<uint8_t>(x),
                    0) &&
           l.setUp(xnn_setup_convert_nc_qu8_f32, 1);
}

constexpr xnnpack::LoweringRow kLowerings[] = {{OperationType::DEQUANTIZE, lowerDequantize}};

}  // namespace nn::ops::dequantize

namespace nn::xnnpack::rooms {
extern constexpr LoweringRows dequantize = ops::dequantize::kLowerings;
}
