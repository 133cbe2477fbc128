// AVERAGE_POOL_2D and MAX_POOL_2D by XNNPACK.
#include "op_support/xnnpack/convolution.h"
#include "ops/pool_2d/signature.h"

namespace nn::ops::pool_2d {

using xnnpack::PerElement;

struct Pool {
    WindowAxis height, width;
    int32_t activation;
    xnnpack::ImagePadding padding{height, width};
    size_t channels;

    // The operator with these functions and arguments: the former after the strides, the latter
    // after the common arguments.
    template <class F, class... First, class... Last>
    bool lower(const xnnpack::Lowerer& l, const F& functions, const std::tuple<First...>& first,
               const std::tuple<Last...>& last) const {
        const auto size = [](int64_t value) { return static_cast<uint32_t>(value); };
        return l.create(functions, padding.top, padding.right, padding.bottom, padding.left,
                        size(height.filter), size(width.filter), size(height.stride),
                        size(width.stride), first, xnnpack::only2022(channels, channels, channels),
                        last, 0) &&
               l.setUpImages(functions, xnnpack::only2024(channels, channels, channels));
    }
};

// Windows of one element.
static bool pickPixels(const xnnpack::Lowerer& l, const Pool& pool) {
    if (pool.height.stride != 1 || pool.width.stride != 1) {
        return l.refuse("xnnpack.value",
                        "has windows of 1 x 1 with strides {} x {}, allowed 1 x 1 for them",
                        pool.height.stride, pool.width.stride);
    }
    return pool.activation == 0 ? l.copy() : l.clamp(pool.activation);
}

static bool maxPool(const xnnpack::Lowerer& l, const Pool& pool) {
    constexpr PerElement kPool{NNAPI_XNN(max_pooling2d_nhwc_f32), NNAPI_XNN(max_pooling2d_nhwc_s8),
                               NNAPI_XNN(max_pooling2d_nhwc_u8)};
    return l.withElements([&]<class E>(E) {
        const auto most = xnnpack::range<E>(pool.activation, l.op.output(0));
        return l.requireValues(most) &&
               pool.lower(l, kPool.of<E>(), std::tuple(1, 1), std::tuple(most.least, most.most));
    });
}

static bool averagePool(const xnnpack::Lowerer& l, const Pool& pool) {
    const Value &x = l.op.input(0), &y = l.op.output(0);
    const WindowAxis &height = pool.height, &width = pool.width;
    const bool isGlobal = !pool.padding.any() && height.output == 1 && width.output == 1 &&
                          height.filter == height.input && width.filter == width.input;
    if (isGlobal) return l.average(x[0], size_t{x[1]} * x[2], pool.channels, pool.activation);
    if (!l.requireShortSum(static_cast<uint64_t>(height.filter * width.filter))) return false;
    if (!l.isQuant8()) {
        const auto most = xnnpack::range<float>(pool.activation, y);
        return pool.lower(l, NNAPI_XNN(average_pooling2d_nhwc_f32), std::tuple(),
                          std::tuple(most.least, most.most));
    }
    if (pool.padding.any()) {
        return l.refuse("xnnpack.value",
                        "has windows that reach beyond the image, allowed only of "
                        "TENSOR_FLOAT32: XNNPACK counts the padding");
    }
    l.lowering.isSigned = false;
    const auto most = xnnpack::range<uint8_t>(pool.activation, y);
    return l.requireValues(most) &&
           pool.lower(l, NNAPI_XNN(average_pooling2d_nhwc_qu8), std::tuple(),
                      std::tuple(xnnpack::zeroPoint<uint8_t>(x), x.scale,
                                 xnnpack::zeroPoint<uint8_t>(y), y.scale, most.least, most.most));
}

static bool lowerPool(const xnnpack::Lowerer& l,
                      bool (*lower)(const xnnpack::Lowerer&, const Pool&)) {
    const Form* form = l.op.form();
    if (!l.requireFloatOrQuant8(kInput) || !l.requireNhwc(kWindowRules.inputs[form].isNchw)) {
        return false;
    }
    const auto extent = [&](const PerForm<size_t>& input) {
        return Dim(static_cast<uint32_t>(*l.op.int32(input[form])));
    };
    const auto windows =
            slidingWindows(l.op, kWindowRules, extent(kFilterHeight), extent(kFilterWidth));
    if (!windows) return l.refuse("xnnpack.value", "has no windows");
    const Pool pool{.height = *windows->height,
                    .width = *windows->width,
                    .activation = *l.op.int32(kActivation[form]),
                    .channels = xnnpack::lastOf(l.op.input(kInput))};
    if (!requireFewWindows(l, pool.height, pool.width)) return false;
    if (pool.height.filter * pool.width.filter == 1) return pickPixels(l, pool);
    return lower(l, pool);
}

}  // namespace nn::ops::pool_2d

namespace nn::ops {

bool lowerings::AVERAGE_POOL_2D(const xnnpack::Lowerer& l) {
    return pool_2d::lowerPool(l, pool_2d::averagePool);
}

bool lowerings::MAX_POOL_2D(const xnnpack::Lowerer& l) {
    return pool_2d::lowerPool(l, pool_2d::maxPool);
}

}  // namespace nn::ops
