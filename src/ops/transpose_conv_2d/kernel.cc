#include <algorithm>

#include "interpreter/convolution.h"
#include "interpreter/gemm.h"
#include "interpreter/image_layout.h"
#include "ops/transpose_conv_2d/signature.h"

namespace nn::ops {
namespace transpose_conv_2d {
namespace {

struct Transposed {
    size_t batches, inputChannels, outputChannels;
    WindowAxis height, width;  // of the way back, see backwardWindows
    bool isNchw;
    int32_t activation;

    size_t taps() const { return static_cast<size_t>(height.filter * width.filter); }
    size_t inputPixels() const { return static_cast<size_t>(height.output * width.output); }
    size_t outputPixels() const { return static_cast<size_t>(height.input * width.input); }
};

// The filter [outputs, taps, inputs] as [taps, outputs, inputs], with rows of `stride` elements, so
// that one product gives all output channels of a tap side by side.
template <class E, class P, class Copy>
Matrix<const P> tapsFirst(Execution& op, const Transposed& t, std::span<const E> filter,
                          size_t stride, Copy copy) {
    const size_t rows = t.taps() * t.outputChannels;
    const auto out = op.scratch<P>(rows * stride);
    for (size_t k = 0; k < t.outputChannels; ++k) {
        for (size_t tap = 0; tap < t.taps(); ++tap) {
            P* row = out.data() + (tap * t.outputChannels + k) * stride;
            copy(filter.data() + (k * t.taps() + tap) * t.inputChannels, row);
        }
    }
    return {out.data(), rows, stride, stride};
}

// Input pixels whose products with the filter fit the cache.
size_t blockOf(const Transposed& t) {
    constexpr size_t kProducts = size_t{1} << 17;
    return std::clamp<size_t>(kProducts / (t.taps() * t.outputChannels), 1, t.inputPixels());
}

// For one image:
// y[i * strideHeight - top + a, j * strideWidth - left + b, k] +=
//         sum_c filter[a, b, k, c] * x[i, j, c]
// pixels(first, count) gives input pixels as rows of a matrix.
template <class P, class Product, class Sum, class Pixels>
void scatter(const Transposed& t, Matrix<const P> filter, Pixels pixels,
             std::span<Product> products, Sum* y) {
    const size_t block = blockOf(t);
    for (size_t first = 0; first < t.inputPixels(); first += block) {
        const size_t count = std::min(block, t.inputPixels() - first);
        multiplyTransposed(pixels(first, count), filter,
                           {products.data(), count, filter.rows, filter.rows});
        for (size_t p = first; p < first + count; ++p) {
            const auto inputWidth = static_cast<size_t>(t.width.output);
            const auto rows = t.height.tapsAt(static_cast<int64_t>(p / inputWidth));
            const auto columns = t.width.tapsAt(static_cast<int64_t>(p % inputWidth));
            const Product* product = products.data() + (p - first) * filter.rows;
            for (int64_t a = rows.first; a < rows.last; ++a) {
                for (int64_t b = columns.first; b < columns.last; ++b) {
                    const auto tap = static_cast<size_t>(a * t.width.filter + b);
                    const auto pixel = static_cast<size_t>((rows.start + a) * t.width.input +
                                                           columns.start + b);
                    for (size_t k = 0; k < t.outputChannels; ++k) {
                        y[pixel * t.outputChannels + k] += product[tap * t.outputChannels + k];
                    }
                }
            }
        }
    }
}

void convolveReals(Execution& op, const Transposed& t) {
    const auto x = nhwcInput(op, op.reals(kInput), op.input(kInput), t.isNchw);
    const auto filter = tapsFirst<float, float>(
            op, t, op.reals(kFilter), t.inputChannels,
            [&](const float* from, float* to) { std::copy_n(from, t.inputChannels, to); });
    const auto bias = op.reals(kBias);
    const RealRange range = activationRange(t.activation);
    const auto products = op.scratch<float>(blockOf(t) * filter.rows);
    const auto result = op.realOutput(0);
    const auto y = nhwcResult(op, result, t.isNchw);
    std::ranges::fill(y, 0.0f);
    for (size_t n = 0; n < t.batches; ++n) {
        const auto pixels = [&](size_t first, size_t count) -> Matrix<const float> {
            return {x.data() + (n * t.inputPixels() + first) * t.inputChannels, count,
                    t.inputChannels, t.inputChannels};
        };
        scatter(t, filter, pixels, products, y.data() + n * t.outputPixels() * t.outputChannels);
    }
    for (size_t start = 0; start < y.size(); start += t.outputChannels) {
        addBias(bias, range, y.data() + start);
    }
    storeNhwc<float>(y, op.output(0), t.isNchw, result);
    op.store(0, result);
}

template <class E, class F>
void convolveStored(Execution& op, const Transposed& t) {
    const Value& input = op.input(kInput);
    const auto x = nhwcInput(op, input.as<E>(), input, t.isNchw);
    const size_t stride = paddedDepth(t.inputChannels);
    const auto widen = [&](const auto* from, int32_t zeroPoint, int16_t* to) {
        subtractZeroPoint(from, t.inputChannels, zeroPoint, to);
        std::fill(to + t.inputChannels, to + stride, int16_t{0});
    };
    const Value& filterValue = op.input(kFilter);
    const auto filter = tapsFirst<F, int16_t>(
            op, t, filterValue.as<F>(), stride,
            [&](const F* from, int16_t* to) { widen(from, filterValue.zeroPoint, to); });
    const auto widened = op.scratch<int16_t>(blockOf(t) * stride);
    const auto products = op.scratch<int32_t>(blockOf(t) * filter.rows);
    // Unsigned, because sums may wrap.
    const auto sums = op.scratch<uint32_t>(t.outputPixels() * t.outputChannels);
    const Rescale rescale(op, t.outputChannels, t.activation);
    const auto result = op.output(0).mutableAs<E>();
    const auto y = nhwcResult(op, result, t.isNchw);
    for (size_t n = 0; n < t.batches; ++n) {
        const auto pixels = [&](size_t first, size_t count) -> Matrix<const int16_t> {
            for (size_t p = 0; p < count; ++p) {
                widen(x.data() + (n * t.inputPixels() + first + p) * t.inputChannels,
                      input.zeroPoint, widened.data() + p * stride);
            }
            return {widened.data(), count, stride, stride};
        };
        std::ranges::fill(sums, 0u);
        scatter(t, filter, pixels, products, sums.data());
        const auto* signedSums = reinterpret_cast<const int32_t*>(sums.data());
        for (size_t start = 0; start < sums.size(); start += t.outputChannels) {
            rescale.store({signedSums + start, t.outputChannels}, 0,
                          y.data() + n * sums.size() + start);
        }
    }
    storeNhwc<E>(y, op.output(0), t.isNchw, result);
}

}  // namespace
}  // namespace transpose_conv_2d

bool kernels::TRANSPOSE_CONV_2D(Execution& op) {
    using namespace transpose_conv_2d;
    if (op.output(0).elementCount() == 0) return true;
    const auto windows = backwardWindows(op);
    const Transposed t{.batches = op.input(kInput)[0],
                       .inputChannels = op.input(kFilter)[3],
                       .outputChannels = op.input(kFilter)[0],
                       .height = *windows->height,
                       .width = *windows->width,
                       .isNchw = *windows->isNchw,
                       .activation = *op.int32(inputNamed(op, "activation"))};
    if (isQuant8Asymm(op.input(kInput).type)) {
        withStoredTypes(op, [&]<class E, class F>(E, F) { convolveStored<E, F>(op, t); });
    } else {
        convolveReals(op, t);
    }
    return true;
}

}  // namespace nn::ops
