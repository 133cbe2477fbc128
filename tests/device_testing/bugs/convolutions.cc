// Convolutions, fully connected layers and pools.
#include "device_testing/bugs/kernels.h"

namespace nn::bugs {
namespace conv {
namespace {

// ---- windows over images

// Where the elements of an image are. Those outside of the memory have no place.
struct Image {
    uint32_t batches = 0, height = 0, width = 0, channels = 0;
    bool isNchw = false;

    static Image of(const ExtensionOperand& tensor, bool isNchw) {
        const auto& d = tensor.dimensions;
        if (isNchw) return {d[0], d[2], d[3], d[1], true};
        return {d[0], d[1], d[2], d[3], false};
    }
    size_t at(size_t b, size_t y, size_t x, size_t c) const {
        if (isNchw) return ((b * channels + c) * height + y) * width + x;
        return ((b * height + y) * width + x) * channels + c;
    }
};

enum class Shape { CONVOLUTION, DEPTHWISE, GROUPED, POOL };

// The arguments of a window, along both axes; x first, as in the arguments.
struct Window {
    struct Axis {
        int32_t before = 0, after = 0;  // padding
        int32_t stride = 1, dilation = 1;
        int32_t size = 1;  // of the filter
        int32_t outputs = 0;

        int32_t span(const Call& call) const {
            if (call.has(Bug::same_padding_dilation)) return size;
            return (size - 1) * dilation + 1;
        }
    };
    Axis x, y;
    int32_t scheme = 0;  // 1: SAME, 2: VALID
    int32_t extra = 1;   // depth multiplier or number of groups
    int32_t activation = 0;
    bool isNchw = false;
};

void pad(Window::Axis& axis, int32_t inputs, int32_t scheme, const Call& call) {
    const int32_t span = axis.span(call);
    if (scheme == 1) {
        axis.outputs = call.has(Bug::stride_floor) ? inputs / axis.stride
                                                   : (inputs + axis.stride - 1) / axis.stride;
        const int32_t both = std::max(0, (axis.outputs - 1) * axis.stride + span - inputs);
        axis.before = both / 2;
        if (call.has(Bug::same_padding_left)) axis.before = both - both / 2;
        axis.after = both - axis.before;
        return;
    }
    if (call.has(Bug::padding_two_of_four)) axis.after = axis.before;
    const int32_t reach = inputs + axis.before + axis.after - ((axis.size - 1) * axis.dilation + 1);
    axis.outputs = reach < 0 ? 0 : reach / axis.stride + 1;
}

Window windowOf(const Call& call, Shape shape) {
    Window window;
    const bool isPool = shape == Shape::POOL;
    const bool hasExtra = shape == Shape::DEPTHWISE || shape == Shape::GROUPED;
    size_t next = isPool ? 1 : 3;
    const size_t last = isPool ? 9 : hasExtra ? 8 : 7;  // INT32 only where padding is explicit
    const bool isExplicit = call.in.size() > last && call.in[last].type == OperandType::INT32;
    if (isExplicit) {
        window.x.before = call.integer(next++);
        window.x.after = call.integer(next++);
        window.y.before = call.integer(next++);
        window.y.after = call.integer(next++);
    } else {
        window.scheme = call.integer(next++);
    }
    window.x.stride = call.integer(next++);
    window.y.stride = call.integer(next++);
    if (call.has(Bug::stride_exchanged)) std::swap(window.x.stride, window.y.stride);
    if (isPool) {
        window.x.size = call.integer(next++);
        window.y.size = call.integer(next++);
    }
    if (hasExtra) window.extra = call.integer(next++);
    window.activation = call.integer(next++);
    window.isNchw = call.integer(next++) != 0 && !call.has(Bug::nchw_ignored);
    if (shape == Shape::CONVOLUTION || shape == Shape::DEPTHWISE) {
        window.x.dilation = call.integer(next++, 1);
        window.y.dilation = call.integer(next++, 1);
        if (call.has(Bug::dilation_ignored)) window.x.dilation = window.y.dilation = 1;
    }
    if (!isPool) {  // [channels, height, width, channels], in NCHW too
        window.y.size = static_cast<int32_t>(call.in[1].dimensions[1]);
        window.x.size = static_cast<int32_t>(call.in[1].dimensions[2]);
    }
    const Image image = Image::of(call.in[0], window.isNchw);
    pad(window.x, static_cast<int32_t>(image.width), window.scheme, call);
    pad(window.y, static_cast<int32_t>(image.height), window.scheme, call);
    return window;
}

// Calls visit(b, y, x) for each output, and skips batches that the kernel forgets.
template <class Visit>
void forEachPosition(const Call& call, const Window& window, uint32_t batches, const Visit& visit) {
    if (call.has(Bug::batch_first_only)) batches = std::min(batches, 1u);
    for (uint32_t b = 0; b < batches; ++b) {
        for (int32_t y = 0; y < window.y.outputs; ++y) {
            for (int32_t x = 0; x < window.x.outputs; ++x) visit(b, y, x);
        }
    }
}

// ---- sums

int32_t plus(int32_t sum, int32_t product, const Call& call) {
    if (call.has(Bug::accumulates_16_bits)) return static_cast<int16_t>(sum + product);
    if (call.has(Bug::saturates_sum_16_bits)) return std::clamp(sum + product, -32768, 32767);
    return sum + product;
}
float plus(float sum, float product, const Call& call) {
    if (call.has(Bug::float16_sums)) return halfToFloat(floatToHalf(sum + product));
    return sum + product;
}

// An element without its zero point.
template <class Sum>
Sum elementOf(const ExtensionOperand& tensor, size_t i, int32_t zeroPoint) {
    if (i >= countOf(tensor)) return 0;  // memory of the device behind a tensor is 0
    if constexpr (std::is_same_v<Sum, float>) {
        return valueOf(tensor, i);
    } else {
        return stored(tensor, i) - zeroPoint;
    }
}

// Writes sums to the outputs: bias, scale, activation.
template <class Sum>
class Finish {
   public:
    Finish(const Call& call, Bug truncating, int32_t activation)
        : mCall(call),
          mOut(call.out[0]),
          mCount(countOf(mOut)),
          mActivation(activation),
          mRounding(call.has(truncating)                  ? Rounding::DOWN
                    : call.has(Bug::floors_rest_of_shift) ? Rounding::HIGH_HALF_ALONE
                                                          : Rounding::NEAREST) {
        if constexpr (std::is_same_v<Sum, float>) {
            mBounds = boundsOf(activation, call);
        } else {
            mSteps = stepsOf(activation, mOut, call);
            const float input = call.in[0].scale;
            const int bits = call.has(Bug::multiplier_of_8_bits) ? 7 : 31;
            const bool isPerChannel = !call.scales.empty();
            const size_t channels = isPerChannel ? call.scales.size() : 1;
            for (size_t c = 0; c < channels; ++c) {
                const float filter = isPerChannel ? call.scales[c] : call.in[1].scale;
                mMultipliers.emplace_back(static_cast<double>(input) * filter / mOut.scale, bits);
            }
        }
    }

