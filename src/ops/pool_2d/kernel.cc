#include <absl/algorithm/container.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "opkit/kernels/image_layout.h"
#include "opkit/rules/quantization.h"
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

Pooling pooling(const Call& op) {
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
//                        number of these)
template <class E, class Sum, class Fold, class Finish>
void pool(Pace& pace, const Pooling& p, const E* x, std::span<Sum> sums, Sum start, Fold fold, E* y,
          Finish finish) {
    const auto inputHeight = static_cast<size_t>(p.height.input);
    const auto inputWidth = static_cast<size_t>(p.width.input);
    for (size_t n = 0; n < p.batches; ++n) {
        for (int64_t i = 0; i < p.height.output; ++i) {
            const auto rows = p.height.tapsAt(i);
            for (int64_t j = 0; j < p.width.output; ++j, y += p.channels) {
                const auto columns = p.width.tapsAt(j);
                const int64_t count = rows.count() * columns.count();
                pace.spend(static_cast<size_t>(count) * p.channels);
                absl::c_fill(sums, start);
                for (int64_t a = rows.first; a < rows.last; ++a) {
                    const auto row = n * inputHeight + static_cast<size_t>(rows.start + a);
                    for (int64_t b = columns.first; b < columns.last; ++b) {
                        const auto column = static_cast<size_t>(columns.start + b);
                        const E* pixel = x + (row * inputWidth + column) * p.channels;
                        for (size_t c = 0; c < p.channels; ++c) sums[c] = fold(sums[c], pixel[c]);
                    }
                }
                for (size_t c = 0; c < p.channels; ++c) y[c] = finish(sums[c], count);
            }
        }
    }
}

// a / b to nearest, halves away from zero; b above 0.
template <class I>
I roundingDivide(I a, I b) {
    return a < 0 ? -((-a + b / 2) / b) : (a + b / 2) / b;
}

template <class Fold, class Finish>
bool poolReals(KernelCall& op, double start, Fold fold, Finish finish) {
    const Pooling p = pooling(op);
    const RealRange range = activationRange(p.activation);
    const auto x = nhwcInput(op, op.reals(kInput), op.input(kInput), p.isNchw);
    const auto result = op.realOutput(0);
    const auto y = nhwcResult(op, result, p.isNchw);
    pool(op.pace(), p, x.data(), op.scratch<double>(p.channels), start, fold, y.data(),
         [&](double sum, int64_t count) {
             return range.clamp(static_cast<float>(finish(sum, static_cast<double>(count))));
         });
    storeNhwc<float>(y, op.output(0), p.isNchw, result);
    op.store(0, result);
    return true;
}

// Stored values can be pooled as they are, since output and input have the same scale.
template <class E, class Sum, class Fold, class Finish>
bool poolStored(KernelCall& op, Sum start, Fold fold, Finish finish) {
    const Pooling p = pooling(op);
    const Value& output = op.output(0);
    const auto range = activationRange<E>(p.activation, output.scale, output.zeroPoint);
    const auto x = nhwcInput(op, op.input(kInput).as<E>(), op.input(kInput), p.isNchw);
    const auto result = output.mutableAs<E>();
    const auto y = nhwcResult(op, result, p.isNchw);
    pool(op.pace(), p, x.data(), op.scratch<Sum>(p.channels), start, fold, y.data(),
         [&](Sum sum, int64_t count) {
             return static_cast<E>(range.clamp(finish(sum, static_cast<Sum>(count))));
         });
    storeNhwc<E>(y, output, p.isNchw, result);
    return true;
}

template <class E>
bool averageStored(KernelCall& op) {
    const auto average = [&]<class Sum>(Sum start) {
        return poolStored<E>(
                op, start, [](Sum sum, E x) { return static_cast<Sum>(sum + x); },
                roundingDivide<Sum>);
    };
    constexpr uint64_t kFits32Bits = uint64_t{1} << 23;
    return op.input(kInput).elementCount() < kFits32Bits ? average(int32_t{0})
                                                         : average(int64_t{0});
}

template <class E>
bool maxStored(KernelCall& op) {
    return poolStored<E>(
            op, int32_t{std::numeric_limits<E>::min()},
            [](int32_t most, E x) { return std::max<int32_t>(most, x); },
            [](int32_t most, int32_t) { return most; });
}

}  // namespace
}  // namespace pool_2d

// The sum of the window divided by its elements.
bool kernels::AVERAGE_POOL_2D(KernelCall& op) {
    using namespace pool_2d;
    switch (op.input(kInput).type) {
        case TENSOR_QUANT8_ASYMM:
            return averageStored<uint8_t>(op);
        case TENSOR_QUANT8_ASYMM_SIGNED:
            return averageStored<int8_t>(op);
        default:
            return poolReals(
                    op, 0.0, [](double sum, float x) { return sum + x; },
                    [](double sum, double count) { return sum / count; });
    }
}

bool kernels::MAX_POOL_2D(KernelCall& op) {
    using namespace pool_2d;
    switch (op.input(kInput).type) {
        case TENSOR_QUANT8_ASYMM:
            return maxStored<uint8_t>(op);
        case TENSOR_QUANT8_ASYMM_SIGNED:
            return maxStored<int8_t>(op);
        default:
            return poolReals(
                    op, -std::numeric_limits<double>::infinity(),
                    [](double most, float x) { return std::max<double>(most, x); },
                    [](double most, double) { return most; });
    }
}

// The root of the mean of squares.
bool kernels::L2_POOL_2D(KernelCall& op) {
    return pool_2d::poolReals(
            op, 0.0, [](double sum, float x) { return sum + double{x} * x; },
            [](double sum, double count) { return std::sqrt(sum / count); });
}

}  // namespace nn::ops
