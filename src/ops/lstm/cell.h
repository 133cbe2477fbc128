// One LSTM cell: the inputs of an operation that belong to it, and the arithmetic of one step.
//
//   Cell cell(op, kLstmCell);
//   cell.step(x, {}, y);        // once for each step of a sequence
//   cell.storeStates(op, 1);
//
// Sums, states and activations are in double precision from the first step to the last.
#pragma once

#include <absl/algorithm/container.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <span>

#include "opkit/kernels/gemm.h"
#include "opkit/kernels/kernel_call.h"
#include "opkit/kernels/recurrent.h"
#include "ops/lstm/signature.h"

namespace nn::ops::lstm {

// sums[n][u] += sum_i x[n][i] * weights[u][i]
template <class X>
void addProducts(Pace& pace, Matrix<const X> x, Matrix<const float> weights, Matrix<double> sums) {
    constexpr size_t kUnits = 32;  // at once
    double products[kUnits];
    for (size_t first = 0; first < weights.rows; first += kUnits) {
        const size_t units = std::min(kUnits, weights.rows - first);
        const Matrix<const float> rows{weights.data + first * weights.stride, units,
                                       weights.columns, weights.stride};
        pace.spend(x.rows * units * weights.columns);
        for (size_t n = 0; n < x.rows; ++n) {
            dotRows(x.data + n * x.stride, rows, products);
            for (size_t u = 0; u < units; ++u)
                sums.data[n * sums.stride + first + u] += products[u];
        }
    }
}

// What a gate adds up. Spans and matrices are empty where the operation has none.
struct GateWeights {
    Matrix<const float> input, aux, recurrent;
    std::span<const float> peephole, norm, bias;
};

class Cell {
   public:
    // The states begin as the inputs of the operation say.
    Cell(KernelCall& op, const CellLayout& layout);

    size_t outputs() const { return mOutputs; }  // elements of one row of y

    // One step: a row of x, aux and y for each batch. aux is not looked at without weights for it.
    void step(Matrix<const float> x, Matrix<const float> aux, Matrix<float> y);

    // Stores the output state in that output of the operation, the cell state in the next.
    void storeStates(KernelCall& op, size_t output) const;

   private:
    using Rows = std::span<double>;  // one row for each batch

    bool has(Gate gate) const { return gate != kInputGate || !mIsCoupled; }
    void addUp(Gate gate, Matrix<const float> x, Matrix<const float> aux);
    void open(Gate gate, std::span<const double> c, std::span<double> z) const;
    void normalize(Gate gate, std::span<double> z) const;
    void project(std::span<const double> m, std::span<double> h) const;
    double activated(double x) const { return activate(mActivation, x); }

