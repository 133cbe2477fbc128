#include "opkit/xnnpack/depthwise.h"

#include "opkit/xnnpack/convolution.h"

namespace nn::xnnpack {

using namespace ops;

DepthwiseFunction depthwiseOfProcessor() {
#if defined(__x86_64__)
    if (__builtin_cpu_supports("avx512f")) return depthwiseByAvx512();
    if (__builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma")) return depthwiseByAvx2();
#endif
    return nullptr;
}

void addDepthwiseRows(const Lowerer& l, const Weights& w, const WindowAxis& height,
                      const WindowAxis& width) {
    constexpr int64_t kFilter = 3;
    const Value &x = l.op.input(0), &y = l.op.output(0);
    const auto fits = [](const WindowAxis& axis) {
        return axis.filter == kFilter && axis.dilation == 1 && axis.head < kFilter;
    };
    const DepthwiseFunction function = depthwiseOfProcessor();
    const size_t channels = lastOf(x);
    if (l.isQuant8() || function == nullptr || !fits(height) || !fits(width) ||
        lastOf(y) != channels || channels % kDepthwiseLanes != 0) {
        return;
    }
    const Range<float> range = xnnpack::range<float>(w.activation, y);
    const DepthwiseRow common{.inputs = {},
                              .inputCount = 0,
                              .weights = Elements(*w.filter),
                              .bias = Elements(*w.bias),
                              .output = nullptr,
                              .channels = channels,
                              .inputWidth = width.input,
                              .outputWidth = width.output,
                              .stride = width.stride,
                              .head = width.head,
                              .least = range.least,
                              .most = range.most};
    const auto outputHeight = static_cast<size_t>(height.output);
    const auto compute = [=](const uint8_t* input, uint8_t* output, size_t row) {
        const auto inputRow = static_cast<size_t>(common.inputWidth) * channels;
        const auto outputRow = static_cast<size_t>(common.outputWidth) * channels;
        const auto first = static_cast<int64_t>(row / outputHeight) * height.input;
        const int64_t start =
                static_cast<int64_t>(row % outputHeight) * height.stride - height.head;
        DepthwiseRow each = common;
        for (int64_t tap = 0; tap < kFilter; ++tap) {
            const int64_t at = start + tap;
            if (at < 0 || at >= height.input) continue;
            if (each.inputCount == 0) {
                each.weights += static_cast<size_t>(tap * kFilter) * channels;
            }
            each.inputs[each.inputCount++] = reinterpret_cast<const float*>(input) +
                                             static_cast<size_t>(first + at) * inputRow;
        }
        each.output = reinterpret_cast<float*>(output) + row * outputRow;
        function(each);
    };
    l.lowering.makeRows = [compute, count = size_t{y[0]} * outputHeight] {
        return Rows{.count = count, .compute = compute};
    };
}

}  // namespace nn::xnnpack
