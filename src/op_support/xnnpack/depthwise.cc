#include "op_support/xnnpack/depthwise.h"

#include "op_support/kernels/convolution.h"
#include "op_support/xnnpack/convolution.h"

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
    const Value &x = l.op.input(0), &y = l.op.output(0);
    const auto fits = [](const WindowAxis& axis) {
        return (axis.filter == 3 || axis.filter == 5) && axis.dilation == 1;
    };
    const DepthwiseFunction function = depthwiseOfProcessor();
    const size_t channels = lastOf(x);
    if (l.isQuant8() || function == nullptr || !fits(height) || !fits(width) ||
        lastOf(y) != channels || channels < kMinDepthwiseChannels) {
        return;
    }
    const auto isWhole = [&width](int64_t pixel) {
        return width.tapsAt(pixel).count() == width.filter;
    };
    int64_t firstWhole = 0;
    while (firstWhole < width.output && !isWhole(firstWhole)) ++firstWhole;
    const int64_t whole = firstWhole == width.output
                                  ? 0
                                  : wholeWindows(width, firstWhole, width.tapsAt(firstWhole));
    const Range<float> range = xnnpack::range<float>(w.activation, y);
    const DepthwiseRow common{.inputs = {},
                              .inputCount = 0,
                              .weights = Elements(*w.filter),
                              .bias = Elements(*w.bias),
                              .output = nullptr,
                              .channels = channels,
                              .filterWidth = width.filter,
                              .inputWidth = width.input,
                              .outputWidth = width.output,
                              .stride = width.stride,
                              .head = width.head,
                              .firstWhole = firstWhole,
                              .endWhole = firstWhole + whole,
                              .least = range.least,
                              .most = range.most};
    const auto outputHeight = static_cast<size_t>(height.output);
    const auto compute = [=](const uint8_t* input, uint8_t* output, size_t row) {
        const auto inputRow = static_cast<size_t>(common.inputWidth) * channels;
        const auto outputRow = static_cast<size_t>(common.outputWidth) * channels;
        const auto image = static_cast<int64_t>(row / outputHeight) * height.input;
        const WindowAxis::Taps taps = height.tapsAt(static_cast<int64_t>(row % outputHeight));
        DepthwiseRow each = common;
        each.weights += static_cast<size_t>(taps.first * width.filter) * channels;
        for (int64_t tap = taps.first; tap < taps.last; ++tap) {
            each.inputs[each.inputCount++] =
                    reinterpret_cast<const float*>(input) +
                    static_cast<size_t>(image + taps.start + tap) * inputRow;
        }
        each.output = reinterpret_cast<float*>(output) + row * outputRow;
        function(each);
    };
    l.lowering.makeRows = [compute, count = size_t{y[0]} * outputHeight] {
        return Rows{.count = count, .compute = compute, .name = "depthwise loops"};
    };
}

}  // namespace nn::xnnpack