    Pace& mPace;
    size_t mBatches, mCells, mOutputs;
    std::array<GateWeights, kGates> mGates{};
    Matrix<const float> mProjection;
    std::span<const float> mProjectionBias;
    RecurrentActivation mActivation;
    double mCellClip, mProjectionClip;
    bool mIsCoupled;  // input gate = 1 - forget gate
    bool mHasProjection;
    Rows mOutputState, mCellState;
    std::array<Rows, kGates> mSums{};
};

// No clip where the limit is not above 0.
inline double clipped(double x, double limit) {
    return limit > 0 ? std::clamp(x, -limit, limit) : x;
}

inline std::span<const float> vectorOf(KernelCall& op, size_t input) {
    return op.has(input) ? op.reals(input) : std::span<const float>();
}

inline Matrix<const float> matrixOf(KernelCall& op, size_t input) {
    if (!op.has(input)) return {};
    const size_t rows = op.input(input)[0], columns = op.input(input)[1];
    return {op.reals(input).data(), rows, columns, columns};
}

inline std::span<double> stateOf(KernelCall& op, size_t input) {
    const std::span<const float> reals = op.reals(input);
    const std::span<double> state = op.scratch<double>(reals.size());
    absl::c_copy(reals, state.begin());
    return state;
}

inline Cell::Cell(KernelCall& op, const CellLayout& layout)
    : mPace(op.pace()),
      mBatches(op.input(layout.cellState())[0]),
      mCells(op.input(layout.cellState())[1]),
      mOutputs(op.input(layout.outputState)[1]),
      mProjection(matrixOf(op, layout.projection)),
      mProjectionBias(vectorOf(op, layout.projectionBias())),
      mActivation(static_cast<RecurrentActivation>(*op.int32(layout.activation))),
      mCellClip(*op.real(layout.cellClip())),
      mProjectionClip(*op.real(layout.projectionClip())),
      mIsCoupled(!op.has(layout.weights + kInputGate)),
      mHasProjection(op.has(layout.projection)),
      mOutputState(stateOf(op, layout.outputState)),
      mCellState(stateOf(op, layout.cellState())) {
    for (const Gate gate : kAllGates) {
        mSums[gate] = op.scratch<double>(mBatches * mCells);
        if (!has(gate)) continue;
        mGates[gate] = {.input = matrixOf(op, layout.weights + gate),
                        .aux = matrixOf(op, layout.aux + gate),
                        .recurrent = matrixOf(op, layout.recurrent + gate),
                        .peephole = {},
                        .norm = vectorOf(op, layout.norm + gate),
                        .bias = vectorOf(op, layout.bias + gate)};
        if (gate != kCellGate) mGates[gate].peephole = vectorOf(op, layout.peepholeOf(gate));
    }
}

// With W, A, R, p, b of each gate, sums z = W x + A aux + R h (+ b without layer norm):
//
//   f = sigmoid(norm(z_f + p_f * c))
//   i = sigmoid(norm(z_i + p_i * c)), or 1 - f
//   c = clip(f * c + i * act(norm(z_c)))
//   o = sigmoid(norm(z_o + p_o * c))
//   m = o * act(c)
//   h = y = clip(P m + b), or m
inline void Cell::step(Matrix<const float> x, Matrix<const float> aux, Matrix<float> y) {
    for (const Gate gate : kAllGates) {
        if (has(gate)) addUp(gate, x, aux);
    }
    for (size_t n = 0; n < mBatches; ++n) {
        const auto row = [&](Rows rows) { return rows.subspan(n * mCells, mCells); };
        const std::span i = row(mSums[kInputGate]), f = row(mSums[kForgetGate]);
        const std::span g = row(mSums[kCellGate]), o = row(mSums[kOutputGate]);
        const std::span c = row(mCellState), h = mOutputState.subspan(n * mOutputs, mOutputs);

        open(kForgetGate, c, f);
        if (mIsCoupled) {
            absl::c_transform(f, i.begin(), [](double forget) { return 1 - forget; });
        } else {
            open(kInputGate, c, i);
        }
        normalize(kCellGate, g);
        for (size_t k = 0; k < mCells; ++k) {
            c[k] = clipped(f[k] * c[k] + i[k] * activated(g[k]), mCellClip);
        }
        open(kOutputGate, c, o);
        const std::span m = g;  // which has served
        for (size_t k = 0; k < mCells; ++k) m[k] = o[k] * activated(c[k]);
        project(m, h);
        absl::c_transform(h, y.data + n * y.stride,
                          [](double real) { return static_cast<float>(real); });
    }
}

inline void Cell::addUp(Gate gate, Matrix<const float> x, Matrix<const float> aux) {
    const GateWeights& weights = mGates[gate];
    const Matrix<double> sums{mSums[gate].data(), mBatches, mCells, mCells};
    for (size_t n = 0; n < mBatches; ++n) {
        const auto row = mSums[gate].subspan(n * mCells, mCells);
        if (weights.norm.empty()) {
            absl::c_copy(weights.bias, row.begin());
        } else {
            absl::c_fill(row, 0.0);  // the bias comes after the normalisation
        }
    }
    addProducts(mPace, x, weights.input, sums);
    addProducts(mPace, aux, weights.aux, sums);
    addProducts(mPace, Matrix<const double>{mOutputState.data(), mBatches, mOutputs, mOutputs},
                weights.recurrent, sums);
}

// z = sigmoid(norm(z + p * c))
inline void Cell::open(Gate gate, std::span<const double> c, std::span<double> z) const {
    const std::span<const float> peephole = mGates[gate].peephole;
    for (size_t k = 0; k < peephole.size(); ++k) z[k] += double{peephole[k]} * c[k];
    normalize(gate, z);
    for (double& real : z) real = activate(RecurrentActivation::SIGMOID, real);
}

// z = (z - mean z) / sqrt(var z + 1e-8) * norm + bias, with layer norm
inline void Cell::normalize(Gate gate, std::span<double> z) const {
    const std::span<const float> norm = mGates[gate].norm, bias = mGates[gate].bias;
    if (norm.empty()) return;
    const auto size = static_cast<double>(z.size());
    double mean = 0;
    for (const double real : z) mean += real;
    mean /= size;
    double variance = 0;
    for (const double real : z) variance += (real - mean) * (real - mean);
    variance /= size;
    const double scale = 1 / std::sqrt(variance + 1e-8);
    for (size_t k = 0; k < z.size(); ++k) {
        z[k] = (z[k] - mean) * scale * double{norm[k]} + double{bias[k]};
    }
}

inline void Cell::project(std::span<const double> m, std::span<double> h) const {
    if (!mHasProjection) {
        absl::c_copy(m, h.begin());
        return;
    }
    for (size_t k = 0; k < h.size(); ++k) {
        const std::span row(mProjection.data + k * mProjection.stride, mProjection.columns);
        mPace.spend(row.size());
        const double bias = mProjectionBias.empty() ? 0 : double{mProjectionBias[k]};
        h[k] = clipped(dot(m, row) + bias, mProjectionClip);
    }
}

inline void Cell::storeStates(KernelCall& op, size_t output) const {
    for (const std::span<const double> state : {mOutputState, mCellState}) {
        const std::span<float> reals = op.realOutput(output);
        absl::c_transform(state, reals.begin(),
                          [](double real) { return static_cast<float>(real); });
        op.store(output++, reals);
    }
}

}  // namespace nn::ops::lstm