    // scale: index of the channel's scale; bias: of its bias.
    void operator()(size_t at, Sum sum, size_t bias, size_t channels, size_t scale) const {
        if (at >= mCount) return;
        Sum added = elementOf<Sum>(mCall.in[2], bias, 0);
        if (mCall.has(Bug::bias_left_out_last_channel) && bias + 1 == channels) added = 0;
        if constexpr (std::is_same_v<Sum, float>) {
            if (mCall.has(Bug::activation_before_bias)) {
                return put(mOut, at, within(mBounds, sum) + added);
            }
            put(mOut, at, within(mBounds, sum + added));
        } else {
            int32_t late = 0;  // added to a scaled value
            if (mCall.has(Bug::bias_scale_ignored)) late = std::exchange(added, 0);
            if (mMultipliers.size() > 1) {
                if (mCall.has(Bug::per_channel_first_scale)) scale = 0;
                if (mCall.has(Bug::per_channel_reversed)) scale = mMultipliers.size() - 1 - scale;
            }
            const Multiplier& multiplier = mMultipliers[scale % mMultipliers.size()];
            if (mCall.has(Bug::activation_before_bias)) {
                const int64_t early = within(mSteps, multiplier(sum) + mOut.zeroPoint);
                return putStored(mOut, at, early + multiplier(added));
            }
            const int64_t scaled = multiplier(static_cast<int64_t>(sum) + added, mRounding) + late;
            putStored(mOut, at, within(mSteps, scaled + mOut.zeroPoint));
        }
    }

