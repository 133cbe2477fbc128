// Recurrent operations. Float cells use double precision over all steps; the two quantized cells
// are defined and computed in integers.
#include <algorithm>

#include "oracle/operation_view.h"

namespace nn::oracle {
namespace {

using Vector = std::vector<double>;
constexpr size_t kNone = SIZE_MAX;  // no input

// y[u] += sum_i weights[u, i] * x[i]
void addProduct(Vector& y, const Array& weights, const Vector& x) {
    for (int64_t u = 0; u < int64_t(y.size()); ++u) {
        for (int64_t i = 0; i < int64_t(x.size()); ++i) {
            y[size_t(u)] += weights.real({u, i}) * x[size_t(i)];
        }
    }
}

double activation(int64_t code, double v) {
    switch (code) {
        case 1:
            return std::max(v, 0.0);
        case 2:
            return std::min(std::max(v, -1.0), 1.0);
        case 3:
            return std::min(std::max(v, 0.0), 6.0);
        case 4:
            return std::tanh(v);
        case 6:
            return 1 / (1 + std::exp(-v));
        default:
            return v;
    }
}

// Row b of a matrix; a sequence also has a step.
Vector rowOf(const Array& array, int64_t b) {
    Vector row;
    for (int64_t i = 0; i < array.dims[1]; ++i) row.push_back(array.real({b, i}));
    return row;
}
void putRow(Array& array, int64_t b, const Vector& row) {
    for (int64_t i = 0; i < int64_t(row.size()); ++i) array.put({b, i}, row[size_t(i)]);
}

// [steps, batches, size] or [batches, steps, size]
struct Sequence {
    bool timeMajor;
    int64_t steps(const Array& a) const { return a.dims[timeMajor ? 0 : 1]; }
    int64_t batches(const Array& a) const { return a.dims[timeMajor ? 1 : 0]; }
    Index at(int64_t t, int64_t b, int64_t i) const {
        return timeMajor ? Index{t, b, i} : Index{b, t, i};
    }
    Vector row(const Array& a, int64_t t, int64_t b) const {
        Vector row;
        for (int64_t i = 0; i < a.dims[2]; ++i) row.push_back(a.real(at(t, b, i)));
        return row;
    }
    void put(Array& a, int64_t t, int64_t b, int64_t first, const Vector& row) const {
        for (int64_t i = 0; i < int64_t(row.size()); ++i) {
            a.put(at(t, b, first + i), row[size_t(i)]);
        }
    }
};

// ---- RNN

// y = act(W x + A aux + R h + bias); input numbers, kNone for no auxiliary weights
struct RnnCell {
    size_t weights, recurrent, bias, auxiliary;

