#include <algorithm>

#include "interpreter/convolution.h"
#include "interpreter/image_layout.h"
#include "ops/depthwise_conv_2d/signature.h"

namespace nn::ops {
namespace depthwise_conv_2d {
namespace {

struct Depthwise {
    size_t batches, inputChannels, multiplier;
    WindowAxis height, width;
    size_t outputChannels() const { return inputChannels * multiplier; }
};

// sums[c * multiplier + m] += (x[c] - zero) * filter[c * multiplier + m]
template <class X, class F, class Sum>
void addTap(const X* x, F zero, const F* filter, size_t channels, size_t multiplier,
            Sum* __restrict sums) {
    if (multiplier == 1) {
        for (size_t c = 0; c < channels; ++c) sums[c] += static_cast<F>(x[c] - zero) * filter[c];
        return;
    }
    for (size_t c = 0; c < channels; ++c) {
        const F value = static_cast<F>(x[c] - zero);
        for (size_t m = 0; m < multiplier; ++m) {
            sums[c * multiplier + m] += value * filter[c * multiplier + m];
        }
    }
}

// y[n, i, j, c * multiplier + m] = finish(sum_{a, b} filter[a, b, c * multiplier + m] *
//        (x[n, i * strideHeight - top + a * dilationHeight,
//              j * strideWidth - left + b * dilationWidth, c] - zero))
template <class X, class F, class Sum, class Y, class Finish>
void convolve(const Depthwise& d, const X* x, F zero, const F* filter, std::span<Sum> sums, Y* y,
              Finish finish) {
    const size_t outputs = d.outputChannels();
    const auto inputHeight = static_cast<size_t>(d.height.input);
    const auto inputWidth = static_cast<size_t>(d.width.input);
    for (size_t n = 0; n < d.batches; ++n) {
        for (int64_t i = 0; i < d.height.output; ++i) {
            const auto rows = d.height.tapsAt(i);
            for (int64_t j = 0; j < d.width.output; ++j, y += outputs) {
                const auto columns = d.width.tapsAt(j);
                std::ranges::fill(sums, Sum{});
                for (int64_t a = rows.first; a < rows.last; ++a) {
                    const auto row = static_cast<size_t>(rows.start + a * d.height.dilation);
                    const X* line = x + (n * inputHeight + row) * inputWidth * d.inputChannels;
                    for (int64_t b = columns.first; b < columns.last; ++b) {
                        const auto column =
                                static_cast<size_t>(columns.start + b * d.width.dilation);
                        addTap(line + column * d.inputChannels, zero,
                               filter + static_cast<size_t>(a * d.width.filter + b) * outputs,
                               d.inputChannels, d.multiplier, sums.data());
                    }
                }
                finish(sums, y);
            }
        }
    }
}

void convolveReals(Execution& op, const Depthwise& d, bool isNchw, int32_t activation) {
    const auto x = nhwcInput(op, op.reals(kInput), op.input(kInput), isNchw);
    const auto bias = op.reals(kBias);
    const auto result = op.realOutput(0);
    const auto y = nhwcResult(op, result, isNchw);
    const RealRange range = activationRange(activation);
    convolve(d, x.data(), 0.0f, op.reals(kFilter).data(), op.scratch<float>(d.outputChannels()),
             y.data(), [&](std::span<const float> sums, float* out) {
                 for (size_t c = 0; c < sums.size(); ++c) out[c] = range.clamp(sums[c] + bias[c]);
             });
    storeNhwc<float>(y, op.output(0), isNchw, result);
    op.store(0, result);
}

template <class E, class F>
void convolveStored(Execution& op, const Depthwise& d, bool isNchw, int32_t activation) {
    const Value& input = op.input(kInput);
    const auto x = nhwcInput(op, input.as<E>(), input, isNchw);
    const auto stored = op.input(kFilter).as<F>();
    const auto filter = op.scratch<int16_t>(stored.size());
    subtractZeroPoint(stored.data(), stored.size(), op.input(kFilter).zeroPoint, filter.data());
    const auto result = op.output(0).mutableAs<E>();
    const auto y = nhwcResult(op, result, isNchw);
    const Rescale rescale(op, d.outputChannels(), activation);
    convolve(
            d, x.data(), static_cast<int16_t>(input.zeroPoint),
            static_cast<const int16_t*>(filter.data()),
            op.scratch<uint32_t>(d.outputChannels()),  // unsigned, because sums may wrap
            y.data(), [&](std::span<const uint32_t> sums, E* out) {
                rescale.store({reinterpret_cast<const int32_t*>(sums.data()), sums.size()}, 0, out);
            });
    storeNhwc<E>(y, op.output(0), isNchw, result);
}

}  // namespace
}  // namespace depthwise_conv_2d

bool kernels::DEPTHWISE_CONV_2D(Execution& op) {
    using namespace depthwise_conv_2d;
    if (op.output(0).elementCount() == 0) return true;
    const Value& filter = op.input(kFilter);
    const auto windows = slidingWindows(op, kWindowRules, filter[1], filter[2]);
    const bool isNchw = *windows->isNchw;
    const int32_t activation = *op.int32(inputNamed(op, "activation"));
    const size_t channels = *windows->input.channels;
    const Depthwise d{.batches = op.input(kInput)[0],
                      .inputChannels = channels,
                      .multiplier = filter[3] / channels,
                      .height = *windows->height,
                      .width = *windows->width};
    if (isQuant8Asymm(op.input(kInput).type)) {
        withStoredTypes(op, [&]<class E, class F>(E, F) {
            convolveStored<E, F>(op, d, isNchw, activation);
        });
    } else {
        convolveReals(op, d, isNchw, activation);
    }
    return true;
}

}  // namespace nn::ops
