#include <algorithm>
#include <cmath>
#include <span>

#include "op_support/kernels/convolution.h"
#include "op_support/kernels/image_layout.h"
#include "op_support/kernels/vector_kernels.h"
#include "op_support/rules/quantization.h"
#include "ops/pool_2d/signature.h"

namespace nn::ops {
namespace pool_2d {
namespace {

struct Pooling {
    size_t batches, channels;
    WindowAxis height, width;
    bool isNchw;
    int32_t activation;
};

Pooling pooling(const OpView& op) {
    const auto windows = slidingWindows(op, kWindowRules, op.int32(kFilterHeight[op.form()]),
                                        op.int32(kFilterWidth[op.form()]));
    return {.batches = op.input(kInput)[0],
            .channels = *windows->input.channels,
            .height = *windows->height,
            .width = *windows->width,
            .isNchw = *windows->isNchw,
            .activation = *op.int32(kActivation[op.form()])};
}

// y[n, i, j, c] = finish(fold of x[n, a, b, c] over all (a, b) of window (i, j) inside the image,
//                        number of these). One call of finish handles several windows.
template <class E, class Sum, class Finish>
void pool(KernelCall& op, const Pooling& p, const E* x,
          void (*fold)(const Windows<E>&, size_t channels, Sum*), E* y, const Finish& finish) {
    const auto size = [](int64_t value) { return static_cast<size_t>(value); };
    const size_t height = size(p.height.output), row = size(p.width.output) * p.channels;
    const size_t xRow = size(p.width.input) * p.channels;
    const auto scratch = op.scratch<Sum>(op.workers().count() * row);
    op.workers().split(p.batches * height, [&](size_t worker, size_t first, size_t last) {
        Sum* const sums = scratch.data() + worker * row;
        for (; first < last; ++first) {
            const auto rows = p.height.tapsAt(static_cast<int64_t>(first % height));
            const E* image = x + first / height * size(p.height.input) * xRow;
            E* out = y + first * row;
            for (int64_t j = 0; j < p.width.output;) {
                const auto columns = p.width.tapsAt(j);
                const size_t count = size(wholeWindows(p.width, j, columns));
                const int64_t taps = rows.count() * columns.count();
                op.interruption(worker).spend(size(taps) * count * p.channels);
                Windows<E> windows{.rows = size(rows.count()),
                                   .columns = size(columns.count()),
                                   .xRow = xRow,
                                   .xColumn = p.channels,
                                   .count = count,
                                   .step = size(p.width.stride) * p.channels};
                if (taps != 0) {
                    windows.x = image + size(rows.start + rows.first) * xRow +
                                size(columns.start + columns.first) * p.channels;
                }
                fold(windows, p.channels, sums);
                finish(std::span<const Sum>(sums, count * p.channels), taps, out);
                out += count * p.channels;
                j += static_cast<int64_t>(count);
            }
        }
    });
}

template <class Sum, class Finish>
bool poolReals(KernelCall& op, void (*fold)(const Windows<float>&, size_t, Sum*),
               const Finish& finish) {
    const Pooling p = pooling(op);
    const RealRange range = activationRange(p.activation);
    const auto x = nhwcInput(op, op.reals(kInput), op.input(kInput), p.isNchw);
    const auto result = op.realOutput(0);
    const auto y = nhwcResult(op, result, p.isNchw);
    pool(op, p, x.data(), fold, y.data(), [&](std::span<const Sum> sums, int64_t count, float* to) {
        for (const Sum sum : sums)
            *to++ = range.clamp(static_cast<float>(finish(sum, static_cast<Sum>(count))));
    });
    storeNhwc<float>(y, op.output(0), p.isNchw, result);
    op.store(0, result);
    return true;
}

// Pools stored values directly, since output and input have the same scale.
template <class E, class Sum, class Finish>
bool poolStored(KernelCall& op, void (*fold)(const Windows<E>&, size_t, Sum*),
                const Finish& finish) {
    const Pooling p = pooling(op);
    const Value& output = op.output(0);
    const auto range = activationRange<E>(p.activation, output.scale, output.zeroPoint);
    const auto x = nhwcInput(op, op.input(kInput).as<E>(), op.input(kInput), p.isNchw);
    const auto result = output.mutableAs<E>();
    const auto y = nhwcResult(op, result, p.isNchw);
    pool(op, p, x.data(), fold, y.data(),
         [&](std::span<const Sum> sums, int64_t count, E* to) { finish(sums, count, range, to); });
    storeNhwc<E>(y, output, p.isNchw, result);
    return true;
}

// round(sum / count), halves away from zero. The quotient in double never rounds up to an integer:
// sum is below 2^41, so the quotient differs from the integer by at least 2^-41 of itself.
template <class E>
void averageFar(std::span<const int64_t> sums, int64_t count, StoredRange range, E* y) {
    const int64_t half = count / 2;
    for (const int64_t sum : sums) {
        const auto rounded = static_cast<double>(sum + (sum < 0 ? -half : half));
        const double quotient = rounded / static_cast<double>(count);
        *y++ = static_cast<E>(range.clamp(static_cast<int32_t>(quotient)));
    }
}

// Like VectorKernels::addUnsigned, for windows whose sums do not fit 32 bits.
template <class E>
void addFar(const Windows<E>& w, size_t channels, int64_t* sums) {
    std::fill_n(sums, w.count * channels, 0);
    for (size_t n = 0; n < w.count; ++n, sums += channels) {
        for (size_t tap = 0; tap < w.rows * w.columns; ++tap) {
            const E* x = w.x + n * w.step + tap / w.columns * w.xRow + tap % w.columns * w.xColumn;
            for (size_t c = 0; c < channels; ++c) sums[c] += x[c];
        }
    }
}

template <class E>
bool averageStored(KernelCall& op, void (*add)(const Windows<E>&, size_t, int32_t*)) {
    constexpr uint64_t kFits32Bits = uint64_t{1} << 23;
    if (op.input(kInput).elementCount() < kFits32Bits) {
        return poolStored<E>(op, add, [](auto sums, int64_t count, StoredRange range, E* y) {
            average(sums, static_cast<int32_t>(count), range, y);
        });
    }
    return poolStored<E>(op, addFar<E>, averageFar<E>);
}

template <class E>
bool maxStored(KernelCall& op, void (*max)(const Windows<E>&, size_t, E*)) {
    return poolStored<E>(op, max, [](std::span<const E> most, int64_t, StoredRange range, E* y) {
        clamp(most, range, y);
    });
}

}  // namespace
}  // namespace pool_2d

// The sum of a window divided by its number of elements.
bool kernels::AVERAGE_POOL_2D(KernelCall& op) {
    using namespace pool_2d;
    switch (op.input(kInput).type) {
        case TENSOR_QUANT8_ASYMM:
            return averageStored<uint8_t>(op, vectorKernels().addUnsigned);
        case TENSOR_QUANT8_ASYMM_SIGNED:
            return averageStored<int8_t>(op, vectorKernels().addSigned);
        default:
            return poolReals(op, vectorKernels().addFloats,
                             [](double sum, double count) { return sum / count; });
    }
}

bool kernels::MAX_POOL_2D(KernelCall& op) {
    using namespace pool_2d;
    switch (op.input(kInput).type) {
        case TENSOR_QUANT8_ASYMM:
            return maxStored<uint8_t>(op, vectorKernels().maxUnsigned);
        case TENSOR_QUANT8_ASYMM_SIGNED:
            return maxStored<int8_t>(op, vectorKernels().maxSigned);
        default:
            return poolReals(op, vectorKernels().maxFloats, [](float most, float) { return most; });
    }
}

// The root of the mean of squares.
bool kernels::L2_POOL_2D(KernelCall& op) {
    return pool_2d::poolReals(op, vectorKernels().addSquares,
                              [](double sum, double count) { return std::sqrt(sum / count); });
}

}  // namespace nn::ops
