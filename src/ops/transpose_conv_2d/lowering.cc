// TRANSPOSE_CONV_2D by XNNPACK.
#include <algorithm>

#include "op_support/xnnpack/convolution.h"
#include "ops/transpose_conv_2d/signature.h"

namespace nn::ops::transpose_conv_2d {

// An axis from the output back to the input. At its end, `tail` elements are cropped, or `more`
// added if the output is larger than the windows cover.
struct BackwardAxis {
    explicit BackwardAxis(const WindowAxis& axis)
        : filter(static_cast<uint32_t>(axis.filter)),
          stride(static_cast<uint32_t>(axis.stride)),
          head(static_cast<uint32_t>(axis.head)) {
        const int64_t behind =
                (axis.output - 1) * axis.stride + axis.filter - axis.input - axis.head;
        tail = static_cast<uint32_t>(std::max<int64_t>(behind, 0));
        more = static_cast<uint32_t>(std::max<int64_t>(-behind, 0));
    }
    uint32_t filter, stride, head, tail, more;
};

}  // namespace nn::ops::transpose_conv_2d

namespace nn::ops {

bool lowerings::TRANSPOSE_CONV_2D(const xnnpack::Lowerer& l) {
    using namespace transpose_conv_2d;
    if (!l.requireNhwc(kWindowInputs[l.op.form()].isNchw)) return false;
    const auto w = xnnpack::weightsOf(l, *l.op.int32(kActivation[l.op.form()]));
    if (!w) return false;
    if (w->isPerChannel && !xnnpack::kReshapes) {
        return l.refuseType(kFilter, "one with a single scale");
    }
    const auto windows = backwardWindows(l.op);
    if (!windows) return l.refuse("xnnpack.value", "has no windows");
    const Value &x = l.op.input(kInput), &y = l.op.output(0);
    if (!xnnpack::requireFewWindows(l, uint64_t{y[1]} * y[2],
                                    uint64_t{(*w->filter)[1]} * (*w->filter)[2])) {
        return false;
    }
    const BackwardAxis height(*windows->height), width(*windows->width);
    if (height.more >= height.stride || width.more >= width.stride) {
        return l.refuse("xnnpack.value",
                        "{} has {} rows and {} columns that no element of {} reaches, allowed "
                        "less than the strides, {} and {}",
                        l.op.out(0), height.more, width.more, l.op.in(kInput), height.stride,
                        width.stride);
    }
    // XNNPACK computes the rows and columns of each remainder of the stride separately. If one has
    // none, their number underflows.
    if (y[1] + 1 < height.stride || y[2] + 1 < width.stride) {
        return l.refuse("xnnpack.value",
                        "{} has {} rows and {} columns, allowed at least the strides, {} and {}, "
                        "less 1",
                        l.op.out(0), y[1], y[2], height.stride, width.stride);
    }
    const size_t in = xnnpack::lastOf(x), out = xnnpack::lastOf(y);
    const auto create = [&](auto function, auto... values) {
        return l.create(function, height.head, width.tail, height.tail, width.head, height.filter,
                        width.filter, height.stride, width.stride, 1, 1, 1, in, out, in, out,
                        values..., 0);
    };
    const auto setUp = [&](const auto& functions) {
        return l.setUpImages(functions, height.more, width.more);
    };
#if NNAPI_XNNPACK_RESHAPES
    if (w->isPerChannel) {
        constexpr auto kPerChannel = NNAPI_XNN(deconvolution2d_nhwc_qs8_qc8w);
        return createPerChannel(l, *w, kPerChannel, create) && setUp(kPerChannel);
    }
#endif
    constexpr xnnpack::PerElement kDeconvolution{NNAPI_XNN(deconvolution2d_nhwc_f32),
                                                 NNAPI_XNN(deconvolution2d_nhwc_qs8),
                                                 NNAPI_XNN(deconvolution2d_nhwc_qu8)};
    return createProduct(l, *w, kDeconvolution, create) && setUp(kDeconvolution);
}

}  // namespace nn::ops