   private:
    const Call& mCall;
    const ExtensionOperand& mOut;
    size_t mCount;
    int32_t mActivation;
    Rounding mRounding;
    Bounds mBounds{};
    Steps mSteps{};
    std::vector<Multiplier> mMultipliers{};
};

// ---- convolutions

// y[o] = sum over the window and the channels of o's group of x * w[o], plus the bias of o.
// DEPTHWISE: a group for each channel, and o = channel * multiplier + m; filter [1, h, w, o].
template <class Sum>
void convolve(const Call& call, Shape shape) {
    const Window window = windowOf(call, shape);
    const auto &in = call.in[0], &filter = call.in[1], &out = call.out[0];
    const Image image = Image::of(in, window.isNchw);
    Image result = Image::of(out, window.isNchw);
    result.height = static_cast<uint32_t>(window.y.outputs);
    result.width = static_cast<uint32_t>(window.x.outputs);
    const bool isDepthwise = shape == Shape::DEPTHWISE;
    const size_t outputs = filter.dimensions[isDepthwise ? 3 : 0];
    const size_t depth = isDepthwise ? 1 : filter.dimensions[3];
    const size_t groups = shape == Shape::CONVOLUTION ? 1
                          : isDepthwise               ? image.channels
                                                      : static_cast<size_t>(window.extra);
    const size_t inGroup = std::max<size_t>(1, outputs / std::max<size_t>(1, groups));

    size_t last = outputs;  // the first that is not computed
    if (call.has(Bug::channels_beside_vector) && outputs > 8) last = outputs - outputs % 8;
    if (call.has(Bug::grouped_channels) && shape == Shape::GROUPED) last = inGroup;
    const size_t step = call.has(Bug::channels_of_three) && depth == 3 && !isDepthwise ? 4 : 0;
    const int32_t zero = in.zeroPoint;
    const int32_t filterZero =
            call.has(Bug::filter_zero_point_ignored) && !isSigned8(filter) ? 128 : filter.zeroPoint;
    const Finish<Sum> finish(call, isDepthwise ? Bug::truncates_depthwise : Bug::truncates_conv,
                             window.activation);

    forEachPosition(call, window, image.batches, [&](uint32_t b, int32_t y, int32_t x) {
        for (size_t o = 0; o < last; ++o) {
            Sum sum = 0;
            size_t group = o / inGroup;
            // Outputs of one multiplier after the other, instead of one channel after the other.
            if (call.has(Bug::depth_multiplier) && isDepthwise) group = o % groups;
            for (int32_t i = 0; i < window.y.size; ++i) {
                for (int32_t j = 0; j < window.x.size; ++j) {
                    const int32_t fromY =
                            y * window.y.stride + i * window.y.dilation - window.y.before;
                    const int32_t fromX =
                            x * window.x.stride + j * window.x.dilation - window.x.before;
                    const bool isInside = fromY >= 0 &&
                                          fromY < static_cast<int32_t>(image.height) &&
                                          fromX >= 0 && fromX < static_cast<int32_t>(image.width);
                    for (size_t c = 0; c < depth; ++c) {
                        const size_t of =
                                isDepthwise
                                        ? (static_cast<size_t>(i) * window.x.size + j) * outputs + o
                                        : ((o * window.y.size + i) * window.x.size + j) * depth + c;
                        Sum value = 0;
                        if (isInside) {
                            size_t at = image.at(b, static_cast<size_t>(fromY),
                                                 static_cast<size_t>(fromX), group * depth + c);
                            // Pixels of three channels stand as if there were four.
                            if (step != 0) at = at / depth * step + c;
                            value = elementOf<Sum>(in, at, zero);
                        } else if (call.has(Bug::pads_with_stored_zero)) {
                            value = static_cast<Sum>(isFloat(in) ? 0 : -zero);
                        }
                        sum = plus(sum, value * elementOf<Sum>(filter, of, filterZero), call);
                    }
                }
            }
            const size_t scale =
                    call.has(Bug::per_channel_depthwise_multiplier) && isDepthwise ? group : o;
            finish(result.at(b, static_cast<size_t>(y), static_cast<size_t>(x), o), sum, o, outputs,
                   scale);
        }
    });
}

template <Shape kShape>
void convolution(const Call& call) {
    isFloat(call.in[0]) ? convolve<float>(call, kShape) : convolve<int32_t>(call, kShape);
}

// y[b, o] = sum over i of x[b, i] * w[o, i], plus the bias of o.
template <class Sum>
void fullyConnect(const Call& call) {
    const auto &in = call.in[0], &weights = call.in[1];
    const size_t outputs = weights.dimensions[0], inputs = weights.dimensions[1];
    size_t batches = countOf(in) / inputs;
    if (call.has(Bug::batch_first_only)) batches = std::min<size_t>(batches, 1);
    size_t last = outputs;
    if (call.has(Bug::channels_beside_vector) && outputs > 8) last = outputs - outputs % 8;
    const Finish<Sum> finish(call, Bug::truncates_fully_connected, call.integer(3));
    for (size_t b = 0; b < batches; ++b) {
        for (size_t o = 0; o < last; ++o) {
            Sum sum = 0;
            for (size_t i = 0; i < inputs; ++i) {
                sum = plus(sum,
                           elementOf<Sum>(in, b * inputs + i, in.zeroPoint) *
                                   elementOf<Sum>(weights, o * inputs + i, weights.zeroPoint),
                           call);
            }
            finish(b * outputs + o, sum, o, outputs, 0);
        }
    }
}
void fullyConnected(const Call& call) {
    isFloat(call.in[0]) ? fullyConnect<float>(call) : fullyConnect<int32_t>(call);
}

// ---- pools, of one scale for input and output

template <bool kIsMax>
void pool(const Call& call) {
    const Window window = windowOf(call, Shape::POOL);
    const auto &in = call.in[0], &out = call.out[0];
    const Image image = Image::of(in, window.isNchw);
    Image result = image;
    result.height = static_cast<uint32_t>(window.y.outputs);
    result.width = static_cast<uint32_t>(window.x.outputs);
    const size_t count = countOf(out);
    const bool isReal = isFloat(in);
    forEachPosition(call, window, image.batches, [&](uint32_t b, int32_t y, int32_t x) {
        for (size_t c = 0; c < image.channels; ++c) {
            double most = -std::numeric_limits<double>::infinity(), sum = 0;
            int64_t used = 0;
            for (int32_t i = 0; i < window.y.size; ++i) {
                for (int32_t j = 0; j < window.x.size; ++j) {
                    const int32_t fromY = y * window.y.stride + i - window.y.before;
                    const int32_t fromX = x * window.x.stride + j - window.x.before;
                    const bool isInside = fromY >= 0 &&
                                          fromY < static_cast<int32_t>(image.height) &&
                                          fromX >= 0 && fromX < static_cast<int32_t>(image.width);
                    if (!isInside) {
                        if (call.has(Bug::average_includes_padding)) ++used;
                        if (call.has(Bug::max_pool_padding_zero)) most = std::max(most, 0.0);
                        continue;
                    }
                    const size_t at =
                            image.at(b, static_cast<size_t>(fromY), static_cast<size_t>(fromX), c);
                    const double value = isReal ? valueOf(in, at) : stored(in, at);
                    most = std::max(most, value);
                    sum += value;
                    ++used;
                }
            }
            const size_t to = result.at(b, static_cast<size_t>(y), static_cast<size_t>(x), c);
            if (to >= count || used == 0) continue;
            if (isReal) {
                const double value = kIsMax ? most : sum / static_cast<double>(used);
                put(out, to, within(boundsOf(window.activation, call), static_cast<float>(value)));
                continue;
            }
            double value = most;
            if (!kIsMax) {
                value = sum / static_cast<double>(used);
                value = call.has(Bug::truncates_average_pool) ? std::trunc(value)
                                                              : std::round(value);
            }
            putStored(out, to,
                      within(stepsOf(window.activation, out, call), static_cast<int64_t>(value)));
        }
    });
}

constexpr Kernel kKernels[] = {
        {OperationType::CONV_2D, Takes::QUANT8_AND_FLOATS, convolution<Shape::CONVOLUTION>},
        {OperationType::DEPTHWISE_CONV_2D, Takes::QUANT8_AND_FLOATS, convolution<Shape::DEPTHWISE>},
        {OperationType::GROUPED_CONV_2D, Takes::QUANT8_AND_FLOATS, convolution<Shape::GROUPED>},
        {OperationType::FULLY_CONNECTED, Takes::QUANT8_AND_FLOATS, fullyConnected},
        {OperationType::AVERAGE_POOL_2D, Takes::QUANT8_AND_FLOATS, pool<false>},
        {OperationType::MAX_POOL_2D, Takes::QUANT8_AND_FLOATS, pool<true>},
};

}  // namespace
}  // namespace conv

std::span<const Kernel> convolutions() { return conv::kKernels; }

}  // namespace nn::bugs
