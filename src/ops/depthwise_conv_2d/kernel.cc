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

// sums[c * multiplier + m] += x[c] * filter[c * multiplier + m]
template <class Real>
void addTap(const Real* x, const Real* filter, size_t channels, size_t multiplier,
            Real* __restrict sums) {
    if (multiplier == 1) {
        for (size_t c = 0; c < channels; ++c) sums[c] += x[c] * filter[c];
        return;
    }
    for (size_t c = 0; c < channels; ++c) {
        for (size_t m = 0; m < multiplier; ++m) {
            sums[c * multiplier + m] += x[c] * filter[c * multiplier + m];
        }
    }
}

// y[n, i, j, c * multiplier + m] = finish(sum_{a, b} filter[a, b, c * multiplier + m] *
//        x[n, i * strideHeight - top + a * dilationHeight,
//             j * strideWidth - left + b * dilationWidth, c])
template <class Real, class Y, class Finish>
void convolve(const Depthwise& d, const Real* x, const Real* filter, std::span<Real> sums, Y* y,
              Finish finish) {
    const size_t outputs = d.outputChannels();
    const auto inputHeight = static_cast<size_t>(d.height.input);
    const auto inputWidth = static_cast<size_t>(d.width.input);
    for (size_t n = 0; n < d.batches; ++n) {
        for (int64_t i = 0; i < d.height.output; ++i) {
            const auto rows = d.height.tapsAt(i);
            for (int64_t j = 0; j < d.width.output; ++j, y += outputs) {
                const auto columns = d.width.tapsAt(j);
                std::ranges::fill(sums, Real{});
                for (int64_t a = rows.first; a < rows.last; ++a) {
                    const auto row = static_cast<size_t>(rows.start + a * d.height.dilation);
                    const Real* line = x + (n * inputHeight + row) * inputWidth * d.inputChannels;
                    for (int64_t b = columns.first; b < columns.last; ++b) {
                        const auto column =
                                static_cast<size_t>(columns.start + b * d.width.dilation);
                        addTap(line + column * d.inputChannels,
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
    convolve(d, x.data(), op.reals(kFilter).data(), op.scratch<float>(d.outputChannels()), y.data(),
             [&](std::span<const float> sums, float* out) {
                 for (size_t c = 0; c < sums.size(); ++c) out[c] = range.clamp(sums[c] + bias[c]);
             });
    storeNhwc<float>(y, op.output(0), isNchw, result);
    op.store(0, result);
}

// stored - zeroPoint of all elements.
template <class Real, class E>
std::span<const Real> withoutZeroPoint(Execution& op, std::span<const E> stored,
                                       int32_t zeroPoint) {
    const auto values = op.scratch<Real>(stored.size());
    for (size_t i = 0; i < stored.size(); ++i) {
        values[i] = static_cast<Real>(stored[i] - zeroPoint);
    }
    return values;
}

// Sums beyond 32 bits wrap.
int32_t wrapped(float sum) { return static_cast<int32_t>(sum); }
int32_t wrapped(double sum) { return static_cast<int32_t>(static_cast<int64_t>(sum)); }

// Sums in floating point, which are exact while they stay below the largest integer up to which
// Real holds all: the type whose products are fastest.
template <class Real, class E, class F>
void convolveStored(Execution& op, const Depthwise& d, bool isNchw, int32_t activation) {
    const Value& input = op.input(kInput);
    const Value& filter = op.input(kFilter);
    const auto x = withoutZeroPoint<Real>(op, nhwcInput(op, input.as<E>(), input, isNchw),
                                          input.zeroPoint);
    const auto taps = withoutZeroPoint<Real>(op, filter.as<F>(), filter.zeroPoint);
    const auto result = op.output(0).mutableAs<E>();
    const auto y = nhwcResult(op, result, isNchw);
    const Rescale rescale(op, d.outputChannels(), activation);
    const auto exact = op.scratch<int32_t>(d.outputChannels());
    convolve(d, x.data(), taps.data(), op.scratch<Real>(d.outputChannels()), y.data(),
             [&](std::span<const Real> sums, E* out) {
                 for (size_t c = 0; c < sums.size(); ++c) exact[c] = wrapped(sums[c]);
                 rescale.store(exact, 0, out);
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
            // The largest product is 255 * 255.
            if (d.height.filter * d.width.filter <= (1 << 24) / (255 * 255)) {
                convolveStored<float, E, F>(op, d, isNchw, activation);
            } else {
                convolveStored<double, E, F>(op, d, isNchw, activation);
            }
        });
    } else {
        convolveReals(op, d, isNchw, activation);
    }
    return true;
}

}  // namespace nn::ops
