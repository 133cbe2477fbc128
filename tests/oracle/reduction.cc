// Operations that reduce, order or normalize lanes of a tensor, and products of matrices.
#include <algorithm>
#include <functional>
#include <numeric>
#include <set>
#include <tuple>

#include "oracle/operation_view.h"

namespace nn::oracle {
namespace {

// Reduces along the axes of input 1; finish(result, count of elements) completes it.
template <class F, class G>
void fold(Call& call, bool keepDims, double start, F f, G finish) {
    const Array& x = call.in(0);
    std::set<size_t> axes;
    for (const int64_t axis : call.integers(1)) axes.insert(x.axis(axis));
    Index whole = x.dims, dims;
    int64_t folded = 1;
    for (size_t d = 0; d < x.rank(); ++d) {
        if (axes.contains(d)) {
            folded *= x.dims[d];
            whole[d] = 1;
        }
        if (keepDims || !axes.contains(d)) dims.push_back(whole[d]);
    }
    Array sums{.dims = whole, .stored = std::vector<double>(size_t(product(whole)), start)};
    forEach(x.dims, [&](const Index& at) {
        Index to = at;
        for (const size_t axis : axes) to[axis] = 0;
        sums.putRaw(to, f(sums.raw(to), at));
    });
    Array& y = call.out(0, dims.empty() ? Index{1} : dims);
    for (int64_t i = 0; i < y.count(); ++i) finish(y, i, sums.stored[size_t(i)], folded);
}

void mean(Call& call) {
    fold(
            call, call.integer(2) > 0, 0,
            [&](double sum, const Index& at) { return sum + call.in(0).real(at); },
            [](Array& y, int64_t i, double sum, int64_t count) { y.put(i, sum / double(count)); });
}

void put(Array& y, int64_t i, double value, int64_t) { y.put(i, value); }
void putStored(Array& y, int64_t i, double value, int64_t) { y.stored[size_t(i)] = value; }

void reduceSum(Call& call) {
    const auto f = [&](double sum, const Index& at) { return sum + call.in(0).real(at); };
    fold(call, call.flag(2), 0, f, put);
}
void reduceProd(Call& call) {
    const auto f = [&](double all, const Index& at) {
        const double x = call.in(0).real(at);
        return all == 0 || x == 0 ? 0 : all * x;
    };
    fold(call, call.flag(2), 1, f, put);
}
double largestOf(OperandType type) {
    return type == OperandType::TENSOR_FLOAT16 ? 65504.0 : std::numeric_limits<float>::max();
}
void reduceMax(Call& call) {
    const auto f = [&](double most, const Index& at) { return std::max(most, call.in(0).raw(at)); };
    fold(call, call.flag(2), -largestOf(call.in(0).type), f, putStored);
}
void reduceMin(Call& call) {
    const auto f = [&](double least, const Index& at) {
        return std::min(least, call.in(0).raw(at));
    };
    fold(call, call.flag(2), largestOf(call.in(0).type), f, putStored);
}
void reduceAll(Call& call) {
    const auto f = [&](double all, const Index& at) {
        return all != 0 && call.in(0).raw(at) != 0 ? 1.0 : 0.0;
    };
    fold(call, call.flag(2), 1, f, put);
}
void reduceAny(Call& call) {
    const auto f = [&](double any, const Index& at) {
        return any != 0 || call.in(0).raw(at) != 0 ? 1.0 : 0.0;
    };
    fold(call, call.flag(2), 0, f, put);
}

// The first of the best elements.
template <class Better>
void arg(Call& call, Better better) {
    const Array& x = call.in(0);
    const size_t axis = x.axis(call.integer(1));
    Index dims = x.dims;
    dims.erase(dims.begin() + int64_t(axis));
    Array& y = call.out(0, dims.empty() ? Index{1} : dims);
    int64_t lane = 0;
    forEachLane(x.dims, axis, [&](const Index& at) {
        int64_t best = 0;
        for (int64_t i = 1; i < x.dims[axis]; ++i) {
            if (better(x.raw(with(at, axis, i)), x.raw(with(at, axis, best)))) best = i;
        }
        y.put(lane++, double(best));
    });
}
void argmax(Call& call) { arg(call, std::greater<>()); }
void argmin(Call& call) { arg(call, std::less<>()); }

// For equal elements, the larger index comes first. NaN is below all numbers.
void topk(Call& call) {
    const Array& x = call.in(0);
    Index dims = x.dims;
    dims.back() = call.integer(1);
    Array &values = call.out(0, dims), &indices = call.out(1, dims);
    forEachLane(x.dims, x.rank() - 1, [&](const Index& at) {
        const auto element = [&](int64_t i) { return x.raw(with(at, x.rank() - 1, i)); };
        Index order(size_t(x.dims.back()));
        std::iota(order.begin(), order.end(), 0);
        std::ranges::sort(order, std::greater<>(), [&](int64_t i) {
            const bool isNumber = !std::isnan(element(i));
            return std::tuple(isNumber, isNumber ? element(i) : 0, i);
        });
        for (int64_t k = 0; k < dims.back(); ++k) {
            const Index to = with(at, x.rank() - 1, k);
            values.putRaw(to, element(order[size_t(k)]));
            indices.putRaw(to, double(order[size_t(k)]));
        }
    });
}

// Replaces each lane along an axis: f modifies its real numbers.
template <class F>
void eachLane(Call& call, int64_t along, F f) {
    const Array& x = call.in(0);
    const size_t axis = x.axis(along);
    Array& y = call.out(0, x.dims);
    if (y.count() == 0) return;
    forEachLane(x.dims, axis, [&](const Index& at) {
        std::vector<double> lane;
        for (int64_t i = 0; i < x.dims[axis]; ++i) lane.push_back(x.real(with(at, axis, i)));
        f(lane);
        for (int64_t i = 0; i < x.dims[axis]; ++i) y.put(with(at, axis, i), lane[size_t(i)]);
    });
}

// beta * (x[i] - max x) for all i, and the sum of their exponentials
double shifted(std::vector<double>& x, double beta) {
    const double most = *std::ranges::max_element(x);
    double sum = 0;
    for (double& v : x) sum += std::exp(v = beta * (v - most));
    return sum;
}

void softmax(Call& call) {
    eachLane(call, call.integer(2, -1), [&](std::vector<double>& x) {
        const double sum = shifted(x, call.number(1));
        for (double& v : x) v = std::exp(v) / sum;
    });
}

void logSoftmax(Call& call) {
    eachLane(call, call.integer(2), [&](std::vector<double>& x) {
        const double sum = shifted(x, call.number(1));
        for (double& v : x) v -= std::log(sum);
    });
}

void l2Normalization(Call& call) {
    // In stored units for quantized tensors, where the scale cancels out.
    const double unit = isQuantized(call.in(0).type) ? call.in(0).scale : 1;
    eachLane(call, call.integer(1, -1), [&](std::vector<double>& x) {
        double sum = 0;
        for (const double v : x) sum += v / unit * (v / unit);
        for (double& v : x) v = v / unit / std::max(std::sqrt(sum), 1e-6);
    });
}

void localResponseNormalization(Call& call) {
    const int64_t radius = call.integer(1);
    const double bias = call.number(2), alpha = call.number(3), beta = call.number(4);
    eachLane(call, call.integer(5, -1), [&](std::vector<double>& lane) {
        const std::vector<double> x = lane;
        for (int64_t i = 0; i < int64_t(x.size()); ++i) {
            double sum = 0;
            for (int64_t j = 0; j < int64_t(x.size()); ++j) {
                if (std::abs(i - j) <= radius) sum += x[size_t(j)] * x[size_t(j)];
            }
            lane[size_t(i)] *= std::pow(bias + alpha * sum, -beta);
        }
    });
}

void batchMatmul(Call& call) {
    const Array &x = call.in(0), &y = call.in(1);
    const bool turnX = call.flag(2), turnY = call.flag(3);
    const size_t row = x.rank() - 2, column = x.rank() - 1;
    const int64_t inner = x.dims[turnX ? row : column];
    Index dims = x.dims;
    dims[row] = x.dims[turnX ? column : row];
    dims[column] = y.dims[turnY ? row : column];
    Array& z = call.out(0, dims);
    const bool isExact = z.type == OperandType::TENSOR_INT32;
    forEach(dims, [&](const Index& at) {
        double sum = 0;
        uint64_t exact = 0;  // modulo 2^32
        Index ix = at, iy = at;
        for (int64_t k = 0; k < inner; ++k) {
            ix[turnX ? row : column] = k;
            ix[turnX ? column : row] = at[row];
            iy[turnY ? column : row] = k;
            iy[turnY ? row : column] = at[column];
            sum += x.real(ix) * y.real(iy);
            if (isExact) exact += uint64_t(int64_t(x.raw(ix)) * int64_t(y.raw(iy)));
        }
        if (isExact) {
            z.putInt(z.offset(at), exact);
        } else {
            z.put(at, sum);
        }
    });
}

void fullyConnected(Call& call) {
    const Array &x = call.in(0), &weights = call.in(1), &bias = call.in(2);
    const int64_t units = weights.dims[0], size = weights.dims[1], batches = x.count() / size;
    const double biasScale = isQuantized(x.type) ? x.scale * weights.scale : 1;
    Array& y = call.out(0, {batches, units});
    forEach(y.dims, [&](const Index& at) {
        double sum = bias.raw({at[1]}) * biasScale;
        for (int64_t i = 0; i < size; ++i) {
            sum += weights.real({at[1], i}) * x.realAt(at[0] * size + i);
        }
        y.put(at, activated(call.integer(3), sum));
    });
}

}  // namespace

Functions reductionFunctions() {
    using enum OperationType;
    return {{MEAN, mean},
            {REDUCE_SUM, reduceSum},
            {REDUCE_PROD, reduceProd},
            {REDUCE_MAX, reduceMax},
            {REDUCE_MIN, reduceMin},
            {REDUCE_ALL, reduceAll},
            {REDUCE_ANY, reduceAny},
            {ARGMAX, argmax},
            {ARGMIN, argmin},
            {TOPK_V2, topk},
            {SOFTMAX, softmax},
            {LOG_SOFTMAX, logSoftmax},
            {L2_NORMALIZATION, l2Normalization},
            {LOCAL_RESPONSE_NORMALIZATION, localResponseNormalization},
            {BATCH_MATMUL, batchMatmul},
            {FULLY_CONNECTED, fullyConnected}};
}

}  // namespace nn::oracle
