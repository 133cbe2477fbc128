// QUANTIZE by XNNPACK.
#include "opkit/xnnpack/lowering.h"
#include "ops/quantize/signature.h"

namespace nn::ops::quantize {

static bool lowerQuantize(const xnnpack::Lowerer& l) {
    if (!l.requireFloat(kInput)) return false;
    const Value& y = l.op.output(0);
    const size_t n = xnnpack::count(y);
    const auto make = [&]<class E>(E, auto create, auto setUp) {
        const auto all = xnnpack::range<E>(0, y);
        return l.create(create, n, n, n, y.scale, xnnpack::zeroPoint<E>(y), all.least, all.most,
                        0) &&
               l.setUp(setUp, 1);
    };
    return l.lowering.isSigned
                   ? make(int8_t(), xnn_create_convert_nc_f32_qs8, xnn_setup_convert_nc_f32_qs8)
                   : make(uint8_t(), xnn_create_convert_nc_f32_qu8, xnn_setup_convert_nc_f32_qu8);
}

constexpr xnnpack::LoweringRow kLowerings[] = {{OperationType::QUANTIZE, lowerQuantize}};

}  // namespace nn::ops::quantize

namespace nn::xnnpack::rooms {
extern constexpr LoweringRows quantize = ops::quantize::kLowerings;
}
