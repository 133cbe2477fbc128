#include "op_support/xnnpack/convolution.h"

#include <algorithm>

#include "nnapi/checked_math.h"

namespace nn::xnnpack {

using namespace ops;

namespace {

uint32_t tailOf(const WindowAxis& axis) {
    const int64_t end = (axis.output - 1) * axis.stride + (axis.filter - 1) * axis.dilation + 1;
    return static_cast<uint32_t>(std::max<int64_t>(end - axis.input - axis.head, 0));
}

uint64_t product(int64_t a, int64_t b) {
    return checkedMul<uint64_t>(static_cast<uint64_t>(a), static_cast<uint64_t>(b))
            .value_or(UINT64_MAX);
}

}  // namespace

ImagePadding::ImagePadding(const WindowAxis& height, const WindowAxis& width)
    : top(static_cast<uint32_t>(height.head)),
      right(tailOf(width)),
      bottom(tailOf(height)),
      left(static_cast<uint32_t>(width.head)) {}

bool requireFewWindows(const Lowerer& l, uint64_t windows, uint64_t elements) {
    constexpr uint64_t kMaxElements = uint64_t{1} << 27;
    if (elements <= kMaxElements && windows <= kMaxElements / std::max<uint64_t>(elements, 1))
        return true;
    return l.refuse("xnnpack.value", "has {} windows of {} elements, allowed {} elements in all",
                    windows, elements, kMaxElements);
}

bool requireFewWindows(const Lowerer& l, const WindowAxis& height, const WindowAxis& width) {
    return requireFewWindows(l, product(height.output, width.output),
                             product(height.filter, width.filter));
}

std::optional<Weights> weightsOf(const Lowerer& l, int32_t activation) {
    constexpr size_t kFilter = 1, kBias = 2;
    if (!l.requireFloatOrQuant8(0) || !l.requireConstant(kFilter) || !l.requireConstant(kBias)) {
        return std::nullopt;
    }
    const Value& filter = l.op.input(kFilter);
    const bool isPerChannel = filter.channelQuant() != nullptr;
    if (l.isQuant8()) {
        l.lowering.isSigned = isPerChannel || (isSigned(filter.type) && filter.zeroPoint == 0);
        constexpr float kLeast = 0x1p-32f;  // below which XNNPACK aborts, but for scales by channel
        const float factor = l.op.input(0).scale * filter.scale / l.op.output(0).scale;
        if (!isPerChannel &&
            !l.op.require(factor >= kLeast, "xnnpack.value",
                          "has scales that give a factor of {}, allowed {} or more", factor,
                          kLeast)) {
            return std::nullopt;
        }
    }
    return Weights{.filter = &filter,
                   .bias = &l.op.input(kBias),
                   .activation = activation,
                   .isPerChannel = isPerChannel};
}

bool lowerAs(const Convolution& row, const Lowerer& l) {
    if (!l.requireNhwc(row.windows.inputs[l.op.form()].isNchw)) return false;
    const auto w = weightsOf(l, *l.op.int32(row.activation[l.op.form()]));
    if (!w) return false;
    const auto windows = slidingWindows(l.op, row.windows, w->filter->dim(1), w->filter->dim(2));
    if (!windows) return l.refuse("xnnpack.value", "has no windows");
    const WindowAxis height = *windows->height, width = *windows->width;
    if (!requireFewWindows(l, height, width)) return false;
    const ImagePadding padding(height, width);
    const Value &x = l.op.input(0), &y = l.op.output(0);
    const size_t in = lastOf(x), out = lastOf(y);
    const size_t groups = row.isDepthwise ? in : in / lastOf(*w->filter);
    const auto create = [&](auto function, auto... values) {
        const auto size = [](int64_t extent) { return static_cast<uint32_t>(extent); };
        return l.create(function, padding.top, padding.right, padding.bottom, padding.left,
                        size(height.filter), size(width.filter), size(height.stride),
                        size(width.stride), size(height.dilation), size(width.dilation),
                        static_cast<uint32_t>(groups), in / groups, out / groups, in, out,
                        values..., row.isDepthwise ? XNN_FLAG_DEPTHWISE_CONVOLUTION : 0);
    };
    if (row.isDepthwise) {
        addDepthwiseRows(l, *w, height, width);
    } else if (groups == 1) {
        addQuant8Rows(l, *w, height, width);
    }
    if (w->isPerChannel) {
#if NNAPI_XNNPACK_RESHAPES
        constexpr auto kPerChannel = NNAPI_XNN(convolution2d_nhwc_qs8_qc8w);
#else
        constexpr auto kPerChannel = NNAPI_XNN(convolution2d_nhwc_qc8);
#endif
        return createPerChannel(l, *w, kPerChannel, create) && l.setUpImages(kPerChannel);
    }
    constexpr PerElement kConvolution{NNAPI_XNN(convolution2d_nhwc_f32),
                                      NNAPI_XNN(convolution2d_nhwc_qs8),
                                      NNAPI_XNN(convolution2d_nhwc_qu8)};
    return createProduct(l, *w, kConvolution, create) && l.setUpImages(kConvolution);
}

}  // namespace nn::xnnpack