    Vector step(const Call& call, const Vector& x, const Vector& aux, const Vector& h,
                int64_t code) const {
        Vector y = call.in(bias).stored;
        addProduct(y, call.in(weights), x);
        if (call.has(auxiliary)) addProduct(y, call.in(auxiliary), aux);
        addProduct(y, call.in(recurrent), h);
        for (double& v : y) v = activation(code, v);
        return y;
    }
};

void rnn(Call& call) {
    const Array& state = call.in(4);
    Array &outState = call.out(0, state.dims), &out = call.out(1, state.dims);
    for (int64_t b = 0; b < state.dims[0]; ++b) {
        const Vector y = RnnCell{1, 2, 3, kNone}.step(call, rowOf(call.in(0), b), {},
                                                      rowOf(state, b), call.integer(5));
        putRow(outState, b, y);
        putRow(out, b, y);
    }
}

void unidirectionalRnn(Call& call) {
    const Sequence sequence{call.flag(6)};
    const Array &x = call.in(0), &state = call.in(4);
    Array& out = call.out(0, sequence.at(sequence.steps(x), sequence.batches(x), state.dims[1]));
    if (call.outputs() > 1) call.out(1, state.dims);
    for (int64_t b = 0; b < sequence.batches(x); ++b) {
        Vector h = rowOf(state, b);
        for (int64_t t = 0; t < sequence.steps(x); ++t) {
            h = RnnCell{1, 2, 3, kNone}.step(call, sequence.row(x, t, b), {}, h, call.integer(5));
            sequence.put(out, t, b, 0, h);
        }
        if (call.outputs() > 1) putRow(call.results()[1], b, h);
    }
}

void bidirectionalRnn(Call& call) {
    const Sequence sequence{call.flag(13)};
    const bool merged = call.flag(14);
    const Array& x = call.in(0);
    const bool parallel = call.has(9) && !call.has(10);
    const int64_t steps = sequence.steps(x), batches = sequence.batches(x);
    const int64_t forward = call.in(4).dims[1], backward = call.in(8).dims[1];
    call.out(0, sequence.at(steps, batches, merged ? forward + backward : forward));
    if (!merged) call.out(1, sequence.at(steps, batches, backward));
    const size_t states = merged ? 1 : 2;
    const bool withStates = call.outputs() > states;
    if (withStates) {
        call.out(states, call.in(4).dims);
        call.out(states + 1, call.in(8).dims);
    }
    auto& results = call.results();
    for (int64_t b = 0; b < batches; ++b) {
        for (const bool back : {false, true}) {
            const RnnCell cell = back ? RnnCell{5, 6, 7, 11} : RnnCell{1, 2, 3, 10};
            Vector h = rowOf(call.in(back ? 8 : 4), b);
            for (int64_t step = 0; step < steps; ++step) {
                const int64_t t = back ? steps - 1 - step : step;
                const Vector aux = call.has(9) ? sequence.row(call.in(9), t, b) : Vector{};
                h = cell.step(call, back && parallel ? aux : sequence.row(x, t, b), aux, h,
                              call.integer(12));
                sequence.put(results[back && !merged ? 1 : 0], t, b, back && merged ? forward : 0,
                             h);
            }
            if (withStates) putRow(results[states + (back ? 1 : 0)], b, h);
        }
    }
}

// ---- LSTM

// The first input of each group of four (input, forget, cell, output gate) or three, without the
// cell gate, for peepholes.
struct LstmCell {
    size_t weights, recurrent, peephole, bias, projection, auxiliary, norm;
    size_t activation, cellClip, projectionClip;

    bool coupled(const Call& call) const { return !call.has(weights); }

    // A gate before its activation. 0 input, 1 forget, 2 cell, 3 output.
    Vector gate(const Call& call, size_t g, const Vector& x, const Vector& aux, const Vector& h,
                const Vector& c) const {
        Vector z(c.size(), 0);
        addProduct(z, call.in(weights + g), x);
        if (auxiliary != kNone && call.has(auxiliary + g)) {
            addProduct(z, call.in(auxiliary + g), aux);
        }
        addProduct(z, call.in(recurrent + g), h);
        if (g != 2 && call.has(peephole + 2)) {
            const Array& p = call.in(peephole + (g == 3 ? 2 : g));
            for (size_t u = 0; u < z.size(); ++u) z[u] += p.stored[u] * c[u];
        }
        if (norm != kNone && call.has(norm + 3)) {
            const auto size = double(z.size());
            double mean = 0, variance = 0;
            for (const double v : z) mean += v / size;
            for (const double v : z) variance += (v - mean) * (v - mean) / size;
            for (size_t u = 0; u < z.size(); ++u) {
                z[u] = (z[u] - mean) / std::sqrt(variance + 1e-8) * call.in(norm + g).stored[u];
            }
        }
        for (size_t u = 0; u < z.size(); ++u) z[u] += call.in(bias + g).stored[u];
        return z;
    }

    static void clip(Vector& values, double limit) {
        if (!(limit > 0)) return;
        for (double& v : values) v = std::min(std::max(v, -limit), limit);
    }

