// One LSTM cell: the inputs of an operation that belong to it, and the arithmetic of one step.
//
//   Cell cell(op, kLstmCell, 1);
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

#include "op_support/kernels/kernel_call.h"
#include "op_support/kernels/recurrent.h"
#include "ops/lstm/signature.h"

namespace nn::ops::lstm {

// The parameters of a gate other than its weights. Spans are empty if the operation has none.
struct GateVectors {
    std::span<const float> peephole, norm, bias;
};

class Cell {
   public:
    // Reads the initial states from the inputs of the operation. `steps`: the number of steps to
    // come.
    Cell(KernelCall& op, const CellLayout& layout, size_t steps);

    size_t outputs() const { return mOutputs; }  // elements of one row of y

    // Computes one step, with a row of x, aux and y for each batch. aux is ignored if it has no
    // weights.
    void step(Matrix<const float> x, Matrix<const float> aux, Matrix<float> y);

    // Stores the output state in the output with that index, and the cell state in the next one.
    void storeStates(KernelCall& op, size_t output) const;

   private:
    using Row = std::span<double>;

    bool has(Gate gate) const { return gate != kInputGate || !mIsCoupled; }
    // The sums of a gate. The input gate comes last, since it may have none.
    size_t placeOf(Gate gate) const { return (gate + kGates - 1) % kGates * mCells; }
    Row sumsOf(Gate gate) const { return mSums.subspan(placeOf(gate), mCells); }
    void addUp(const float* x, const float* aux, std::span<const double> h) const;
    void open(Gate gate, std::span<const double> c) const;
    void normalize(Gate gate, Row z) const;
    void project(std::span<const double> m, Row h) const;

