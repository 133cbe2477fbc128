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

void select(Call& call) {
    const Array& mask = call.in(0);
    Array& y = call.out(0, mask.dims);
    for (int64_t i = 0; i < mask.count(); ++i) {
        y.put(i, call.in(mask.realAt(i) != 0 ? 1 : 2).realAt(i));
    }
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

using enum OperationType;

// y = f(x), on real numbers
struct Unary {
    OperationType type;
    double (*f)(double x);
};
constexpr Unary kUnary[] = {
        {ABS, [](double x) { return std::fabs(x); }},
        {NEG, [](double x) { return -x; }},
        {EXP, [](double x) { return std::exp(x); }},
        {FLOOR, [](double x) { return std::floor(x); }},
        {LOG, [](double x) { return std::log(x); }},
        {SIN, [](double x) { return std::sin(x); }},
        {SQRT, [](double x) { return std::sqrt(x); }},
        {RSQRT, [](double x) { return 1 / std::sqrt(x); }},
        {LOGISTIC, [](double x) { return 1 / (1 + std::exp(-x)); }},
        {TANH, [](double x) { return std::tanh(x); }},
        {HARD_SWISH, [](double x) { return x * std::min(6.0, std::max(0.0, x + 3)) / 6; }},
        {LOGICAL_NOT, [](double x) { return x == 0 ? 1.0 : 0.0; }},
        {QUANTIZE, [](double x) { return x; }},
        {DEQUANTIZE, [](double x) { return x; }},
};
void unary(Call& call) { each(call, std::ranges::find(kUnary, call.type(), &Unary::type)->f); }

// y = f(a, b), on real numbers
struct Binary {
    OperationType type;
    double (*f)(double a, double b);
};
constexpr Binary kBinary[] = {
        {MAXIMUM, [](double a, double b) { return a > b ? a : b; }},
        {MINIMUM, [](double a, double b) { return a < b ? a : b; }},
        {POW, [](double a, double b) { return std::pow(a, b); }},
        {PRELU, [](double x, double alpha) { return x >= 0 ? x : alpha * x; }},
        {LOGICAL_AND, [](double a, double b) { return a != 0 && b != 0 ? 1.0 : 0.0; }},
        {LOGICAL_OR, [](double a, double b) { return a != 0 || b != 0 ? 1.0 : 0.0; }},
};
void binary(Call& call) {
    pairwise(call, std::ranges::find(kBinary, call.type(), &Binary::type)->f);
}

// The real values of quantized elements are compared in single precision.
struct Comparison {
    OperationType type;
    bool (*f)(double a, double b);
};
constexpr Comparison kComparisons[] = {
        {EQUAL, [](double a, double b) { return a == b; }},
        {NOT_EQUAL, [](double a, double b) { return a != b; }},
        {LESS, [](double a, double b) { return a < b; }},
        {LESS_EQUAL, [](double a, double b) { return a <= b; }},
        {GREATER, [](double a, double b) { return a > b; }},
        {GREATER_EQUAL, [](double a, double b) { return a >= b; }},
};
void compare(Call& call) {
    const auto f = std::ranges::find(kComparisons, call.type(), &Comparison::type)->f;
    const bool single = isQuantized(call.in(0).type);
    pairwise(call, [&](double a, double b) {
        return (single ? f(float(a), float(b)) : f(a, b)) ? 1.0 : 0.0;
    });
}

}  // namespace

Functions elementwiseFunctions() {
    Functions all = {{ADD, add},       {SUB, sub},   {MUL, mul},   {DIV, div},
                     {SELECT, select}, {ELU, elu},   {RELU, relu}, {RELU1, relu1},
                     {RELU6, relu6},   {CAST, cast}, {FILL, fill}, {RANK, rank}};
    for (const Unary& row : kUnary) all[row.type] = unary;
    for (const Binary& row : kBinary) all[row.type] = binary;
    for (const Comparison& row : kComparisons) all[row.type] = compare;
    return all;
}

}  // namespace nn::oracle
