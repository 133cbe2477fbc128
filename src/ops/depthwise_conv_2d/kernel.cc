#include <cstring>

#include "opkit/kernels/convolution.h"
#include "opkit/kernels/image_layout.h"
#include "opkit/kernels/vector_clones.h"
#include "ops/depthwise_conv_2d/signature.h"

namespace nn::ops {
namespace depthwise_conv_2d {
namespace {

struct Depthwise {
    size_t batches, inputChannels, multiplier;
    WindowAxis height, width;
    size_t outputChannels() const { return inputChannels * multiplier; }
};

// The taps of one window that lie inside the image: the first, how far it is from one to the next,
// and the elements of the filter that belong to them.
template <class Real>
struct Window {
    const Real* x = nullptr;
    const Real* filter = nullptr;
    size_t rows = 0, columns = 0;
    size_t xRow = 0, xColumn = 0;
    size_t filterRow = 0, filterColumn = 0;
};

// 32 bytes of them.
template <class Real>
struct VectorOf {
    static constexpr size_t kLanes = 32 / sizeof(Real);
    typedef Real Type __attribute__((vector_size(32)));
};

// sums[i] = sum over the window of filter[i] * (isSplat ? x[0] : x[i]), in registers.
template <size_t kVectors, bool isSplat, class Real>
NNAPI_INLINE void sumLanes(const Window<Real>& w, size_t xOffset, size_t filterOffset, Real* sums) {
    using Lanes = typename VectorOf<Real>::Type;
    constexpr size_t kLanes = VectorOf<Real>::kLanes;
    Lanes lanes[kVectors] = {};
    for (size_t a = 0; a < w.rows; ++a) {
        for (size_t b = 0; b < w.columns; ++b) {
            const Real* x = w.x + a * w.xRow + b * w.xColumn + xOffset;
            const Real* taps = w.filter + a * w.filterRow + b * w.filterColumn + filterOffset;
            for (size_t v = 0; v < kVectors; ++v) {
                Lanes left, right;
                std::memcpy(&right, taps + v * kLanes, sizeof right);
                if constexpr (isSplat) {
                    lanes[v] += *x * right;
                } else {
                    std::memcpy(&left, x + v * kLanes, sizeof left);
                    lanes[v] += left * right;
                }
            }
        }
    }
    for (size_t v = 0; v < kVectors; ++v) std::memcpy(sums + v * kLanes, &lanes[v], sizeof(Lanes));
}

// The sums of `count` elements of the filter from filterOffset on, as sumLanes() has them.
template <bool isSplat, class Real>
NNAPI_INLINE void sumRun(const Window<Real>& w, size_t xOffset, size_t filterOffset, size_t count,
                         Real* sums) {
    constexpr size_t kLanes = VectorOf<Real>::kLanes;
    const auto x = [&](size_t i) { return isSplat ? xOffset : xOffset + i; };
    size_t i = 0;
    for (; i + 4 * kLanes <= count; i += 4 * kLanes) {
        sumLanes<4, isSplat>(w, x(i), filterOffset + i, sums + i);
    }
    for (; i + kLanes <= count; i += kLanes) {
        sumLanes<1, isSplat>(w, x(i), filterOffset + i, sums + i);
    }
    for (; i < count; ++i) {
        Real sum{};
        for (size_t a = 0; a < w.rows; ++a) {
            for (size_t b = 0; b < w.columns; ++b) {
                sum += w.x[a * w.xRow + b * w.xColumn + x(i)] *
                       w.filter[a * w.filterRow + b * w.filterColumn + filterOffset + i];
            }
        }
        sums[i] = sum;
    }
}

// sums[c * multiplier + m] = sum over the window of filter[c * multiplier + m] * x[c]
template <class Real>
NNAPI_INLINE void sumAll(const Window<Real>& w, size_t channels, size_t multiplier, Real* sums) {
    if (multiplier == 1) return sumRun<false>(w, 0, 0, channels, sums);
    for (size_t c = 0; c < channels; ++c) {
        sumRun<true>(w, c, c * multiplier, multiplier, sums + c * multiplier);
    }
}

NNAPI_VECTOR_CLONES void sumWindow(const Window<float>& w, size_t channels, size_t multiplier,
                                   float* sums) {
    sumAll(w, channels, multiplier, sums);
}

NNAPI_VECTOR_CLONES void sumWindow(const Window<double>& w, size_t channels, size_t multiplier,
                                   double* sums) {
    sumAll(w, channels, multiplier, sums);
}

// The window whose taps lie inside the image x.
template <class Real>
Window<Real> windowAt(const Depthwise& d, const Real* x, const Real* filter, WindowAxis::Taps rows,
                      WindowAxis::Taps columns) {
    if (rows.count() <= 0 || columns.count() <= 0) return {};
    const auto size = [](int64_t value) { return static_cast<size_t>(value); };
    Window<Real> w{.xRow = size(d.width.input) * d.inputChannels,
                   .xColumn = d.inputChannels,
                   .filterRow = size(d.width.filter) * d.outputChannels(),
                   .filterColumn = d.outputChannels()};
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
// finish(sums, worker, y) gets the pixels of one output row.
template <class Real, class Y, class Finish>
void convolve(KernelCall& op, const Depthwise& d, const Real* x, const Real* filter, Y* y,
              Finish finish) {
    const size_t outputs = d.outputChannels();
    const size_t image = static_cast<size_t>(d.height.input * d.width.input) * d.inputChannels;
    const auto height = static_cast<size_t>(d.height.output);
    const size_t row = static_cast<size_t>(d.width.output) * outputs;
    const auto scratch = op.scratch<Real>(op.workers().count() * row);
    op.workers().split(d.batches * height, [&](size_t worker, size_t first, size_t last) {
        const auto sums = scratch.subspan(worker * row, row);
        for (; first < last; ++first) {
            const auto rows = d.height.tapsAt(static_cast<int64_t>(first % height));
            for (int64_t j = 0; j < d.width.output; ++j) {
                const auto window =
                        windowAt(d, x + first / height * image, filter, rows, d.width.tapsAt(j));
                op.pace(worker).spend(window.rows * window.columns * outputs);
                sumWindow(window, d.inputChannels, d.multiplier,
                          sums.data() + static_cast<size_t>(j) * outputs);
            }
            finish(std::span<const Real>(sums), worker, y + first * row);
        }
    });
}

// Sums of so few products are within any criteria in float32, and exact for stored values, whose
// products are at most 255 * 255 while float32 holds all integers up to 2^24.
bool isShort(const Depthwise& d) { return d.height.filter * d.width.filter <= 32; }

// Factors of all elements: stored - zeroPoint, or themselves.
template <class Real, class E>
std::span<const Real> factorsOf(KernelCall& op, std::span<const E> stored, int32_t zeroPoint) {
    if constexpr (std::is_same_v<Real, E>) return stored;
    const auto values = op.scratch<Real>(stored.size());
    for (size_t i = 0; i < stored.size(); ++i) {
        values[i] = static_cast<Real>(stored[i]) - static_cast<Real>(zeroPoint);
    }
    return values;
}

template <class Real>
void convolveReals(KernelCall& op, const Depthwise& d, bool isNchw, int32_t activation) {
    const auto x =
            factorsOf<Real>(op, nhwcInput(op, op.reals(kInput), op.input(kInput), isNchw), 0);
    const auto filter = factorsOf<Real>(op, op.reals(kFilter), 0);
    const auto bias = op.reals(kBias);
    const auto result = op.realOutput(0);
    const auto y = nhwcResult(op, result, isNchw);
    const RealRange range = activationRange(activation);
    convolve(op, d, x.data(), filter.data(), y.data(),
             [&](std::span<const Real> sums, size_t, float* out) {
                 for (size_t at = 0; at < sums.size(); at += bias.size()) {
                     addBias(sums.subspan(at, bias.size()), bias.data(), range, out + at);
                 }
             });
    storeNhwc<float>(y, op.output(0), isNchw, result);
    op.store(0, result);
}

// Sums beyond 32 bits wrap.
int32_t wrapped(float sum) { return static_cast<int32_t>(sum); }
int32_t wrapped(double sum) { return static_cast<int32_t>(static_cast<int64_t>(sum)); }

template <class Real, class E, class F>
void convolveStored(KernelCall& op, const Depthwise& d, bool isNchw, int32_t activation) {
    const Value& input = op.input(kInput);
    const Value& filter = op.input(kFilter);
    const auto x =
            factorsOf<Real>(op, nhwcInput(op, input.as<E>(), input, isNchw), input.zeroPoint);
    const auto taps = factorsOf<Real>(op, filter.as<F>(), filter.zeroPoint);
    const auto result = op.output(0).mutableAs<E>();
    const auto y = nhwcResult(op, result, isNchw);
    const Rescale rescale(op, d.outputChannels(), activation);
    const size_t row = static_cast<size_t>(d.width.output) * d.outputChannels();
    const auto scratch = op.scratch<int32_t>(op.workers().count() * row);
    convolve(op, d, x.data(), taps.data(), y.data(),
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
    const auto convolveIn = [&]<class Real>(Real) {
        if (isQuant8Asymm(op.input(kInput).type)) {
            withStoredTypes(op, [&]<class E, class F>(E, F) {
                convolveStored<Real, E, F>(op, d, isNchw, activation);
            });
        } else {
            convolveReals<Real>(op, d, isNchw, activation);
        }
    };
    if (isShort(d)) {
        convolveIn(float{});
    } else {
        convolveIn(double{});
    }
    return true;
}

}  // namespace nn::ops
