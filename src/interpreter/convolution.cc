#include "interpreter/convolution.h"

#include <algorithm>
#include <cstring>

#include "interpreter/gemm.h"
#include "interpreter/image_layout.h"
#include "ops/convolution.h"

namespace nn::ops {
namespace {

// Elements of a block of patches, and of a panel of quantised filters: what the cache holds.
constexpr size_t kPatchBlock = size_t{1} << 16;
constexpr size_t kFilterPanel = size_t{1} << 17;

// Writes the windows at output positions [first, first + count), counted over all batches, as rows
// of `stride` elements: the taps of a window in order, `depth` channels each from firstChannel on,
// and zeros for what lies outside the image and behind the last tap.
template <class E, class P, class Copy>
void gatherPatches(const Convolution& c, const E* x, size_t firstChannel, size_t depth,
                   size_t first, size_t count, P* patches, size_t stride, Copy copy) {
    const auto outputWidth = static_cast<size_t>(c.width.output);
    const auto outputHeight = static_cast<size_t>(c.height.output);
    const size_t tapsPerRow = static_cast<size_t>(c.width.filter);
    const bool isRowContiguous = c.width.dilation == 1 && depth == c.inputChannels;
    for (size_t p = first; p < first + count; ++p, patches += stride) {
        const auto rows = c.height.tapsAt(static_cast<int64_t>(p / outputWidth % outputHeight));
        const auto columns = c.width.tapsAt(static_cast<int64_t>(p % outputWidth));
        const size_t batch = p / outputWidth / outputHeight;
        const auto inside = static_cast<size_t>(rows.count() * columns.count()) * depth;
        if (inside != stride) std::fill_n(patches, stride, P{});
        for (int64_t row = rows.first; row < rows.last; ++row) {
            const auto y = static_cast<size_t>(rows.start + row * c.height.dilation);
            const E* line = x +
                            (batch * static_cast<size_t>(c.height.input) + y) *
                                    static_cast<size_t>(c.width.input) * c.inputChannels +
                            firstChannel;
            P* taps = patches + static_cast<size_t>(row) * tapsPerRow * depth;
            const auto from = [&](int64_t column) {
                return line + static_cast<size_t>(columns.start + column * c.width.dilation) *
                                      c.inputChannels;
            };
            if (isRowContiguous) {
                if (columns.count() > 0)
                    copy(from(columns.first), static_cast<size_t>(columns.count()) * depth,
                         taps + static_cast<size_t>(columns.first) * depth);
                continue;
            }
            for (int64_t column = columns.first; column < columns.last; ++column) {
                copy(from(column), depth, taps + static_cast<size_t>(column) * depth);
            }
        }
    }
}

// Every window is one pixel, and the windows are the pixels in order.
bool isPointwise(const Convolution& c) {
    const auto isIdentity = [](const WindowAxis& axis) {
        return axis.filter == 1 && axis.stride == 1 && axis.head == 0 && axis.output == axis.input;
    };
    return isIdentity(c.height) && isIdentity(c.width);
}

struct Sizes {
    explicit Sizes(const Convolution& c)
        : positions(c.batches * static_cast<size_t>(c.height.output) *
                    static_cast<size_t>(c.width.output)),
          groupInputs(c.inputChannels / c.groups),
          groupOutputs(c.outputChannels / c.groups),
          depth(static_cast<size_t>(c.height.filter * c.width.filter) * groupInputs) {}
    size_t positions;
    size_t groupInputs;
    size_t groupOutputs;
    size_t depth;  // of one sum
};

void convolveReals(Execution& op, const Convolution& c) {
    const Sizes sizes(c);
    const auto x =
            nhwcInput(op, op.reals(kConvolutionInput), op.input(kConvolutionInput), c.isNchw);
    const auto filter = op.reals(kConvolutionFilter);
    const auto bias = op.reals(kConvolutionBias);
    const auto result = op.realOutput(0);
    const auto y = nhwcResult(op, result, c.isNchw);
    const RealRange range = activationRange(c.activation);

    const bool direct = isPointwise(c);
    const size_t most =
            std::max<size_t>(16, 4 * kPatchBlock / std::max(sizes.depth, sizes.groupOutputs));
    const size_t block = std::min(sizes.positions, most);
    const auto patches = op.scratch<float>(direct ? 0 : block * sizes.depth);
    const auto copy = [](const float* from, size_t count, float* to) {
        std::copy_n(from, count, to);
    };
    for (size_t first = 0; first < sizes.positions; first += block) {
        const size_t rows = std::min(block, sizes.positions - first);
        float* out = y.data() + first * c.outputChannels;
        for (size_t group = 0; group < c.groups; ++group) {
            const size_t channel = group * sizes.groupInputs;
            if (!direct) {
                gatherPatches(c, x.data(), channel, sizes.groupInputs, first, rows, patches.data(),
                              sizes.depth, copy);
            }
            multiplyTransposed(
                    direct ? Matrix<const float>{x.data() + first * c.inputChannels + channel, rows,
                                                 sizes.depth, c.inputChannels}
                           : Matrix<const float>{patches.data(), rows, sizes.depth, sizes.depth},
                    {filter.data() + group * sizes.groupOutputs * sizes.depth, sizes.groupOutputs,
                     sizes.depth, sizes.depth},
                    {out + group * sizes.groupOutputs, rows, sizes.groupOutputs, c.outputChannels});
        }
        for (size_t row = 0; row < rows; ++row) addBias(bias, range, out + row * c.outputChannels);
    }
    storeNhwc<float>(y, op.output(0), c.isNchw, result);
    op.store(0, result);
}

template <class E, class F>
void convolveStored(Execution& op, const Convolution& c) {
    const Sizes sizes(c);
    const Value& input = op.input(kConvolutionInput);
    const Value& filter = op.input(kConvolutionFilter);
    const auto x = nhwcInput(op, input.as<E>(), input, c.isNchw);
    const auto result = op.output(0).mutableAs<E>();
    const auto y = nhwcResult(op, result, c.isNchw);
    const Rescale rescale(op, c.outputChannels, c.activation);

    // Filters a panel at a time, so that each is widened once, and for each panel the positions a
    // block at a time.
    const size_t stride = paddedDepth(sizes.depth);
    const size_t panel = std::clamp<size_t>(kFilterPanel / stride, 4, sizes.groupOutputs + 4);
    const size_t block =
            std::min(sizes.positions, std::max<size_t>(16, kPatchBlock / std::max(stride, panel)));
    const auto filters = op.scratch<int16_t>(panel * stride);
    const auto patches = op.scratch<int16_t>(block * stride);
    const auto sums = op.scratch<int32_t>(block * panel);
    const auto widen = [zeroPoint = input.zeroPoint](const E* from, size_t count, int16_t* to) {
        subtractZeroPoint(from, count, zeroPoint, to);
    };
    for (size_t channel = 0; channel < c.outputChannels;) {
        const size_t group = channel / sizes.groupOutputs;
        const size_t channels = std::min(panel, (group + 1) * sizes.groupOutputs - channel);
        for (size_t row = 0; row < channels; ++row) {
            int16_t* to = filters.data() + row * stride;
            subtractZeroPoint(filter.as<F>().data() + (channel + row) * sizes.depth, sizes.depth,
                              filter.zeroPoint, to);
            std::fill(to + sizes.depth, to + stride, int16_t{0});
        }
        for (size_t first = 0; first < sizes.positions; first += block) {
            const size_t rows = std::min(block, sizes.positions - first);
            gatherPatches(c, x.data(), group * sizes.groupInputs, sizes.groupInputs, first, rows,
                          patches.data(), stride, widen);
            multiplyTransposed({patches.data(), rows, stride, stride},
                               {filters.data(), channels, stride, stride},
                               {sums.data(), rows, channels, channels});
            for (size_t row = 0; row < rows; ++row) {
                rescale.store(sums.subspan(row * channels, channels), channel,
                              y.data() + (first + row) * c.outputChannels + channel);
            }
        }
        channel += channels;
    }
    storeNhwc<E>(y, op.output(0), c.isNchw, result);
}

}  // namespace

Rescale::Rescale(Execution& op, size_t channels, int32_t activation)
    : mBias(op.input(kConvolutionBias).as<int32_t>()),
      mMultipliers(op.scratch<FixedMultiplier>(channels)),
      mZeroPoint(op.output(0).zeroPoint) {
    const Value& output = op.output(0);
    const Value& filter = op.input(kConvolutionFilter);
    const auto* quant = filter.channelQuant();
    for (size_t c = 0; c < channels; ++c) {
        const double filterScale = quant != nullptr ? quant->scales[c] : filter.scale;
        mMultipliers[c] =
                FixedMultiplier::of(op.input(kConvolutionInput).scale * filterScale / output.scale);
    }
    mRange = output.type == TENSOR_QUANT8_ASYMM_SIGNED
                     ? activationRange<int8_t>(activation, output.scale, output.zeroPoint)
                     : activationRange<uint8_t>(activation, output.scale, output.zeroPoint);
}

void convolve(Execution& op, const Convolution& convolution) {
    if (op.output(0).elementCount() == 0) return;
    if (!isQuant8Asymm(op.input(kConvolutionInput).type)) {
        convolveReals(op, convolution);
        return;
    }
    withStoredTypes(op, [&]<class E, class F>(E, F) { convolveStored<E, F>(op, convolution); });
}

}  // namespace nn::ops