    // Replaces the states h and c by those after a step.
    void step(const Call& call, const Vector& x, const Vector& aux, Vector& h, Vector& c) const {
        const int64_t code = call.integer(activation);
        const Vector forget = gate(call, 1, x, aux, h, c), candidate = gate(call, 2, x, aux, h, c);
        const Vector input = coupled(call) ? Vector{} : gate(call, 0, x, aux, h, c);
        for (size_t u = 0; u < c.size(); ++u) {
            const double f = oracle::activation(6, forget[u]);
            const double i = coupled(call) ? 1 - f : oracle::activation(6, input[u]);
            c[u] = f * c[u] + i * oracle::activation(code, candidate[u]);
        }
        clip(c, call.number(cellClip));
        Vector m = gate(call, 3, x, aux, h, c);
        for (size_t u = 0; u < c.size(); ++u) {
            m[u] = oracle::activation(6, m[u]) * oracle::activation(code, c[u]);
        }
        h = m;
        if (!call.has(projection)) return;
        h.assign(size_t(call.in(projection).dims[0]), 0);
        if (call.has(projection + 1)) h = call.in(projection + 1).stored;
        addProduct(h, call.in(projection), m);
        clip(h, call.number(projectionClip));
    }
};

// The inputs of one direction.
LstmCell lstmCell(size_t norm, size_t first = 1, size_t auxiliary = kNone, size_t activation = 20) {
    return {.weights = first,
            .recurrent = first + 4,
            .peephole = first + 8,
            .bias = first + 11,
            .projection = first + 15,
            .auxiliary = auxiliary,
            .norm = norm,
            .activation = activation,
            .cellClip = activation + 1,
            .projectionClip = activation + 2};
}

void lstm(Call& call) {
    const LstmCell cell = lstmCell(/*norm=*/23);
    const Array &state = call.in(18), &cells = call.in(19);
    const int64_t batches = state.dims[0];
    call.out(0, {batches, cells.dims[1] * (cell.coupled(call) ? 3 : 4)});
    Array &outState = call.out(1, state.dims), &outCells = call.out(2, cells.dims);
    Array& out = call.out(3, state.dims);
    for (int64_t b = 0; b < batches; ++b) {
        Vector h = rowOf(state, b), c = rowOf(cells, b);
        cell.step(call, rowOf(call.in(0), b), {}, h, c);
        putRow(outState, b, h);
        putRow(outCells, b, c);
        putRow(out, b, h);
    }
}

void unidirectionalLstm(Call& call) {
    const LstmCell cell = lstmCell(/*norm=*/24);
    const Sequence sequence{call.flag(23)};
    const Array &x = call.in(0), &state = call.in(18), &cells = call.in(19);
    call.out(0, sequence.at(sequence.steps(x), sequence.batches(x), state.dims[1]));
    if (call.outputs() > 1) {
        call.out(1, state.dims);
        call.out(2, cells.dims);
    }
    for (int64_t b = 0; b < sequence.batches(x); ++b) {
        Vector h = rowOf(state, b), c = rowOf(cells, b);
        for (int64_t t = 0; t < sequence.steps(x); ++t) {
            cell.step(call, sequence.row(x, t, b), {}, h, c);
            sequence.put(call.results()[0], t, b, 0, h);
        }
        if (call.outputs() > 1) {
            putRow(call.results()[1], b, h);
            putRow(call.results()[2], b, c);
        }
    }
}

void bidirectionalLstm(Call& call) {
    const LstmCell cells[] = {lstmCell(53, 1, 40, 48), lstmCell(57, 18, 44, 48)};
    const bool merged = call.flag(51);
    const Sequence sequence{call.flag(52)};
    const Array& x = call.in(0);
    const bool parallel = call.has(39) && !call.has(41);
    const int64_t steps = sequence.steps(x), batches = sequence.batches(x);
    const int64_t forward = call.in(35).dims[1], backward = call.in(37).dims[1];
    call.out(0, sequence.at(steps, batches, merged ? forward + backward : forward));
    if (!merged) call.out(1, sequence.at(steps, batches, backward));
    const size_t states = merged ? 1 : 2;
    const bool withStates = call.outputs() > states;
    for (size_t i = 0; withStates && i < 4; ++i) call.out(states + i, call.in(35 + i).dims);
    auto& results = call.results();
    for (int64_t b = 0; b < batches; ++b) {
        for (const size_t back : {0u, 1u}) {
            Vector h = rowOf(call.in(35 + 2 * back), b), c = rowOf(call.in(36 + 2 * back), b);
            for (int64_t step = 0; step < steps; ++step) {
                const int64_t t = back == 1 ? steps - 1 - step : step;
                const Vector aux = call.has(39) ? sequence.row(call.in(39), t, b) : Vector{};
                cells[back].step(call, back == 1 && parallel ? aux : sequence.row(x, t, b), aux, h,
                                 c);
                sequence.put(results[merged ? 0 : back], t, b, merged && back == 1 ? forward : 0,
                             h);
            }
            if (withStates) {
                putRow(results[states + 2 * back], b, h);
                putRow(results[states + 2 * back + 1], b, c);
            }
        }
    }
}

// ---- SVDF

void svdf(Call& call) {
    const Array &x = call.in(0), &features = call.in(1), &times = call.in(2), &state = call.in(4);
    const int64_t rank = call.integer(5), filters = features.dims[0], memory = times.dims[1];
    Array& outState = call.out(0, state.dims);
    Array& out = call.out(1, {x.dims[0], filters / rank});
    for (int64_t b = 0; b < x.dims[0]; ++b) {
        Vector sums(size_t(filters / rank), 0);
        if (call.has(3)) sums = call.in(3).stored;
        for (int64_t f = 0; f < filters; ++f) {
            double newest = 0;
            for (int64_t i = 0; i < x.dims[1]; ++i)
                newest += x.real({b, i}) * features.real({f, i});
            for (int64_t m = 0; m < memory; ++m) {
                const bool last = m == memory - 1;
                const double value = last ? newest : state.real({b, f * memory + m});
                sums[size_t(f / rank)] += value * times.real({f, m});
                if (m > 0) outState.put({b, f * memory + m - 1}, value);
            }
        }
        for (double& v : sums) v = activation(call.integer(6), v);
        putRow(out, b, sums);
    }
}

// ---- fixed point

int64_t clampTo(int64_t v, int64_t least, int64_t most) {
    return std::min(std::max(v, least), most);
}
int64_t sat16(int64_t v) { return clampTo(v, -32768, 32767); }
int64_t sat32(int64_t v) { return clampTo(v, INT32_MIN, INT32_MAX); }

// a * b / 2^(bits - 1), to nearest, ties upward
int64_t doublingHigh(int bits, int64_t a, int64_t b) {
    const int64_t least = -(int64_t{1} << (bits - 1));
    if (a == least && b == least) return -least - 1;
    return (a * b + (int64_t{1} << (bits - 2))) >> (bits - 1);
}
int64_t high16(int64_t a, int64_t b) { return doublingHigh(16, a, b); }
int64_t high32(int64_t a, int64_t b) { return doublingHigh(32, a, b); }

// x / 2^e, to nearest, ties away from zero
int64_t divided(int64_t x, int e) {
    const int64_t half = e == 0 ? 0 : int64_t{1} << (e - 1);
    return x >= 0 ? (x + half) >> e : -((-x + half) >> e);
}

// A factor m * 2^(s - 31) with m in [2^30, 2^31)
struct Factor {
    int64_t m = 0;
    int s = 0;
};
Factor factorOf(double real) {
    if (real == 0) return {};
    Factor factor;
    factor.m = int64_t(std::round(std::frexp(real, &factor.s) * 2147483648.0));
    if (factor.m == int64_t{1} << 31) factor = {int64_t{1} << 30, factor.s + 1};
    return factor.s < -31 ? Factor{} : factor;
}
int64_t scaled(int64_t x, Factor f) {
    return divided(high32(x * (int64_t{1} << std::max(f.s, 0)), f.m), std::max(-f.s, 0));
}

// e^a for a in [-1/4, 0), both in units of 2^-15
int64_t expQuarter(int64_t a) {
    constexpr int64_t kExpOfEighth = 28918, kThird = 10923;  // e^-1/8 and 1/3
    const int64_t x = a + 4096, x2 = high16(x, x), x3 = high16(x2, x), x4 = high16(x2, x2);
    const int64_t y = divided(high16(divided(x4, 2) + x3, kThird) + x2, 1);
    return sat16(kExpOfEighth + high16(kExpOfEighth, x + y));
}

// e^a for a <= 0 with `whole` integer bits, in units of 2^-15
int64_t fixedExp(int64_t a, int whole) {
    constexpr int64_t kFactors[] = {1672461947, 1302514674, 790015084, 290630308,
                                    39332535,   720401,     242};  // e^-(2^e) from e = -2 on
    if (a == 0) return 32767;
    if (a < -(int64_t{32} << (15 - whole))) return 0;  // below the range of the factors
    const int64_t quarter = int64_t{1} << (13 - whole);
    const int64_t rest = (a & (quarter - 1)) - quarter;
    int64_t result = expQuarter(sat16(rest * (int64_t{1} << whole)));
    for (int e = -2; e <= 4 && e < whole; ++e) {
        if (((rest - a) >> (15 - whole + e) & 1) != 0) {
            result = high16(result, divided(kFactors[e + 2], 16));
        }
    }
    return result;
}

// 2 / (1 + a) for a in [0, 1] in units of 2^-15; the result in units of 2^-13
int64_t twoOverOnePlus(int64_t a) {
    const int64_t half = (a + 32768) / 2;
    int64_t x = divided(1515870810, 16) + high16(half, divided(-1010580540, 16));
    for (int i = 0; i < 3; ++i) x += sat16(high16(x, 8192 - high16(half, x)) * 4);
    return x;
}

int64_t fixedLogistic(int64_t a, int whole) {
    if (a == 0) return 16384;
    const int64_t p = sat16(twoOverOnePlus(fixedExp(-std::abs(a), whole)) * 2);
    return a > 0 ? p : 32767 - p;
}
int64_t fixedTanh(int64_t a, int whole) {
    if (a == 0) return 0;
    const int64_t t = sat16((twoOverOnePlus(fixedExp(-std::abs(a), whole + 1)) - 8192) * 4);
    return a > 0 ? t : -t;
}

// ---- QUANTIZED_16BIT_LSTM

void quantized16BitLstm(Call& call) {
    const Array &x = call.in(0), &cells = call.in(13), &state = call.in(14);
    const int64_t units = state.dims[1], size = x.dims[1];
    const Factor factor = factorOf(4096 * call.in(9).scale);
    Array &outCells = call.out(0, cells.dims), &out = call.out(1, state.dims);
    // The row of weights is [recurrent | input], the vector is [input | previous output].
    const auto gate = [&](size_t g, int64_t b, int64_t u) {
        int64_t sum = int64_t(call.in(9 + g).raw({u}));
        for (int64_t d = 0; d < size + units; ++d) {
            const Array &inner = call.in(1 + g), &recurrent = call.in(5 + g);
            const double v = d < size ? x.raw({b, d}) : state.raw({b, d - size});
            const double w = d < units ? recurrent.raw({u, d}) : inner.raw({u, d - units});
            sum += int64_t((v - 128) * (w - double(inner.zeroPoint)));
        }
        return sat16(scaled(sum, factor));
    };
    forEach(state.dims, [&](const Index& at) {
        const int64_t b = at[0], u = at[1];
        const int64_t i = fixedLogistic(gate(0, b, u), 3), f = fixedLogistic(gate(1, b, u), 3);
        const int64_t g = fixedTanh(gate(2, b, u), 3), o = fixedLogistic(gate(3, b, u), 3);
        const int64_t c = sat16(divided(high16(i, g), 4) + high16(f, int64_t(cells.raw({b, u}))));
        outCells.putRaw(at, double(c));
        const int64_t m = divided(high16(o, fixedTanh(sat16(c * 2), 3)), 8);
        out.putRaw(at, double(128 + clampTo(m, -128, 127)));
    });
}

// ---- QUANTIZED_LSTM

// 1 / sqrt(variance)
Factor inverseRoot(int64_t variance) {
    if (variance <= 1) return {INT32_MAX, 0};
    int shift = 11;
    for (; variance >= int64_t{1} << 29; ++shift) variance /= 4;
    int zeros = 0;
    while (variance < int64_t{1} << (31 - zeros)) ++zeros;
    const int p = (zeros - 1) / 2 - 1;
    variance <<= 2 * p;
    shift -= p;
    const int64_t v = divided(variance >> 1, 1);
    int64_t x = int64_t{1} << 28;
    for (int i = 0; i < 5; ++i) {
        const int64_t cube = sat32(high32(high32(x, x), x) * 64);
        x = sat32((high32(int64_t{3} << 27, x) - high32(v, cube)) * 8);
    }
    int64_t m = high32(x, 1518500250);
    if (shift < 0) {
        m <<= -shift;
        shift = 0;
    }
    return {m, -shift};
}

// A row with mean 0 and variance 1, times weights, plus bias.
void normalize(Vector& row, const Array& weights, const Array& bias) {
    const auto n = int64_t(row.size());
    int64_t sum = 0, squares = 0;
    for (const double v : row) {
        sum += int64_t(v);
        squares += int64_t(v) * int64_t(v);
    }
    const int64_t mean = sum * 1024 / n, share = (int64_t{1} << 20) / n;
    int64_t variance = (squares * share - mean * mean) / (int64_t{1} << 20);
    if (variance < 1) variance = std::min(int64_t{1}, int64_t(10000 * float(weights.scale)));
    const Factor root = inverseRoot(variance);
    Factor factor = factorOf(weights.scale);
    factor.s += 12;
    for (size_t u = 0; u < row.size(); ++u) {
        const int64_t r = scaled(1024 * int64_t(row[u]) - mean, root);
        const int64_t z = r * int64_t(weights.stored[u]) + int64_t(bias.stored[u]);
        const int64_t w = (z > 0 ? z + 512 : z - 512) / 1024;
        row[u] = double(sat16(scaled(w, factor)));
    }
}

void quantizedLstm(Call& call) {
    const Array &x = call.in(0), &state = call.in(18), &cells = call.in(19);
    const int64_t units = cells.dims[1];
    const int exponent = int(std::lround(std::log2(cells.scale)));
    const auto hiddenZero = int64_t(int8_t(call.integer(30)));
    const auto hiddenScale = float(call.number(31));
    Array& outState = call.out(0, state.dims);
    Array &outCells = call.out(1, cells.dims), &out = call.out(2, state.dims);

    const auto row = [&](const Array& from, int64_t b) {
        Vector values;
        for (int64_t i = 0; i < from.dims[1]; ++i) {
            values.push_back(from.raw({b, i}) - double(from.zeroPoint));
        }
        return values;
    };
    const auto product = [](const Array& weights, int64_t u, const Vector& v) {
        int64_t sum = 0;
        for (int64_t i = 0; i < int64_t(v.size()); ++i) {
            sum += int64_t(weights.raw({u, i}) * v[size_t(i)]);
        }
        return sum;
    };
    const auto single = [](double v) { return static_cast<float>(v); };

    // 0 input, 1 forget, 2 cell, 3 output
    const auto gate = [&](size_t g, int64_t b, const Vector& c) {
        const Array &w = call.in(1 + g), &r = call.in(5 + g);
        const float unit = single(call.number(26 + g));
        const Vector input = row(x, b), hidden = row(state, b);
        const Factor inputFactor = factorOf(single(w.scale) * single(x.scale) / unit);
        const Factor hiddenFactor = factorOf(single(r.scale) * single(state.scale) / unit);
        Vector z;
        for (int64_t u = 0; u < units; ++u) {
            int64_t y = sat16(scaled(product(w, u, input), inputFactor));
            y = sat16(y + scaled(product(r, u, hidden), hiddenFactor));
            const size_t peephole = g == 3 ? 11 : 9 + g;
            if (g != 2 && call.has(peephole)) {
                const Array& p = call.in(peephole);
                const float real = std::ldexp(single(p.scale), exponent) / unit;
                y = sat16(y + scaled(int64_t(p.stored[size_t(u)] * c[size_t(u)]), factorOf(real)));
            }
            z.push_back(double(y));
        }
        if (call.has(23)) normalize(z, call.in(20 + g), call.in(12 + g));
        return z;
    };

    for (int64_t b = 0; b < state.dims[0]; ++b) {
        Vector c = row(cells, b);
        const bool coupled = !call.has(1);
        const Vector forget = gate(1, b, c), candidate = gate(2, b, c);
        const Vector input = coupled ? Vector(c.size(), 0) : gate(0, b, c);
        for (size_t u = 0; u < c.size(); ++u) {
            const int64_t f = fixedLogistic(int64_t(forget[u]), 3);
            const int64_t i = coupled ? 32767 - f : fixedLogistic(int64_t(input[u]), 3);
            const int64_t g = fixedTanh(int64_t(candidate[u]), 3);
            c[u] = double(sat16(divided(f * int64_t(c[u]), 15) + divided(i * g, 30 + exponent)));
        }
        const double cellClip = call.has(24) ? call.number(24) : 0;
        if (cellClip > 0) {
            const float steps = single(cellClip) / single(cells.scale);
            const auto limit = double(int64_t(std::min(steps, 32767.0f)));
            if (limit > 0) LstmCell::clip(c, limit);
        }
        for (int64_t u = 0; u < units; ++u) outCells.putRaw(Index{b, u}, c[size_t(u)]);

        const Vector output = gate(3, b, c);
        const Factor hiddenFactor =
                factorOf(std::ldexp(1.0f, -15) / hiddenScale * std::ldexp(1.0f, -15));
        Vector hidden;
        for (size_t u = 0; u < c.size(); ++u) {
            const int64_t m =
                    fixedLogistic(int64_t(output[u]), 3) * fixedTanh(int64_t(c[u]), 15 + exponent);
            hidden.push_back(double(clampTo(scaled(m, hiddenFactor) - hiddenZero, -128, 127)));
        }
        if (call.has(16)) {
            const Array& p = call.in(16);
            const Factor factor = factorOf(single(p.scale) * hiddenScale / single(state.scale));
            Vector projected;
            for (int64_t o = 0; o < p.dims[0]; ++o) {
                int64_t sum = product(p, o, hidden);
                sum += hiddenZero * product(p, o, Vector(c.size(), 1));
                if (call.has(17)) sum += int64_t(call.in(17).raw({o}));
                projected.push_back(
                        double(clampTo(scaled(sum, factor) + state.zeroPoint, -128, 127)));
            }
            const double clip = call.has(25) ? call.number(25) : 0;
            if (clip > 0) {
                const float steps = single(clip) / single(p.scale);
                const auto limit = double(int64_t(std::min(steps, 127.0f)));
                if (limit > 0) LstmCell::clip(projected, limit);
            }
            hidden = projected;
        }
        for (int64_t o = 0; o < int64_t(hidden.size()); ++o) {
            outState.putRaw(Index{b, o}, hidden[size_t(o)]);
            out.putRaw(Index{b, o}, hidden[size_t(o)]);
        }
    }
}

}  // namespace

Functions recurrentFunctions() {
    using enum OperationType;
    return {{RNN, rnn},
            {UNIDIRECTIONAL_SEQUENCE_RNN, unidirectionalRnn},
            {BIDIRECTIONAL_SEQUENCE_RNN, bidirectionalRnn},
            {LSTM, lstm},
            {UNIDIRECTIONAL_SEQUENCE_LSTM, unidirectionalLstm},
            {BIDIRECTIONAL_SEQUENCE_LSTM, bidirectionalLstm},
            {SVDF, svdf},
            {QUANTIZED_16BIT_LSTM, quantized16BitLstm},
            {QUANTIZED_LSTM, quantizedLstm}};
}

}  // namespace nn::oracle