    Interruption& mInterruption;
    size_t mBatches, mCells, mInputs, mAux, mOutputs;
    std::array<GateVectors, kGates> mGates{};
    RecurrentActivation mActivation;
    double mCellClip, mProjectionClip;
    bool mIsCoupled;  // input gate = 1 - forget gate
    bool mHasProjection;
    Row mOutputState, mCellState;   // of all batches, one after the other
    Weights mWeights, mProjection;  // of 1, x, aux and h; of 1 and m
    Row mValues, mSums, mMemory, mProjected;
};

// A limit of 0 or less does not clip.
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

inline Matrix<const float> columnOf(std::span<const float> vector) {
    return {vector.data(), vector.size(), 1, 1};
}

inline std::span<double> stateOf(KernelCall& op, size_t input) {
    const std::span<const float> reals = op.reals(input);
    const std::span<double> state = op.scratch<double>(reals.size());
    absl::c_copy(reals, state.begin());
    return state;
}

inline Cell::Cell(KernelCall& op, const CellLayout& layout, size_t steps)
    : mInterruption(op.interruption()),
      mBatches(op.input(layout.cellState())[0]),
      mCells(op.input(layout.cellState())[1]),
      mInputs(op.input(layout.weights + kOutputGate)[1]),
      mAux(op.has(layout.aux + kOutputGate) ? op.input(layout.aux + kOutputGate)[1] : 0),
      mOutputs(op.input(layout.outputState)[1]),
      mActivation(static_cast<RecurrentActivation>(*op.int32(layout.activation))),
      mCellClip(*op.real(layout.cellClip())),
      mProjectionClip(*op.real(layout.projectionClip())),
      mIsCoupled(!op.has(layout.weights + kInputGate)),
      mHasProjection(op.has(layout.projection)),
      mOutputState(stateOf(op, layout.outputState)),
      mCellState(stateOf(op, layout.cellState())),
      mWeights(op, steps * mBatches, 1 + mInputs + mAux + mOutputs,
               (mIsCoupled ? kGates - 1 : kGates) * mCells),
      mProjection(op, steps * mBatches, 1 + mCells, mHasProjection ? mOutputs : 0),
      mValues(op.scratch<double>(1 + mInputs + mAux + mOutputs)),
      mSums(op.scratch<double>(std::max(kGates * mCells, mWeights.room()))),
      mMemory(op.scratch<double>(1 + mCells)),
      mProjected(op.scratch<double>(mProjection.room())) {
    mValues[0] = mMemory[0] = 1;  // the factor of a bias
    for (const Gate gate : kAllGates) {
        if (!has(gate)) continue;
        GateVectors& vectors = mGates[gate];
        vectors = {.peephole = {},
                   .norm = vectorOf(op, layout.norm + gate),
                   .bias = vectorOf(op, layout.bias + gate)};
        if (gate != kCellGate) vectors.peephole = vectorOf(op, layout.peepholeOf(gate));
        // With layer norm the bias comes after the normalization.
        if (vectors.norm.empty()) mWeights.put(placeOf(gate), 0, columnOf(vectors.bias));
        mWeights.put(placeOf(gate), 1, matrixOf(op, layout.weights + gate));
        mWeights.put(placeOf(gate), 1 + mInputs, matrixOf(op, layout.aux + gate));
        mWeights.put(placeOf(gate), 1 + mInputs + mAux, matrixOf(op, layout.recurrent + gate));
    }
    if (!mHasProjection) return;
    mProjection.put(0, 0, columnOf(vectorOf(op, layout.projectionBias())));
    mProjection.put(0, 1, matrixOf(op, layout.projection));
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
    for (size_t n = 0; n < mBatches; ++n) {
        const Row c = mCellState.subspan(n * mCells, mCells);
        const Row h = mOutputState.subspan(n * mOutputs, mOutputs);
        addUp(x.data + n * x.stride, aux.data + n * aux.stride, h);
        const Row i = sumsOf(kInputGate), f = sumsOf(kForgetGate);
        const Row g = sumsOf(kCellGate), o = sumsOf(kOutputGate);

        open(kForgetGate, c);
        if (mIsCoupled) {
            absl::c_transform(f, i.begin(), [](double forget) { return 1 - forget; });
        } else {
            open(kInputGate, c);
        }
        normalize(kCellGate, g);
        activate(mActivation, g);
        for (size_t k = 0; k < mCells; ++k) c[k] = clipped(f[k] * c[k] + i[k] * g[k], mCellClip);
        open(kOutputGate, c);
        const Row m = mMemory.subspan(1);
        absl::c_copy(c, m.begin());
        activate(mActivation, m);
        for (size_t k = 0; k < mCells; ++k) m[k] *= o[k];
        project(m, h);
        absl::c_transform(h, y.data + n * y.stride,
                          [](double real) { return static_cast<float>(real); });
    }
}

// z = W x + A aux + R h (+ b)
inline void Cell::addUp(const float* x, const float* aux, std::span<const double> h) const {
    double* value = mValues.data() + 1;
    value = std::copy_n(x, mInputs, value);
    value = std::copy_n(aux, mAux, value);
    absl::c_copy(h, value);
    mWeights.addUp(mInterruption, mValues, mSums);
}

// z = sigmoid(norm(z + p * c))
inline void Cell::open(Gate gate, std::span<const double> c) const {
    const Row z = sumsOf(gate);
    const std::span<const float> peephole = mGates[gate].peephole;
    for (size_t k = 0; k < peephole.size(); ++k) z[k] += double{peephole[k]} * c[k];
    normalize(gate, z);
    activate(RecurrentActivation::SIGMOID, z);
}

// z = (z - mean z) / sqrt(var z + 1e-8) * norm + bias, with layer norm
inline void Cell::normalize(Gate gate, Row z) const {
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

// h = clip(P m + b), or m
inline void Cell::project(std::span<const double> m, Row h) const {
    if (!mHasProjection) {
        absl::c_copy(m, h.begin());
        return;
    }
    mProjection.addUp(mInterruption, mMemory, mProjected);
    for (size_t k = 0; k < h.size(); ++k) h[k] = clipped(mProjected[k], mProjectionClip);
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
