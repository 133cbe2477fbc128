// Operations that slide windows over images, resize or normalize them.
#include <algorithm>

#include "oracle/operation_view.h"

namespace nn::oracle {
namespace {

// One dimension of a window.
struct Axis {
    int64_t size = 0;  // of the input
    int64_t filter = 1, stride = 1, dilation = 1;
    int64_t head = 0, tail = 0;

    int64_t extent() const { return (filter - 1) * dilation + 1; }
    int64_t positions() const { return (size - extent() + head + tail + stride) / stride; }
    int64_t at(int64_t position, int64_t tap) const {
        return position * stride - head + tap * dilation;
    }
    bool inside(int64_t i) const { return i >= 0 && i < size; }

    // The padding of a scheme: 1 is SAME, any other code means no padding.
    void pad(int64_t scheme) {
        if (scheme != 1) return;
        const int64_t outputs = (size + stride - 1) / stride;
        const int64_t total = std::max((outputs - 1) * stride + extent() - size, int64_t{0});
        head = total / 2;
        tail = total - head;
    }
};

struct Window {
    Axis rows{}, columns{};
    size_t next = 0;  // the input after the strides
};

// Reads padding and strides from input `first` on.
Window readWindow(const Call& call, size_t first, bool implicit) {
    Window w;
    size_t i = implicit ? first + 1 : first + 4;
    w.columns.stride = call.integer(i++);
    w.rows.stride = call.integer(i++);
    w.next = i;
    if (!implicit) {
        w.columns.head = call.integer(first);
        w.columns.tail = call.integer(first + 1);
        w.rows.head = call.integer(first + 2);
        w.rows.tail = call.integer(first + 3);
    }
    return w;
}

// Padding implied by a scheme, once all sizes are known.
void fit(Window& w, const Call& call, size_t first, bool implicit, const Image& x, int64_t height,
         int64_t width) {
    w.rows.size = x.height();
    w.columns.size = x.width();
    w.rows.filter = height;
    w.columns.filter = width;
    if (implicit) {
        w.rows.pad(call.integer(first));
        w.columns.pad(call.integer(first));
    }
}

bool isFlag(const Call& call, size_t i) {
    return call.has(i) && call.in(i).type == OperandType::BOOL;
}

// The bias of a channel as a real number.
double biasOf(const Call& call, int64_t channel) {
    const Array &x = call.in(0), &filter = call.in(1), &bias = call.in(2);
    const double value = bias.raw({channel});
    if (!isQuantized(x.type)) return value;
    const auto& scales = filter.channelScales;
    return value * x.scale * (scales.empty() ? filter.scale : scales[size_t(channel)]);
}

// Calls f(y, x, filter row, filter column) for the taps of a position that lie in the image.
template <class F>
void eachTap(const Window& w, int64_t row, int64_t column, F f) {
    for (int64_t a = 0; a < w.rows.filter; ++a) {
        for (int64_t b = 0; b < w.columns.filter; ++b) {
            const int64_t y = w.rows.at(row, a), x = w.columns.at(column, b);
            if (w.rows.inside(y) && w.columns.inside(x)) f(y, x, a, b);
        }
    }
}

// y at (n, i, j, k) = activation(bias + f(n, i, j, k)), for all positions of the window
template <class F>
void eachPosition(Call& call, const Image& x, const Window& w, int64_t depth, int64_t activation,
                  F f) {
    const Index dims{x.batches(), w.rows.positions(), w.columns.positions(), depth};
    Array& y = call.out(0, imageDims(x.nchw, dims[0], dims[1], dims[2], dims[3]));
    forEach(dims, [&](const Index& at) {
        y.put(imageDims(x.nchw, at[0], at[1], at[2], at[3]),
              activated(activation, f(at[0], at[1], at[2], at[3])));
    });
}

// Sums over groups of channels: all in one for CONV_2D.
void groupedSums(Call& call, const Image& x, const Window& w, int64_t groups, int64_t activation) {
    const Array& filter = call.in(1);
    const int64_t depth = filter.dims[0], inner = filter.dims[3];
    eachPosition(call, x, w, depth, activation, [&](int64_t n, int64_t i, int64_t j, int64_t k) {
        const int64_t first = k / (depth / groups) * inner;
        double sum = biasOf(call, k);
        eachTap(w, i, j, [&](int64_t y, int64_t xx, int64_t a, int64_t b) {
            for (int64_t c = 0; c < inner; ++c) {
                sum += filter.real({k, a, b, c}) * x.real(n, y, xx, first + c);
            }
        });
        return sum;
    });
}

void conv2d(Call& call) {
    const bool implicit = call.inputs() == 7 || isFlag(call, 7);
    Window w = readWindow(call, 3, implicit);
    const size_t activation = w.next, layout = activation + 1;
    const Image x{&call.in(0), call.flag(layout)};
    w.columns.dilation = call.integer(layout + 1, 1);
    w.rows.dilation = call.integer(layout + 2, 1);
    fit(w, call, 3, implicit, x, call.in(1).dims[1], call.in(1).dims[2]);
    groupedSums(call, x, w, 1, call.integer(activation));
}

void groupedConv2d(Call& call) {
    const bool implicit = call.inputs() == 9;
    Window w = readWindow(call, 3, implicit);
    const Image x{&call.in(0), call.flag(w.next + 2)};
    fit(w, call, 3, implicit, x, call.in(1).dims[1], call.in(1).dims[2]);
    groupedSums(call, x, w, call.integer(w.next), call.integer(w.next + 1));
}

void depthwiseConv2d(Call& call) {
    const bool implicit = call.inputs() == 8 || isFlag(call, 8);
    Window w = readWindow(call, 3, implicit);
    const size_t activation = w.next + 1, layout = activation + 1;
    const int64_t multiplier = call.integer(w.next);
    const Array& filter = call.in(1);
    const Image x{&call.in(0), call.flag(layout)};
    w.columns.dilation = call.integer(layout + 1, 1);
    w.rows.dilation = call.integer(layout + 2, 1);
    fit(w, call, 3, implicit, x, filter.dims[1], filter.dims[2]);
    const auto f = [&](int64_t n, int64_t i, int64_t j, int64_t k) {
        double sum = biasOf(call, k);
        eachTap(w, i, j, [&](int64_t y, int64_t xx, int64_t a, int64_t b) {
            sum += filter.real({0, a, b, k}) * x.real(n, y, xx, k / multiplier);
        });
        return sum;
    };
    eachPosition(call, x, w, filter.dims[3], call.integer(activation), f);
}

// The paddings for an output of the requested size.
void padRequested(Axis& axis, int64_t requested) {
    const int64_t inputs = (requested + axis.stride - 1) / axis.stride;
    const int64_t total = (inputs - 1) * axis.stride + axis.filter - requested;
    axis.head = std::max(total, int64_t{0}) / 2;
    axis.tail = total - axis.head;
}

// The sum of the products that fall on an output: input i with tap a falls on i * stride - head +
// a.
void transposeConv2d(Call& call) {
    const bool implicit = call.inputs() == 9;
    const size_t first = implicit ? 4 : 3;
    Window w = readWindow(call, first, implicit);
    const Array& filter = call.in(1);
    const Image x{&call.in(0), call.flag(w.next + 1)};
    w.rows.filter = filter.dims[1];
    w.columns.filter = filter.dims[2];
    if (implicit && call.integer(first) == 1) {
        const Index requested = call.integers(3);
        padRequested(w.rows, requested[x.nchw ? 2 : 1]);
        padRequested(w.columns, requested[x.nchw ? 3 : 2]);
    }
    const auto size = [](const Axis& axis, int64_t inputs) {
        return (inputs - 1) * axis.stride + axis.filter - axis.head - axis.tail;
    };
    const int64_t depth = filter.dims[0];
    const Index dims{x.batches(), size(w.rows, x.height()), size(w.columns, x.width()), depth};
    Array& y = call.out(0, imageDims(x.nchw, dims[0], dims[1], dims[2], dims[3]));
    forEach(dims, [&](const Index& at) {
        double sum = biasOf(call, at[3]);
        for (int64_t i = 0; i < x.height(); ++i) {
            for (int64_t j = 0; j < x.width(); ++j) {
                const int64_t a = at[1] + w.rows.head - i * w.rows.stride;
                const int64_t b = at[2] + w.columns.head - j * w.columns.stride;
                if (a < 0 || a >= w.rows.filter || b < 0 || b >= w.columns.filter) continue;
                for (int64_t c = 0; c < x.channels(); ++c) {
                    sum += filter.real({at[3], a, b, c}) * x.real(at[0], i, j, c);
                }
            }
        }
        y.put(imageDims(x.nchw, at[0], at[1], at[2], at[3]), activated(call.integer(w.next), sum));
    });
}

// Reduces the elements in a window to one number.
template <class F>
void pool(Call& call, F f) {
    const bool implicit = call.inputs() == 7 || isFlag(call, 7);
    Window w = readWindow(call, 1, implicit);
    const Image x{&call.in(0), call.flag(w.next + 3)};
    fit(w, call, 1, implicit, x, call.integer(w.next + 1), call.integer(w.next));
    eachPosition(call, x, w, x.channels(), call.integer(w.next + 2),
                 [&](int64_t n, int64_t i, int64_t j, int64_t c) {
                     std::vector<double> covered;
                     eachTap(w, i, j, [&](int64_t y, int64_t xx, int64_t, int64_t) {
                         covered.push_back(x.raw(n, y, xx, c));
                     });
                     return f(covered);
                 });
}

// Means of quantized elements are those of the stored values.
void averagePool(Call& call) {
    const Array& array = call.in(0);
    pool(call, [&](const std::vector<double>& x) {
        double sum = 0;
        for (const double v : x) sum += v;
        const double mean = sum / double(x.size());
        if (!isQuantized(array.type)) return mean;
        return (std::round(mean) - double(array.zeroPoint)) * array.scale;
    });
}
void maxPool(Call& call) {
    const Array& array = call.in(0);
    pool(call, [&](const std::vector<double>& x) {
        double most = -HUGE_VAL;  // NaN is ignored
        for (const double v : x) most = v > most ? v : most;
        return isQuantized(array.type) ? (most - double(array.zeroPoint)) * array.scale : most;
    });
}
void l2Pool(Call& call) {
    pool(call, [](const std::vector<double>& x) {
        double sum = 0;
        for (const double v : x) sum += v * v;
        return std::sqrt(sum / double(x.size()));
    });
}

// The size of a resized image: given, or the input's times a factor.
int64_t resized(const Call& call, size_t i, int64_t size) {
    if (call.in(i).type == OperandType::INT32) return call.integer(i);
    return int64_t(std::floor(float(size) * float(call.number(i))));
}

// The number of input pixels for one of the output, in single precision, as positions are defined.
float stepOf(const Call& call, int64_t in, int64_t out) {
    return call.flag(4) && out > 1 ? float(in - 1) / float(out - 1) : float(in) / float(out);
}

template <class F>
void resize(Call& call, F f) {
    const Image x{&call.in(0), call.flag(3)};
    const Index dims{x.batches(), resized(call, 2, x.height()), resized(call, 1, x.width()),
                     x.channels()};
    const float down = stepOf(call, x.height(), dims[1]), across = stepOf(call, x.width(), dims[2]);
    Array& y = call.out(0, imageDims(x.nchw, dims[0], dims[1], dims[2], dims[3]));
    forEach(dims, [&](const Index& at) {
        y.put(imageDims(x.nchw, at[0], at[1], at[2], at[3]),
              f(x, at[0], float(at[1]), float(at[2]), at[3], down, across));
    });
}

struct Between {
    int64_t low, high;
    double toHigh;
};
Between between(double v, int64_t size) {
    const int64_t low = std::max(int64_t(std::floor(v)), int64_t{0});
    const int64_t high = std::min(int64_t(std::ceil(v)), size - 1);
    return {low, std::max(high, int64_t{0}), v - double(low)};
}

void resizeBilinear(Call& call) {
    const bool half = call.flag(5);
    resize(call,
           [&](const Image& x, int64_t n, float i, float j, int64_t c, float down, float across) {
               const auto position = [&](float o, float step) {
                   return half ? (o + 0.5f) * step - 0.5f : o * step;
               };
               const Between row = between(position(i, down), x.height());
               const Between column = between(position(j, across), x.width());
               const auto line = [&](int64_t y) {
                   return x.real(n, y, column.low, c) * (1 - column.toHigh) +
                          x.real(n, y, column.high, c) * column.toHigh;
               };
               return line(row.low) * (1 - row.toHigh) + line(row.high) * row.toHigh;
           });
}

void resizeNearest(Call& call) {
    const bool align = call.flag(4), half = call.flag(5);
    resize(call,
           [&](const Image& x, int64_t n, float i, float j, int64_t c, float down, float across) {
               const auto nearest = [&](float o, float step, int64_t size) {
                   const float v = (half ? o + 0.5f : o) * step;
                   const auto pixel = int64_t(align ? std::round(v) : std::floor(v));
                   return std::min(std::max(pixel, int64_t{0}), size - 1);
               };
               return x.real(n, nearest(i, down, x.height()), nearest(j, across, x.width()), c);
           });
}

void instanceNormalization(Call& call) {
    const double gamma = call.number(1), beta = call.number(2), epsilon = call.number(3);
    const Image x{&call.in(0), call.flag(4)};
    Array& y = call.out(0, x.array->dims);
    forEach({x.batches(), x.channels()}, [&](const Index& at) {
        const Index pixels{x.height(), x.width()};
        double mean = 0, variance = 0;
        forEach(pixels, [&](const Index& p) { mean += x.real(at[0], p[0], p[1], at[1]); });
        mean /= double(product(pixels));
        forEach(pixels, [&](const Index& p) {
            const double off = x.real(at[0], p[0], p[1], at[1]) - mean;
            variance += off * off / double(product(pixels));
        });
        forEach(pixels, [&](const Index& p) {
            const double off = x.real(at[0], p[0], p[1], at[1]) - mean;
            y.put(imageDims(x.nchw, at[0], p[0], p[1], at[1]),
                  off * gamma / std::sqrt(variance + epsilon) + beta);
        });
    });
}

}  // namespace

Functions imageFunctions() {
    using enum OperationType;
    return {{CONV_2D, conv2d},
            {GROUPED_CONV_2D, groupedConv2d},
            {DEPTHWISE_CONV_2D, depthwiseConv2d},
            {TRANSPOSE_CONV_2D, transposeConv2d},
            {AVERAGE_POOL_2D, averagePool},
            {MAX_POOL_2D, maxPool},
            {L2_POOL_2D, l2Pool},
            {RESIZE_BILINEAR, resizeBilinear},
            {RESIZE_NEAREST_NEIGHBOR, resizeNearest},
            {INSTANCE_NORMALIZATION, instanceNormalization}};
}

}  // namespace nn::oracle
