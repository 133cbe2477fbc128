#include <absl/algorithm/container.h>

#include <algorithm>

#include "op_support/kernels/convolution.h"
#include "op_support/kernels/gemm.h"
#include "op_support/kernels/image_layout.h"
#include "ops/transpose_conv_2d/signature.h"

namespace nn::ops {
namespace transpose_conv_2d {
namespace {

struct Transposed {
    size_t batches, inputChannels, outputChannels;
    WindowAxis height, width;  // see backwardWindows
    bool isNchw;
    int32_t activation;

    size_t taps() const { return static_cast<size_t>(height.filter * width.filter); }
    size_t inputPixels() const { return static_cast<size_t>(height.output * width.output); }
    size_t outputPixels() const { return static_cast<size_t>(height.input * width.input); }
};

// The number of input pixels whose products with the filter fit in the cache.
size_t blockOf(const Transposed& t) {
    constexpr size_t kProducts = size_t{1} << 17;
    return std::clamp<size_t>(kProducts / (t.taps() * t.outputChannels), 1, t.inputPixels());
}

double add(double a, double b) { return a + b; }
int32_t add(int32_t a, int32_t b) { return addWrapping(a, b); }

// y[i * strideHeight - top + a, j * strideWidth - left + b, k] +=
//         sum_c filter[k, a, b, c] * x[i, j, c]
// The products of an input pixel with all taps are one row of a matrix product, and are then added
// to the output pixels. finish(sums, n) gets the sums of an image.
template <class E, class F, class Finish>
void convolveImages(KernelCall& op, const Transposed& t, std::span<const E> x,
                    std::span<const F> filter, Finish finish) {
    using Gemm = GemmOf<E>;
    using Factor = typename Gemm::Factor;
    using Sum = typename Gemm::Sum;
    const size_t depth = roundUp(t.inputChannels, Gemm::kDepth);
    const size_t columns = roundUp(t.taps() * t.outputChannels, kGemmColumns);
    const size_t block = blockOf(t);

    // Taps first, so that the products of a tap are contiguous for all output channels.
    const auto packed = op.scratch<Factor>(columns * depth);
    const auto row = op.scratch<Factor>(t.inputChannels);
    absl::c_fill(packed, Factor{0});
    for (size_t k = 0; k < t.outputChannels; ++k) {
        for (size_t tap = 0; tap < t.taps(); ++tap) {
            widen({.x = filter.data() + (k * t.taps() + tap) * t.inputChannels,
                   .size = t.inputChannels},
                  op.input(kFilter).zeroPoint, row.data());
            Gemm::pack(row, tap * t.outputChannels + k, depth, packed.data());
        }
    }
    const auto pixels = op.scratch<Factor>(block * depth);
    absl::c_fill(pixels, Factor{0});
    const auto products = op.scratch<Sum>(block * columns);
    const auto sums = op.scratch<Sum>(t.outputPixels() * t.outputChannels);
    const auto inputWidth = static_cast<size_t>(t.width.output);
    for (size_t n = 0; n < t.batches; ++n) {
        absl::c_fill(sums, Sum{0});
        for (size_t first = 0; first < t.inputPixels(); first += block) {
            const size_t count = std::min(block, t.inputPixels() - first);
            op.interruption().spend(count * columns * depth);
            widen({.x = x.data() + (n * t.inputPixels() + first) * t.inputChannels,
                   .size = t.inputChannels,
                   .count = count,
                   .xStep = t.inputChannels,
                   .toStep = depth},
                  op.input(kInput).zeroPoint, pixels.data());
            Gemm::multiply({pixels.data(), count, depth, depth}, packed.data(),
                           {products.data(), count, columns, columns});
            for (size_t p = 0; p < count; ++p) {
                const auto rows = t.height.tapsAt(static_cast<int64_t>((first + p) / inputWidth));
                const auto taps = t.width.tapsAt(static_cast<int64_t>((first + p) % inputWidth));
                const Sum* product = products.data() + p * columns;
                for (int64_t a = rows.first; a < rows.last; ++a) {
                    for (int64_t b = taps.first; b < taps.last; ++b) {
                        const auto tap = static_cast<size_t>(a * t.width.filter + b);
                        const auto pixel = static_cast<size_t>((rows.start + a) * t.width.input +
                                                               taps.start + b);
                        for (size_t k = 0; k < t.outputChannels; ++k) {
                            Sum& sum = sums[pixel * t.outputChannels + k];
                            sum = add(sum, product[tap * t.outputChannels + k]);
                        }
                    }
                }
            }
        }
        finish(std::span<const Sum>(sums), n);
    }
}

void convolveReals(KernelCall& op, const Transposed& t) {
    const auto x = nhwcInput(op, op.reals(kInput), op.input(kInput), t.isNchw);
    const auto bias = op.reals(kBias);
    const RealRange range = activationRange(t.activation);
    const auto result = op.realOutput(0);
    const auto y = nhwcResult(op, result, t.isNchw);
    const size_t channels = t.outputChannels, pixels = t.outputPixels();
    convolveImages(op, t, x, op.reals(kFilter), [&](std::span<const double> sums, size_t n) {
        addBias(Matrix<const double>{sums.data(), pixels, channels, channels}, bias.data(), range,
                {y.data() + n * sums.size(), pixels, channels, channels});
    });
    storeNhwc<float>(y, op.output(0), t.isNchw, result);
    op.store(0, result);
}

template <class E, class F>
void convolveStored(KernelCall& op, const Transposed& t) {
    const Value& input = op.input(kInput);
    const Value& filter = op.input(kFilter);
    const auto x = nhwcInput(op, input.as<E>(), input, t.isNchw);
    const Rescale rescale(op, t.outputChannels, t.activation);
    const auto result = op.output(0).mutableAs<E>();
    const auto y = nhwcResult(op, result, t.isNchw);
    convolveImages(op, t, x, filter.as<F>(), [&](std::span<const int32_t> sums, size_t n) {
        rescale.store(sums, 0, y.data() + n * sums.size());
    });
    storeNhwc<E>(y, op.output(0), t.isNchw, result);
}

}  // namespace
}  // namespace transpose_conv_2d

bool kernels::TRANSPOSE_CONV_2D(KernelCall& op) {
    using namespace transpose_conv_2d;
    if (op.output(0).elementCount() == 0) return true;
    const auto windows = backwardWindows(op);
    const Transposed t{.batches = op.input(kInput)[0],
                       .inputChannels = op.input(kFilter)[3],
                       .outputChannels = op.input(kFilter)[0],
                       .height = *windows->height,
                       .width = *windows->width,
                       .isNchw = *windows->isNchw,
                       .activation = *op.int32(kActivation[op.form()])};
    if (isQuant8Asymm(op.input(kInput).type)) {
        withStoredTypes(op, [&]<class E, class F>(E, F) { convolveStored<E, F>(op, t); });
    } else {
        convolveReals(op, t);
    }
    return true;
}

}  // namespace nn::ops
