// RESIZE_BILINEAR by XNNPACK.
#include "op_support/xnnpack/convolution.h"
#include "ops/resize/signature.h"

namespace nn::ops {

bool lowerings::RESIZE_BILINEAR(const xnnpack::Lowerer& l) {
    using namespace resize;
    constexpr xnnpack::PerElement kResize{NNAPI_XNN(resize_bilinear2d_nhwc_f32),
                                          NNAPI_XNN(resize_bilinear2d_nhwc_s8),
                                          NNAPI_XNN(resize_bilinear2d_nhwc_u8)};
    constexpr uint64_t kNeighbors = 4;
    if (!l.requireFloatOrQuant8(kInput) || !l.requireNhwc(kNchw)) return false;
    const Value &x = l.op.input(kInput), &y = l.op.output(0);
    if (!xnnpack::requireFewWindows(l, uint64_t{y[1]} * y[2], kNeighbors)) return false;
    const uint32_t flags = *l.op.booleanOr(kAlignCorners, false) ? XNN_FLAG_ALIGN_CORNERS
                           : *l.op.booleanOr(kHalfPixelCenters, false)
                                   ? 0
                                   : XNN_FLAG_TENSORFLOW_LEGACY_MODE;
    const size_t channels = xnnpack::lastOf(x);
    return l.withElements([&]<class E>(E) {
        return l.create(kResize.of<E>(), xnnpack::only2022(channels, channels, channels),
                        xnnpack::only2024(size_t{y[1]}, size_t{y[2]}), flags);
    }) && l.setUpImages(kResize, xnnpack::only2022(size_t{y[1]}, size_t{y[2]}),
                        xnnpack::only2024(channels, channels, channels));
}

}  // namespace nn::ops
