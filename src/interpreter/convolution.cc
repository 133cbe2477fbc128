#include "interpreter/convolution.h"

#include <algorithm>

#include "interpreter/gemm.h"
#include "interpreter/image_layout.h"
#include "interpreter/vector_clones.h"
#include "ops/convolution.h"

namespace nn::ops {
namespace {

// Elements of a block of patches, and of a panel of quantised filters: what the cache holds.
constexpr size_t kPatchBlock = size_t{1} << 16;
constexpr size_t kFilterPanel = size_t{1} << 17;

// Every window is one pixel, and the windows are the pixels in order.
bool isPointwise(const Convolution& c) {
    const auto isIdentity = [](const WindowAxis& axis) {
        return axis.filter == 1 && axis.stride == 1 && axis.head == 0 && axis.output == axis.input;
    };
    return isIdentity(c.height) && isIdentity(c.width);
}

// Writes the windows at output positions [first, first + count), counted over all batches, as rows
// of `stride` elements: the taps of a window in order, `depth` channels each from firstChannel on,
// and zeros for what lies outside the image and behind the last tap.
template <class E, class P, class Copy>
void gatherPatches(const Convolution& c, const E* x, size_t firstChannel, size_t depth,
                   size_t first, size_t count, P* patches, size_t stride, Copy copy) {
    x += firstChannel;
    if (isPointwise(c)) {
        for (size_t p = first; p < first + count; ++p, patches += stride) {
            copy(x + p * c.inputChannels, depth, patches);
            std::fill(patches + depth, patches + stride, P{});
        }
        return;
    }
    const auto tapsPerRow = static_cast<size_t>(c.width.filter);
    const bool isRowContiguous = c.width.dilation == 1 && depth == c.inputChannels;
    const int64_t outputRow = static_cast<int64_t>(first) / c.width.output;
    int64_t j = static_cast<int64_t>(first) % c.width.output;
    int64_t i = outputRow % c.height.output;
    const E* image =
            x + static_cast<size_t>(outputRow / c.height.output * c.height.input * c.width.input) *
                        c.inputChannels;
    const size_t imageSize = static_cast<size_t>(c.height.input * c.width.input) * c.inputChannels;
    auto rows = c.height.tapsAt(i);
    for (size_t p = 0; p < count; ++p, patches += stride) {
        const auto columns = c.width.tapsAt(j);
        const auto inside = static_cast<size_t>(rows.count() * columns.count()) * depth;
        if (inside != stride) std::fill_n(patches, stride, P{});
        for (int64_t a = rows.first; a < rows.last; ++a) {
            const int64_t line = (rows.start + a * c.height.dilation) * c.width.input;
            P* taps = patches + static_cast<size_t>(a) * tapsPerRow * depth;
            for (int64_t b = columns.first; b < columns.last; ++b) {
                const int64_t pixel = line + columns.start + b * c.width.dilation;
                const auto run = static_cast<size_t>(isRowContiguous ? columns.last - b : 1);
                copy(image + static_cast<size_t>(pixel) * c.inputChannels, run * depth,
                     taps + static_cast<size_t>(b) * depth);
                if (isRowContiguous) break;
            }
        }
        if (++j < c.width.output) continue;
        j = 0;
        if (++i == c.height.output) {
            i = 0;
            image += imageSize;
        }
        rows = c.height.tapsAt(i);
    }
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

// results = sums + bias, which wrap.
NNAPI_VECTOR_CLONES void addBias(const int32_t* sums, const int32_t* bias, size_t count,
                                 int32_t* results) {
    for (size_t c = 0; c < count; ++c) {
        results[c] = static_cast<int32_t>(static_cast<uint32_t>(sums[c]) +
                                          static_cast<uint32_t>(bias[c]));
    }
}

// The same as multiply() with multipliers significand * 2^-31 * 2^-shift, in a form that compilers
// can vectorise.
NNAPI_VECTOR_CLONES void multiplyBelowOne(const int32_t* significands, const uint32_t* shifts,
                                          size_t count, int32_t* sums) {
    for (size_t c = 0; c < count; ++c) {
        const int64_t product = int64_t{sums[c]} * significands[c] + (int64_t{1} << 30);
        const auto high = static_cast<uint32_t>(static_cast<uint64_t>(product) >> 31);
        const uint32_t sign = high >> 31 != 0 ? ~0u : 0u;
        const uint32_t magnitude = (high ^ sign) - sign;
        const uint32_t rounded = (magnitude + ((1u << shifts[c]) >> 1)) >> shifts[c];
        sums[c] = static_cast<int32_t>((rounded ^ sign) - sign);
    }
}

// results = clamp(results + zeroPoint)
NNAPI_VECTOR_CLONES void addZeroPoint(int32_t zeroPoint, StoredRange range, size_t count,
                                      int32_t* results) {
    // Cut first, so that nothing overflows.
    const int32_t least = range.least - zeroPoint, most = range.most - zeroPoint;
    for (size_t c = 0; c < count; ++c) {
        results[c] = std::min(std::max(results[c], least), most) + zeroPoint;
    }
}

}  // namespace

Rescale::Rescale(Execution& op, size_t channels, int32_t activation)
    : mBias(op.input(kConvolutionBias).as<int32_t>()),
      mMultipliers(op.scratch<FixedMultiplier>(channels)),
      mSignificands(op.scratch<int32_t>(channels)),
      mShifts(op.scratch<uint32_t>(channels)),
      mZeroPoint(op.output(0).zeroPoint) {
    const Value& output = op.output(0);
    const Value& filter = op.input(kConvolutionFilter);
    const auto* quant = filter.channelQuant();
    for (size_t c = 0; c < channels; ++c) {
        const double filterScale = quant != nullptr ? quant->scales[c] : filter.scale;
        mMultipliers[c] =
                FixedMultiplier::of(op.input(kConvolutionInput).scale * filterScale / output.scale);
        mSignificands[c] = mMultipliers[c].significand;
        mShifts[c] = static_cast<uint32_t>(std::max(-mMultipliers[c].exponent, 0));
        mAreBelowOne = mAreBelowOne && mMultipliers[c].exponent <= 0;
    }
    mRange = output.type == TENSOR_QUANT8_ASYMM_SIGNED
                     ? activationRange<int8_t>(activation, output.scale, output.zeroPoint)
                     : activationRange<uint8_t>(activation, output.scale, output.zeroPoint);
}

template <class E>
void Rescale::store(std::span<const int32_t> sums, size_t firstChannel, E* y) const {
    constexpr size_t kBlock = 64;
    int32_t results[kBlock];
    for (size_t start = 0; start < sums.size(); start += kBlock) {
        const size_t count = std::min(kBlock, sums.size() - start);
        const size_t channel = firstChannel + start;
        addBias(sums.data() + start, mBias.data() + channel, count, results);
        if (mAreBelowOne) {
            multiplyBelowOne(mSignificands.data() + channel, mShifts.data() + channel, count,
                             results);
        } else {
            for (size_t c = 0; c < count; ++c) {
                results[c] = multiply(results[c], mMultipliers[channel + c]);
            }
        }
        addZeroPoint(mZeroPoint, mRange, count, results);
        for (size_t c = 0; c < count; ++c) y[start + c] = static_cast<E>(results[c]);
    }
}
template void Rescale::store(std::span<const int32_t>, size_t, uint8_t*) const;
template void Rescale::store(std::span<const int32_t>, size_t, int8_t*) const;

void convolve(Execution& op, const Convolution& convolution) {
    if (op.output(0).elementCount() == 0) return;
    if (!isQuant8Asymm(op.input(kConvolutionInput).type)) {
        convolveReals(op, convolution);
        return;
    }
    withStoredTypes(op, [&]<class E, class F>(E, F) { convolveStored<E, F>(op, convolution); });
}

}  // namespace nn::ops
