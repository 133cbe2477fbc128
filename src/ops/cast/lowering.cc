// CAST by XNNPACK: between float32 and float16, or to the same type.
#include "opkit/xnnpack/lowering.h"
#include "ops/cast/signature.h"

namespace nn::ops::cast {

static bool lowerCast(const xnnpack::Lowerer& l) {
    const OperandType from = l.op.input(kInput).type, to = l.op.output(0).type;
    if (from == to) return l.copy();
    const size_t n = xnnpack::count(l.op.output(0));
    if (from == TENSOR_FLOAT16 && to == TENSOR_FLOAT32) {
        return l.create(xnn_create_convert_nc_f16_f32, n, n, n, 0) &&
               l.setUp(xnn_setup_convert_nc_f16_f32, 1);
    }
    if (from == TENSOR_FLOAT32 && to == TENSOR_FLOAT16) {
        return l.create(xnn_create_convert_nc_f32_f16, n, n, n, 0) &&
               l.setUp(xnn_setup_convert_nc_f32_f16, 1);
    }
    return l.refuse("xnnpack.type",
                    "{} is {} and {} {}, allowed TENSOR_FLOAT16 and TENSOR_FLOAT32, or one type",
                    l.op.in(kInput), from, l.op.out(0), to);
}

constexpr xnnpack::LoweringRow kLowerings[] = {{OperationType::CAST, lowerCast}};

}  // namespace nn::ops::cast

namespace nn::xnnpack::rooms {
extern constexpr LoweringRows cast = ops::cast::kLowerings;
}
