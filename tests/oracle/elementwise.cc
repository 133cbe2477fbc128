// Operations on the elements of one or two tensors.
#include <algorithm>

#include "oracle/operation_view.h"

namespace nn::oracle {
namespace {

// y = f(x), on real numbers
template <class F>
void each(Call& call, F f) {
    const Array& x = call.in(0);
    Array& y = call.out(0, x.dims);
    for (int64_t i = 0; i < x.count(); ++i) y.put(i, f(x.realAt(i)));
}

// y = f(x), on stored values
template <class F>
void eachStored(Call& call, F f) {
    const Array& x = call.in(0);
    Array& y = call.out(0, x.dims);
    for (int64_t i = 0; i < x.count(); ++i) y.stored[size_t(i)] = f(x.stored[size_t(i)]);
}

// The common shape after broadcasting, aligned at the last dimension.
Index broadcastDims(const Index& a, const Index& b) {
    Index dims(std::max(a.size(), b.size()));
    for (size_t d = 0; d < dims.size(); ++d) {
        const int64_t mine = d < a.size() ? a[a.size() - 1 - d] : 1;
        const int64_t other = d < b.size() ? b[b.size() - 1 - d] : 1;
        dims[dims.size() - 1 - d] = mine == 1 ? other : mine;
    }
    return dims;
}

// The offset in a smaller shape that corresponds to an index of the broadcast shape.
int64_t broadcastOffset(const Array& array, const Index& at) {
    Index mine(at.end() - int64_t(array.rank()), at.end());
    for (size_t d = 0; d < mine.size(); ++d) {
        if (array.dims[d] == 1) mine[d] = 0;
    }
    return array.offset(mine);
}

// Calls f(y, offset in y, offset in a, offset in b).
template <class F>
void eachPair(Call& call, F f) {
    const Array &a = call.in(0), &b = call.in(1);
    const Index dims = broadcastDims(a.dims, b.dims);
    Array& y = call.out(0, dims);
    forEach(dims, [&](const Index& at) {
        f(y, y.offset(at), broadcastOffset(a, at), broadcastOffset(b, at));
    });
}

// y = f(a, b), on real numbers
template <class F>
void pairwise(Call& call, F f) {
    eachPair(call, [&](Array& y, int64_t i, int64_t ia, int64_t ib) {
        y.put(i, f(call.in(0).realAt(ia), call.in(1).realAt(ib)));
    });
}

// y = activation(f(a, b)); integers use a separate function
template <class F, class I>
void arithmetic(Call& call, F f, I integers) {
    const Array &a = call.in(0), &b = call.in(1);
    eachPair(call, [&](Array& y, int64_t i, int64_t ia, int64_t ib) {
        if (a.type == OperandType::TENSOR_INT32) {
            y.putInt(i, uint64_t(integers(int64_t(a.realAt(ia)), int64_t(b.realAt(ib)))));
        } else {
            y.put(i, activated(call.integer(2), f(a.realAt(ia), b.realAt(ib))));
        }
    });
}

void add(Call& call) {
    const auto f = [](auto a, auto b) { return a + b; };
    arithmetic(call, f, f);
}
void sub(Call& call) {
    const auto f = [](auto a, auto b) { return a - b; };
    arithmetic(call, f, f);
}
void mul(Call& call) {
    const auto f = [](auto a, auto b) { return a * b; };
    arithmetic(call, f, f);
}
void div(Call& call) {
    arithmetic(
            call, [](double a, double b) { return a / b; },
            [](int64_t a, int64_t b) {
                return b == 0 ? int64_t{0} : int64_t(std::floor(double(a) / double(b)));
            });
}

// The real values of quantized elements are compared in single precision.
template <class F>
void compare(Call& call, F f) {
    const bool single = isQuantized(call.in(0).type);
    pairwise(call, [&](double a, double b) {
        return (single ? f(float(a), float(b)) : f(a, b)) ? 1.0 : 0.0;
    });
}
void equal(Call& call) {
    compare(call, [](auto a, auto b) { return a == b; });
}
void notEqual(Call& call) {
    compare(call, [](auto a, auto b) { return a != b; });
}
void less(Call& call) {
    compare(call, [](auto a, auto b) { return a < b; });
}
void lessEqual(Call& call) {
    compare(call, [](auto a, auto b) { return a <= b; });
}
void greater(Call& call) {
    compare(call, [](auto a, auto b) { return a > b; });
}
void greaterEqual(Call& call) {
    compare(call, [](auto a, auto b) { return a >= b; });
}

void logicalAnd(Call& call) {
    pairwise(call, [](double a, double b) { return a != 0 && b != 0 ? 1.0 : 0.0; });
}
void logicalOr(Call& call) {
    pairwise(call, [](double a, double b) { return a != 0 || b != 0 ? 1.0 : 0.0; });
}
void logicalNot(Call& call) {
    each(call, [](double x) { return x == 0 ? 1.0 : 0.0; });
}

void maximum(Call& call) {
    pairwise(call, [](double a, double b) { return a > b ? a : b; });
}
void minimum(Call& call) {
    pairwise(call, [](double a, double b) { return a < b ? a : b; });
}
void pow(Call& call) {
    pairwise(call, [](double a, double b) { return std::pow(a, b); });
}
void prelu(Call& call) {
    pairwise(call, [](double x, double alpha) { return x >= 0 ? x : alpha * x; });
}

void select(Call& call) {
    const Array& mask = call.in(0);
    Array& y = call.out(0, mask.dims);
    for (int64_t i = 0; i < mask.count(); ++i) {
        y.put(i, call.in(mask.realAt(i) != 0 ? 1 : 2).realAt(i));
    }
}

void abs(Call& call) {
    each(call, [](double x) { return std::fabs(x); });
}
void neg(Call& call) {
    each(call, [](double x) { return -x; });
}
void exp(Call& call) {
    each(call, [](double x) { return std::exp(x); });
}
void floor(Call& call) {
    each(call, [](double x) { return std::floor(x); });
}
void log(Call& call) {
    each(call, [](double x) { return std::log(x); });
}
void sin(Call& call) {
    each(call, [](double x) { return std::sin(x); });
}
void sqrt(Call& call) {
    each(call, [](double x) { return std::sqrt(x); });
}
void rsqrt(Call& call) {
    each(call, [](double x) { return 1 / std::sqrt(x); });
}
void logistic(Call& call) {
    each(call, [](double x) { return 1 / (1 + std::exp(-x)); });
}
void tanh(Call& call) {
    each(call, [](double x) { return std::tanh(x); });
}
void hardSwish(Call& call) {
    each(call, [](double x) { return x * std::min(6.0, std::max(0.0, x + 3)) / 6; });
}
void elu(Call& call) {
    const double alpha = call.number(1);
    each(call, [&](double x) { return (x < 0 ? 0 : x) + std::min(0.0, alpha * std::expm1(x)); });
}

// Quantized values are clamped to the stored values of the bounds.
void cut(Call& call, double least, double most) {
    const Array& x = call.in(0);
    if (!isQuantized(x.type)) {
        each(call, [&](double v) { return std::min(std::max(v, least), most); });
        return;
    }
    Array bounds = x;
    bounds.dims = {2};
    bounds.stored = {0, 0};
    bounds.put(0, least);
    bounds.put(1, most);
    eachStored(call,
               [&](double q) { return std::min(std::max(q, bounds.stored[0]), bounds.stored[1]); });
}
void relu(Call& call) { cut(call, 0, std::numeric_limits<float>::max()); }
void relu1(Call& call) { cut(call, -1, 1); }
void relu6(Call& call) { cut(call, 0, 6); }

void quantize(Call& call) {
    each(call, [](double x) { return x; });
}

// Stored numbers: scale and zero point are ignored.
void cast(Call& call) {
    const OperandType to = call.results()[0].type;
    if (to == call.in(0).type) {
        eachStored(call, [](double x) { return x; });
    } else if (isFloat(to)) {
        Array numbers = call.in(0);
        numbers.type = OperandType::FLOAT32;
        Array& y = call.out(0, numbers.dims);
        for (int64_t i = 0; i < numbers.count(); ++i) y.put(i, numbers.realAt(i));
    } else {
        const bool bytes = to == OperandType::TENSOR_QUANT8_ASYMM;
        const double least = bytes ? 0 : -2147483648.0, most = bytes ? 255 : 2147483647.0;
        eachStored(call, [&](double x) {
            return std::isnan(x) ? 0 : std::min(std::max(std::trunc(x), least), most);
        });
    }
}

void fill(Call& call) {
    Array& y = call.out(0, call.integers(0));
    std::ranges::fill(y.stored, call.number(1));
}

void rank(Call& call) { call.out(0, {}).put(int64_t{0}, double(call.in(0).rank())); }

}  // namespace

Functions elementwiseFunctions() {
    using enum OperationType;
    return {{ADD, add},
            {SUB, sub},
            {MUL, mul},
            {DIV, div},
            {EQUAL, equal},
            {NOT_EQUAL, notEqual},
            {LESS, less},
            {LESS_EQUAL, lessEqual},
            {GREATER, greater},
            {GREATER_EQUAL, greaterEqual},
            {LOGICAL_AND, logicalAnd},
            {LOGICAL_OR, logicalOr},
            {LOGICAL_NOT, logicalNot},
            {MAXIMUM, maximum},
            {MINIMUM, minimum},
            {POW, pow},
            {PRELU, prelu},
            {SELECT, select},
            {ABS, abs},
            {NEG, neg},
            {EXP, exp},
            {FLOOR, floor},
            {LOG, log},
            {SIN, sin},
            {SQRT, sqrt},
            {RSQRT, rsqrt},
            {LOGISTIC, logistic},
            {TANH, tanh},
            {HARD_SWISH, hardSwish},
            {ELU, elu},
            {RELU, relu},
            {RELU1, relu1},
            {RELU6, relu6},
            {QUANTIZE, quantize},
            {DEQUANTIZE, quantize},
            {CAST, cast},
            {FILL, fill},
            {RANK, rank}};
}

}  // namespace nn::oracle
