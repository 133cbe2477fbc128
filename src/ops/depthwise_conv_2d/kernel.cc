#include "op_support/kernels/convolution.h"
#include "op_support/kernels/image_layout.h"
#include "op_support/kernels/vector_kernels.h"
#include "ops/depthwise_conv_2d/signature.h"

namespace nn::ops {
namespace depthwise_conv_2d {
namespace {

struct Depthwise {
    size_t batches, inputChannels, multiplier;
    WindowAxis height, width;
    size_t outputChannels() const { return inputChannels * multiplier; }
};

void sum(const Windows<float>& windows, const Depthwise& d, float* sums) {
    vectorKernels().sumFloats(windows, d.inputChannels, d.multiplier, sums);
}
void sum(const Windows<float>& windows, const Depthwise& d, double* sums) {
    vectorKernels().sumFloatsToDoubles(windows, d.inputChannels, d.multiplier, sums);
}
void sum(const Windows<double>& windows, const Depthwise& d, double* sums) {
    vectorKernels().sumDoubles(windows, d.inputChannels, d.multiplier, sums);
}

// The taps inside the image x of `count` windows. `rows` and `columns` are the taps of the first
// window; the others have the same ones.
template <class Real>
Windows<Real> windowsAt(const Depthwise& d, const Real* x, const Real* filter,
                        WindowAxis::Taps rows, WindowAxis::Taps columns, size_t count) {
    if (rows.count() <= 0 || columns.count() <= 0) return {.count = count};
    const auto size = [](int64_t value) { return static_cast<size_t>(value); };
    Windows<Real> w{.xRow = size(d.width.input) * d.inputChannels,
                    .xColumn = d.inputChannels,
                    .filterRow = size(d.width.filter) * d.outputChannels(),
                    .filterColumn = d.outputChannels(),
                    .count = count,
                    .step = size(d.width.stride) * d.inputChannels};
    w.x = x + size(rows.start + rows.first * d.height.dilation) * w.xRow +
          size(columns.start + columns.first * d.width.dilation) * w.xColumn;
    w.filter = filter + size(rows.first) * w.filterRow + size(columns.first) * w.filterColumn;
    w.xRow *= size(d.height.dilation);
    w.xColumn *= size(d.width.dilation);
    w.rows = size(rows.count());
    w.columns = size(columns.count());
    return w;
}

// y[n, i, j, c * multiplier + m] = finish(sum_{a, b} filter[a, b, c * multiplier + m] *
//        x[n, i * strideHeight - top + a * dilationHeight,
//             j * strideWidth - left + b * dilationWidth, c])
// finish(sums, worker, y) receives the sums of one output row.
template <class Sum, class Real, class Y, class Finish>
void convolve(KernelCall& op, const Depthwise& d, const Real* x, const Real* filter, Y* y,
              Finish finish) {
    const size_t outputs = d.outputChannels();
    const size_t image = static_cast<size_t>(d.height.input * d.width.input) * d.inputChannels;
    const auto height = static_cast<size_t>(d.height.output);
    const size_t row = static_cast<size_t>(d.width.output) * outputs;
    const auto scratch = op.scratch<Sum>(op.workers().count() * row);
    op.workers().split(d.batches * height, [&](size_t worker, size_t first, size_t last) {
        const auto sums = scratch.subspan(worker * row, row);
        for (; first < last; ++first) {
            const auto rows = d.height.tapsAt(static_cast<int64_t>(first % height));
            for (int64_t j = 0; j < d.width.output;) {
                const auto columns = d.width.tapsAt(j);
                const int64_t count = wholeWindows(d.width, j, columns);
                const auto windows = windowsAt(d, x + first / height * image, filter, rows, columns,
                                               static_cast<size_t>(count));
                op.interruption(worker).spend(windows.count * windows.rows * windows.columns *
                                              outputs);
                sum(windows, d, sums.data() + static_cast<size_t>(j) * outputs);
                j += count;
            }
            finish(std::span<const Sum>(sums), worker, y + first * row);
        }
    });
}

// True if sums of products are exact in float32, which represents all integers up to 2^24: a
// product of stored values is at most 255 * 255.
bool isShort(const Depthwise& d) { return d.height.filter * d.width.filter <= 32; }

// The elements of a tensor as factors: stored - zeroPoint.
template <class Real, class E>
std::span<const Real> widened(KernelCall& op, std::span<const E> stored, int32_t zeroPoint) {
    const auto factors = op.scratch<Real>(stored.size());
    op.workers().split(stored.size(), [&](size_t, size_t first, size_t last) {
        if constexpr (std::is_same_v<Real, double>) {
            for (size_t i = first; i < last; ++i) factors[i] = stored[i] - zeroPoint;
        } else {
            widen(Patches<E>{.x = stored.data() + first, .size = last - first}, zeroPoint,
                  factors.data() + first);
        }
    });
    return factors;
}

void convolveReals(KernelCall& op, const Depthwise& d, bool isNchw, int32_t activation) {
    const std::span<const float> x = nhwcInput(op, op.reals(kInput), op.input(kInput), isNchw);
    const auto filter = op.reals(kFilter);
    const auto bias = op.reals(kBias);
    const auto result = op.realOutput(0);
    const auto y = nhwcResult(op, result, isNchw);
    const RealRange range = activationRange(activation);
    const auto pixels = static_cast<size_t>(d.width.output);
    const size_t channels = d.outputChannels();
    convolve<double>(op, d, x.data(), filter.data(), y.data(),
                     [&](std::span<const double> sums, size_t, float* out) {
                         addBias(Matrix<const double>{sums.data(), pixels, channels, channels},
                                 bias.data(), range, {out, pixels, channels, channels});
                     });
    storeNhwc<float>(y, op.output(0), isNchw, result);
    op.store(0, result);
}

// 32-bit sums wrap.
int32_t wrapped(float sum) { return static_cast<int32_t>(sum); }
int32_t wrapped(double sum) { return static_cast<int32_t>(static_cast<int64_t>(sum)); }

template <class Real, class E, class F>
void convolveStored(KernelCall& op, const Depthwise& d, bool isNchw, int32_t activation) {
    const Value& input = op.input(kInput);
    const Value& filter = op.input(kFilter);
    const auto x = widened<Real>(op, nhwcInput(op, input.as<E>(), input, isNchw), input.zeroPoint);
    const auto taps = widened<Real>(op, filter.as<F>(), filter.zeroPoint);
    const auto result = op.output(0).mutableAs<E>();
    const auto y = nhwcResult(op, result, isNchw);
    const Rescale rescale(op, d.outputChannels(), activation);
    const size_t row = static_cast<size_t>(d.width.output) * d.outputChannels();
    const auto scratch = op.scratch<int32_t>(op.workers().count() * row);
    convolve<Real>(op, d, x.data(), taps.data(), y.data(),
                   [&](std::span<const Real> sums, size_t worker, E* out) {
                       const auto exact = scratch.subspan(worker * row, row);
                       for (size_t c = 0; c < sums.size(); ++c) exact[c] = wrapped(sums[c]);
                       rescale.store(exact, 0, out);
                   });
    storeNhwc<E>(y, op.output(0), isNchw, result);
}

}  // namespace
}  // namespace depthwise_conv_2d

bool kernels::DEPTHWISE_CONV_2D(KernelCall& op) {
    using namespace depthwise_conv_2d;
    if (op.output(0).elementCount() == 0) return true;
    const Value& filter = op.input(kFilter);
    const auto windows = slidingWindows(op, kWindowRules, filter[1], filter[2]);
    const bool isNchw = *windows->isNchw;
    const int32_t activation = *op.int32(kActivation[op.form()]);
    const size_t channels = *windows->input.channels;
    const Depthwise d{.batches = op.input(kInput)[0],
                      .inputChannels = channels,
                      .multiplier = filter[3] / channels,
                      .height = *windows->height,
                      .width = *windows->width};
    if (!isQuant8Asymm(op.input(kInput).type)) {
        convolveReals(op, d, isNchw, activation);
        return true;
    }
    withStoredTypes(op, [&]<class E, class F>(E, F) {
        if (isShort(d)) {
            convolveStored<float, E, F>(op, d, isNchw, activation);
        } else {
            convolveStored<double, E, F>(op, d, isNchw, activation);
        }
    });
    return true;
}

}  // namespace nn::ops
