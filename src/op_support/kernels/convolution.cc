#include "op_support/kernels/convolution.h"

#include <absl/algorithm/container.h>

#include <algorithm>

#include "op_support/kernels/gemm.h"
#include "op_support/kernels/image_layout.h"
#include "op_support/kernels/vector_kernels.h"
#include "op_support/rules/convolution_rules.h"

namespace nn::ops {
namespace {

// Sizes in bytes of a block of patches and of a panel of packed filters, chosen to fit the cache.
constexpr size_t kPatchBlock = size_t{1} << 17;
constexpr size_t kFilterPanel = size_t{1} << 19;

// Every window is one pixel, and the windows are the pixels in order.
bool isPointwise(const Convolution& c) {
    const auto isIdentity = [](const WindowAxis& axis) {
        return axis.filter == 1 && axis.stride == 1 && axis.head == 0 && axis.output == axis.input;
    };
    return isIdentity(c.height) && isIdentity(c.width);
}

// Writes the windows at output positions [first, first + count), counted over all batches, as rows
// of `stride` factors: the taps of a window in order, `depth` channels each starting with
// firstChannel, and the value of 0 outside the image and after the last tap.
template <class Products, class E, class Factor>
void gatherPatches(const Products& products, const Convolution& c, const E* x, size_t firstChannel,
                   size_t depth, size_t first, size_t count, Factor* to, size_t stride) {
    x += firstChannel;
    if (isPointwise(c)) {
        x += first * c.inputChannels;
        if (depth == c.inputChannels && depth == stride) {
            return products.convert({.x = x, .size = count * depth}, to);
        }
        if (depth != stride) std::fill_n(to, count * stride, products.zero());
        return products.convert(
                {.x = x, .size = depth, .count = count, .xStep = c.inputChannels, .toStep = stride},
                to);
    }
    const auto size = [](int64_t value) { return static_cast<size_t>(value); };
    const bool isRowContiguous = c.width.dilation == 1 && depth == c.inputChannels;
    const int64_t outputRow = static_cast<int64_t>(first) / c.width.output;
    int64_t j = static_cast<int64_t>(first) % c.width.output;
    int64_t i = outputRow % c.height.output;
    const size_t imageSize = size(c.height.input * c.width.input) * c.inputChannels;
    const E* image = x + size(outputRow / c.height.output) * imageSize;
    auto rows = c.height.tapsAt(i);
    while (count > 0) {
        const auto columns = c.width.tapsAt(j);
        const int64_t windows =
                std::min(wholeWindows(c.width, j, columns), static_cast<int64_t>(count));
        const bool isInside = rows.count() > 0 && columns.count() > 0;
        if (!isInside || size(rows.count() * columns.count()) * depth != stride) {
            std::fill_n(to, size(windows) * stride, products.zero());
        }
        for (int64_t b = columns.first; isInside && b < columns.last; ++b) {
            const int64_t pixel = (rows.start + rows.first * c.height.dilation) * c.width.input +
                                  columns.start + b * c.width.dilation;
            const auto taps = isRowContiguous ? columns.last - b : 1;
            products.convert({.x = image + size(pixel) * c.inputChannels,
                              .size = size(taps) * depth,
                              .rows = size(rows.count()),
                              .xRow = size(c.height.dilation * c.width.input) * c.inputChannels,
                              .toRow = size(c.width.filter) * depth,
                              .count = size(windows),
                              .xStep = size(c.width.stride) * c.inputChannels,
                              .toStep = stride},
                             to + size(rows.first * c.width.filter + b) * depth);
            if (isRowContiguous) break;
        }
        to += size(windows) * stride;
        count -= size(windows);
        j += windows;
        if (j < c.width.output) continue;
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

// The sizes of the matrices of one multiplication.
struct Tile {
    size_t rows;     // patches, of each worker
    size_t columns;  // output channels
    size_t depth;    // of a sum, filled up with factors for 0
};

// Products of elements less their zero points.
template <class E, class F>
class FactorProducts {
   public:
    using Gemm = GemmOf<E>;
    using Factor = typename Gemm::Factor;
    using Sum = typename Gemm::Sum;

    explicit FactorProducts(const OpView& op)
        : mInputZero(op.input(kConvolutionInput).zeroPoint),
          mFilterZero(op.input(kConvolutionFilter).zeroPoint) {}

    size_t depthUnit() const { return Gemm::kDepth; }
    void reserve(KernelCall& op, const Tile& most) {
        mDepth = most.depth;
        mPacked = op.scratch<Factor>(most.columns * most.depth);
        mRow = op.scratch<Factor>(most.depth);
    }

    // For patches of the input, which are never in memory in the order of the multiplication.
    const Factor* inPlace(const E*) const { return nullptr; }
    Factor zero() const { return 0; }
    void convert(const Patches<E>& patches, Factor* to) const { widen(patches, mInputZero, to); }

    void pack(Matrix<const F> filters) {
        if (filters.columns != mDepth || filters.rows % kGemmColumns != 0) {
            absl::c_fill(mPacked, Factor{0});
        }
        for (size_t n = 0; n < filters.rows; ++n) {
            const F* filter = filters.data + n * filters.stride;
            widen({.x = filter, .size = filters.columns}, mFilterZero, mRow.data());
            Gemm::pack(mRow.first(filters.columns), n, mDepth, mPacked.data());
        }
    }
    void multiply(size_t, Matrix<const Factor> patches, Matrix<Sum> sums) const {
        Gemm::multiply(patches, mPacked.data(), sums);
    }

   private:
    int32_t mInputZero;
    int32_t mFilterZero;
    size_t mDepth = 0;
    std::span<Factor> mPacked;
    std::span<Factor> mRow;
};

// Products of the stored bytes, by the processor's instructions for them:
//   sum of (x - zeroX) * (f - zeroF) =
//       sum of x * f - zeroF * (sum of x) - zeroX * (sum of f - depth * zeroF)
// with bytes of x and f that are 128 less or more than the values if the instructions treat them as
// signed or unsigned; the zero points are shifted equally.
template <class E, class F>
class ByteProducts {
   public:
    using Factor = uint8_t;
    using Sum = int32_t;

    explicit ByteProducts(const OpView& op)
        : mKernels(*vectorKernels().bytes),
          mInputShift(std::is_signed_v<E> == mKernels.isSigned ? 0 : 128),
          mInputZero(op.input(kConvolutionInput).zeroPoint +
                     (std::is_signed_v<E> ? mInputShift : -mInputShift)),
          mFilterZero(op.input(kConvolutionFilter).zeroPoint - kFilterShift) {}

    size_t depthUnit() const { return mKernels.depth; }
    void reserve(KernelCall& op, const Tile& most) {
        mTile = most;
        mPacked = op.scratch<int8_t>(most.columns * most.depth);
        mRow = op.scratch<int8_t>(most.depth);
        mColumnTerms = op.scratch<int32_t>(most.columns);
        mRowTerms = op.scratch<int32_t>(op.workers().count() * most.rows);
        absl::c_fill(mRow, static_cast<int8_t>(mFilterZero));  // also behind the last factor
        absl::c_fill(mColumnTerms, 0);
        absl::c_fill(mRowTerms, 0);
    }

    const Factor* inPlace(const E* x) const {
        return mInputShift == 0 ? reinterpret_cast<const Factor*>(x) : nullptr;
    }
    Factor zero() const { return static_cast<Factor>(mInputZero); }
    void convert(Patches<E> patches, Factor* to) const {
        widen(Patches<uint8_t>{.x = reinterpret_cast<const uint8_t*>(patches.x),
                               .size = patches.size,
                               .rows = patches.rows,
                               .xRow = patches.xRow,
                               .toRow = patches.toRow,
                               .count = patches.count,
                               .xStep = patches.xStep,
                               .toStep = patches.toStep},
              mInputShift, to);
    }

    void pack(Matrix<const F> filters) {
        if (filters.rows % kGemmColumns != 0) absl::c_fill(mPacked, int8_t{0});
        for (size_t n = 0; n < filters.rows; ++n) {
            const auto* filter = reinterpret_cast<const uint8_t*>(filters.data);
            widen({.x = filter + n * filters.stride, .size = filters.columns}, kFilterShift,
                  reinterpret_cast<uint8_t*>(mRow.data()));
            packBytes(mKernels, mRow, n, mTile.depth, mPacked.data());
            uint32_t sum = 0;
            for (const int8_t factor : mRow) sum += static_cast<uint32_t>(factor - mFilterZero);
            mColumnTerms[n] = static_cast<int32_t>(-static_cast<uint32_t>(mInputZero) * sum);
        }
    }
    void multiply(size_t worker, Matrix<const Factor> patches, Matrix<Sum> sums) const {
        const auto terms = mRowTerms.subspan(worker * mTile.rows, patches.rows);
        if (mFilterZero != 0) {
            mKernels.sumRows(patches, terms.data());
            for (int32_t& term : terms) {
                term = static_cast<int32_t>(-static_cast<uint32_t>(mFilterZero) *
                                            static_cast<uint32_t>(term));
            }
        }
        mKernels.multiply({patches, mPacked.data(), terms.data(), mColumnTerms.data()}, sums);
    }

   private:
    static constexpr int32_t kFilterShift = std::is_signed_v<F> ? 0 : 128;
    const ByteKernels& mKernels;
    int32_t mInputShift;
    int32_t mInputZero;
    int32_t mFilterZero;
    Tile mTile{};
    std::span<int8_t> mPacked;
    std::span<int8_t> mRow;
    std::span<int32_t> mColumnTerms;
    std::span<int32_t> mRowTerms;
};

// The filters a panel of output channels at a time, so that each is packed once, and for each panel
// the positions a block at a time; finish(sums, position, channel) gets the sums of a block.
template <class Products, class E, class F, class Finish>
void convolvePanelsBy(KernelCall& op, const Convolution& c, std::span<const E> x,
                      std::span<const F> filter, Finish finish) {
    using Factor = typename Products::Factor;
    using Sum = typename Products::Sum;
    const Sizes sizes(c);
    Products products(op);
    const size_t depth = roundUp(sizes.depth, products.depthUnit());
    const size_t most = std::max<size_t>(kFilterPanel / sizeof(Factor) / depth, 8) / 8 * 8;
    const size_t panels = (sizes.groupOutputs + most - 1) / most;
    const size_t panel = roundUp((sizes.groupOutputs + panels - 1) / panels, kGemmColumns);
    const size_t block = std::clamp<size_t>(kPatchBlock / sizeof(Factor) / std::max(depth, panel),
                                            16, sizes.positions + 16);
    const size_t rowsAtOnce = std::min(block, sizes.positions);
    products.reserve(op, {rowsAtOnce, panel, depth});
    const auto patches = op.scratch<Factor>(op.workers().count() * rowsAtOnce * depth);
    const auto sums = op.scratch<Sum>(op.workers().count() * rowsAtOnce * panel);
    const bool areRows = isPointwise(c) && c.groups == 1 && depth == c.inputChannels;
    const Factor* const inPlace = areRows ? products.inPlace(x.data()) : nullptr;
    for (size_t channel = 0; channel < c.outputChannels;) {
        const size_t group = channel / sizes.groupOutputs;
        const size_t channels = std::min(panel, (group + 1) * sizes.groupOutputs - channel);
        const size_t columns = roundUp(channels, kGemmColumns);
        products.pack({filter.data() + channel * sizes.depth, channels, sizes.depth, sizes.depth});
        op.workers().split(sizes.positions, [&](size_t worker, size_t first, size_t last) {
            Factor* const patch = patches.data() + worker * rowsAtOnce * depth;
            Sum* const sum = sums.data() + worker * rowsAtOnce * panel;
            for (; first < last; first += block) {
                const size_t rows = std::min(block, last - first);
                op.interruption(worker).spend(rows * columns * sizes.depth);
                if (inPlace == nullptr) {
                    gatherPatches(products, c, x.data(), group * sizes.groupInputs,
                                  sizes.groupInputs, first, rows, patch, depth);
                }
                const Factor* factors = inPlace == nullptr ? patch : inPlace + first * depth;
                products.multiply(worker, {factors, rows, depth, depth},
                                  {sum, rows, columns, columns});
                finish(Matrix<const Sum>{sum, rows, channels, columns}, first, channel);
            }
        });
        channel += channels;
    }
}

template <class E, class F, class Finish>
void convolvePanels(KernelCall& op, const Convolution& c, std::span<const E> x,
                    std::span<const F> filter, Finish finish) {
    if constexpr (sizeof(E) == 1) {
        if (vectorKernels().bytes != nullptr) {
            return convolvePanelsBy<ByteProducts<E, F>>(op, c, x, filter, finish);
        }
    }
    convolvePanelsBy<FactorProducts<E, F>>(op, c, x, filter, finish);
}

// Up to this many positions, packing the filters costs more time than it saves.
constexpr size_t kFewPositions = 6;

bool hasFewPixels(const Convolution& c) {
    return isPointwise(c) && c.groups == 1 && Sizes(c).positions <= kFewPositions;
}

// Few positions of a pointwise convolution, with filters in their original order, each read once.
// finish receives the sums of one position and some channels.
template <class Sum, class X, class F, class Finish>
void convolveFewPixels(KernelCall& op, const Convolution& c, std::span<const X> x,
                       std::span<const F> filter, Finish finish) {
    constexpr size_t kChannels = 16;  // at once, for all positions
    const size_t positions = Sizes(c).positions;
    const size_t depth = c.inputChannels;
    const int32_t zeroPoint = op.input(kConvolutionFilter).zeroPoint;
    const auto sums = op.scratch<Sum>(op.workers().count() * kChannels);
    op.workers().split(c.outputChannels, [&](size_t worker, size_t first, size_t last) {
        Sum* const sum = sums.data() + worker * kChannels;
        for (; first < last; first += kChannels) {
            const size_t channels = std::min(kChannels, last - first);
            op.interruption(worker).spend(positions * channels * depth);
            for (size_t position = 0; position < positions; ++position) {
                dot(x.data() + position * depth,
                    Matrix<const F>{filter.data() + first * depth, channels, depth, depth},
                    zeroPoint, sum);
                finish(Matrix<const Sum>{sum, 1, channels, channels}, position, first);
            }
        }
    });
}

void convolveReals(KernelCall& op, const Convolution& c) {
    const auto x =
            nhwcInput(op, op.reals(kConvolutionInput), op.input(kConvolutionInput), c.isNchw);
    const auto filter = op.reals(kConvolutionFilter);
    const auto bias = op.reals(kConvolutionBias);
    const auto result = op.realOutput(0);
    const auto y = nhwcResult(op, result, c.isNchw);
    const RealRange range = activationRange(c.activation);
    const auto finish = [&](Matrix<const double> sums, size_t position, size_t channel) {
        float* out = y.data() + position * c.outputChannels + channel;
        addBias(sums, bias.data() + channel, range,
                {out, sums.rows, sums.columns, c.outputChannels});
    };
    if (hasFewPixels(c)) {
        convolveFewPixels<double>(op, c, x, filter, finish);
    } else {
        convolvePanels(op, c, x, filter, finish);
    }
    storeNhwc<float>(y, op.output(0), c.isNchw, result);
    op.store(0, result);
}

template <class E, class F>
void convolveStored(KernelCall& op, const Convolution& c) {
    const Value& input = op.input(kConvolutionInput);
    const Value& filter = op.input(kConvolutionFilter);
    const auto x = nhwcInput(op, input.as<E>(), input, c.isNchw);
    const auto result = op.output(0).mutableAs<E>();
    const auto y = nhwcResult(op, result, c.isNchw);
    const Rescale rescale(op, c.outputChannels, c.activation);
    const auto finish = [&](Matrix<const int32_t> sums, size_t position, size_t channel) {
        E* out = y.data() + position * c.outputChannels + channel;
        // One run if the sums of all channels are contiguous, as the results are.
        if (sums.columns == sums.stride && sums.columns == c.outputChannels) {
            rescale.store({sums.data, sums.rows * sums.columns}, 0, out);
            return;
        }
        for (size_t row = 0; row < sums.rows; ++row, out += c.outputChannels) {
            rescale.store({sums.data + row * sums.stride, sums.columns}, channel, out);
        }
    };
    if (hasFewPixels(c)) {
        const auto factors = op.scratch<int16_t>(x.size());
        widen({.x = x.data(), .size = x.size()}, input.zeroPoint, factors.data());
        convolveFewPixels<int32_t>(op, c, std::span<const int16_t>(factors), filter.as<F>(),
                                   finish);
    } else {
        convolvePanels(op, c, x, filter.as<F>(), finish);
    }
    storeNhwc<E>(y, op.output(0), c.isNchw, result);
}

// The same as VectorKernels::rescale, for shifts to the left as well.
void rescaleAny(const int32_t* sums, const Rescaling& r, size_t count, uint8_t* y) {
    for (size_t i = 0; i < count; ++i) {
        const int32_t result =
                multiply(addWrapping(sums[i], r.bias[i]), {r.significands[i], -r.shifts[i]});
        // Cut first, so that nothing overflows.
        y[i] = static_cast<uint8_t>(
                std::clamp(result, r.range.least - r.zeroPoint, r.range.most - r.zeroPoint) +
                r.zeroPoint);
    }
}

}  // namespace

Rescale::Rescale(KernelCall& op, size_t channels, int32_t activation) {
    // Repeated up to a length that makes loops worth their start.
    const auto outputs = static_cast<size_t>(op.output(0).elementCount().value_or(0));
    const size_t length = roundUp(std::clamp<size_t>(outputs, 1, kBlock), channels);
    mBias = op.scratch<int32_t>(length);
    mSignificands = op.scratch<int32_t>(length);
    mShifts = op.scratch<int32_t>(length);
    mHalves = op.scratch<int32_t>(length);
    const Value& output = op.output(0);
    const Value& filter = op.input(kConvolutionFilter);
    const auto bias = op.input(kConvolutionBias).as<int32_t>();
    const auto* quant = filter.channelQuant();
    for (size_t c = 0; c < channels; ++c) {
        const double filterScale = quant != nullptr ? quant->scales[c] : filter.scale;
        const auto multiplier =
                fixedMultiplier(op.input(kConvolutionInput).scale * filterScale / output.scale);
        mAreBelowOne = mAreBelowOne && multiplier.exponent <= 0;
        for (size_t at = c; at < length; at += channels) {
            mBias[at] = bias[c];
            mSignificands[at] = multiplier.significand;
            mShifts[at] = -multiplier.exponent;
            mHalves[at] = multiplier.exponent < 0 ? 1 << (-multiplier.exponent - 1) : 0;
        }
    }
    mZeroPoint = output.zeroPoint;
    mRange = output.type == TENSOR_QUANT8_ASYMM_SIGNED
                     ? activationRange<int8_t>(activation, output.scale, output.zeroPoint)
                     : activationRange<uint8_t>(activation, output.scale, output.zeroPoint);
}

template <class E>
void Rescale::store(std::span<const int32_t> sums, size_t firstChannel, E* y) const {
    const auto rescale = mAreBelowOne ? vectorKernels().rescale : rescaleAny;
    size_t channel = firstChannel;
    for (size_t start = 0; start < sums.size();) {
        const size_t count = std::min(sums.size() - start, mBias.size() - channel);
        rescale(sums.data() + start,
                {.bias = mBias.data() + channel,
                 .significands = mSignificands.data() + channel,
                 .shifts = mShifts.data() + channel,
                 .halves = mHalves.data() + channel,
                 .zeroPoint = mZeroPoint,
                 .range = mRange},
                count, reinterpret_cast<uint8_t*>(y + start));
        start += count;
        channel = (channel + count) % mBias.size();
    }
}
template void Rescale::store(std::span<const int32_t>, size_t, uint8_t*) const;
template void Rescale::store(std::span<const int32_t>, size_t, int8_t*) const;

template <class E, class Finish>
void multiplyRowsOf(KernelCall& op, Matrix<const E> x, Matrix<const E> y, const Finish& finish) {
    constexpr WindowAxis kOnePixel{.input = 1, .output = 1};
    convolvePanels(op,
                   {.batches = x.rows,
                    .inputChannels = x.columns,
                    .outputChannels = y.rows,
                    .height = kOnePixel,
                    .width = kOnePixel},
                   std::span(x.data, x.rows * x.columns), std::span(y.data, y.rows * y.columns),
                   finish);
}

void multiplyRows(KernelCall& op, Matrix<const float> x, Matrix<const float> y,
                  const std::function<void(Matrix<const double>, size_t, size_t)>& finish) {
    multiplyRowsOf(op, x, y, finish);
}
void multiplyRows(KernelCall& op, Matrix<const int8_t> x, Matrix<const int8_t> y,
                  const std::function<void(Matrix<const int32_t>, size_t, size_t)>& finish) {
    multiplyRowsOf(op, x, y, finish);
}

void convolve(KernelCall& op, const Convolution& convolution) {
    if (op.output(0).elementCount() == 0) return;
    if (!isQuant8Asymm(op.input(kConvolutionInput).type)) {
        convolveReals(op, convolution);
        return;
    }
    withStoredTypes(op, [&]<class E, class F>(E, F) { convolveStored<E, F>(op, convolution); });
}

}  // namespace nn::ops
