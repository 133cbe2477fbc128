#include <absl/algorithm/container.h>

#include "op_support/kernels/kernel_call.h"
#include "op_support/kernels/recurrent.h"
#include "ops/rnn/signature.h"

namespace nn::ops {
namespace rnn {
namespace {

// Finds the row of a batch at one step of a sequence.
struct Sequence {
    size_t times;
    size_t batches;
    bool isTimeMajor;

    static Sequence of(const Value& input, bool isTimeMajor) {
        return {input[isTimeMajor ? 0 : 1], input[isTimeMajor ? 1 : 0], isTimeMajor};
    }
    size_t row(size_t time, size_t batch) const {
        return isTimeMajor ? time * batches + batch : batch * times + time;
    }
};

std::span<double> doublesOf(KernelCall& op, size_t input) {
    const std::span<const float> reals = op.reals(input);
    const std::span<double> doubles = op.scratch<double>(reals.size());
    absl::c_copy(reals, doubles.begin());
    return doubles;
}

Matrix<const float> matrixOf(KernelCall& op, size_t input) {
    const size_t rows = op.input(input)[0], columns = op.input(input)[1];
    return {op.reals(input).data(), rows, columns, columns};
}

// Rows of values, and the weights that they are multiplied with. Without weights the rows are
// empty.
struct Rows {
    std::span<const float> values{};
    Matrix<const float> weights{};

    std::span<const float> row(size_t i) const {
        return weights.columns == 0 ? values.first(0)
                                    : values.subspan(i * weights.columns, weights.columns);
    }
};

Rows rowsOf(KernelCall& op, size_t values, size_t weights) {
    return {op.reals(values), matrixOf(op, weights)};
}

// The columns of a layer in the rows of an output.
struct Place {
    std::span<float> values;
    size_t rowSize;
    size_t offset = 0;
};

enum class Direction { FORWARD, BACKWARD };

// y[t, b, u] = act(bias[u] + sum_i x[t, b, i] W[u, i] + sum_j aux[t, b, j] A[u, j]
//                  + sum_h s[b, h] R[u, h]),
// where s is the state at first, then the y of the previous step. Returns the last s, [batches,
// units]; s is not rounded between steps.
std::span<const double> runLayer(KernelCall& op, const LayerInputs& inputs, Rows x, Rows auxiliary,
                                 RecurrentActivation activation, const Sequence& sequence,
                                 Direction direction, Place output) {
    const std::span<const float> bias = op.reals(inputs.bias);
    const std::span<double> state = doublesOf(op, inputs.state);
    const size_t units = bias.size();
    const size_t toAuxiliary = 1 + x.weights.columns;  // in a row of 1, x, aux and s
    const size_t toState = toAuxiliary + auxiliary.weights.columns;
    Weights weights(op, sequence.times * sequence.batches, toState + units, units);
    weights.put(0, 0, {bias.data(), units, 1, 1});
    weights.put(0, 1, x.weights);
    weights.put(0, toAuxiliary, auxiliary.weights);
    weights.put(0, toState, matrixOf(op, inputs.recurrentWeights));
    const std::span<double> values = op.scratch<double>(toState + units);
    const std::span<double> room = op.scratch<double>(weights.room());
    const std::span<double> sums = room.first(units);
    values[0] = 1;
    for (size_t step = 0; step < sequence.times; ++step) {
        const size_t time = direction == Direction::FORWARD ? step : sequence.times - 1 - step;
        for (size_t batch = 0; batch < sequence.batches; ++batch) {
            const size_t row = sequence.row(time, batch);
            const std::span<double> s = state.subspan(batch * units, units);
            absl::c_copy(x.row(row), values.begin() + 1);
            absl::c_copy(auxiliary.row(row), values.subspan(toAuxiliary).begin());
            absl::c_copy(s, values.subspan(toState).begin());
            weights.addUp(op.interruption(), values, room);
            activate(activation, sums);
            absl::c_copy(sums, s.begin());
            absl::c_transform(s,
                              output.values.begin() +
                                      static_cast<ptrdiff_t>(row * output.rowSize + output.offset),
                              [](double real) { return static_cast<float>(real); });
        }
    }
    return state;
}

void storeState(KernelCall& op, size_t output, std::span<const double> state) {
    const std::span<float> values = op.realOutput(output);
    absl::c_transform(state, values.begin(), [](double s) { return static_cast<float>(s); });
    op.store(output, values);
}

RecurrentActivation activationOf(const OpView& op, size_t input) {
    return static_cast<RecurrentActivation>(*op.int32(input));
}

}  // namespace
}  // namespace rnn

// RNN is a sequence of one step.
bool kernels::RNN(KernelCall& op) {
    using namespace rnn;
    const std::span<float> output = op.realOutput(kStepOutput);
    const Sequence sequence{.times = 1, .batches = op.input(kInput)[0], .isTimeMajor = true};
    const auto state = runLayer(op, kForward, rowsOf(op, kInput, kForward.weights), {},
                                activationOf(op, kActivation), sequence, Direction::FORWARD,
                                {output, op.output(kStepOutput)[1]});
    op.store(kStepOutput, output);
    storeState(op, kStepState, state);
    return true;
}

bool kernels::UNIDIRECTIONAL_SEQUENCE_RNN(KernelCall& op) {
    using namespace rnn;
    const std::span<float> output = op.realOutput(0);
    const auto state = runLayer(op, kForward, rowsOf(op, kInput, kForward.weights), {},
                                activationOf(op, kActivation),
                                Sequence::of(op.input(kInput), *op.int32(kTimeMajor) == 1),
                                Direction::FORWARD, {output, op.output(0)[2]});
    op.store(0, output);
    if (op.outputCount() > 1) storeState(op, 1, state);
    return true;
}

bool kernels::BIDIRECTIONAL_SEQUENCE_RNN(KernelCall& op) {
    using namespace rnn;
    const RecurrentActivation activation = activationOf(op, kBidirectionalActivation);
    const Sequence sequence = Sequence::of(op.input(kInput), *op.boolean(kBidirectionalTimeMajor));
    const bool isCross = op.has(kForwardAuxiliaryWeights);
    const bool isParallel = op.has(kAuxiliary) && !isCross;
    const Rows forwardRows = rowsOf(op, kInput, kForward.weights);
    const Rows backwardRows = rowsOf(op, isParallel ? kAuxiliary : kInput, kBackward.weights);
    const auto auxiliary = [&](size_t weights) {
        return isCross ? rowsOf(op, kAuxiliary, weights) : Rows{};
    };

    const bool isMerged = rnn::isMerged(op.outputCount());
    const size_t backwardOutput = isMerged ? 0 : 1;
    const std::span<float> forwardValues = op.realOutput(0);
    const std::span<float> backwardValues = isMerged ? forwardValues : op.realOutput(1);
    const auto forward =
            runLayer(op, kForward, forwardRows, auxiliary(kForwardAuxiliaryWeights), activation,
                     sequence, Direction::FORWARD, {forwardValues, op.output(0)[2]});
    const auto backward =
            runLayer(op, kBackward, backwardRows, auxiliary(kBackwardAuxiliaryWeights), activation,
                     sequence, Direction::BACKWARD,
                     {backwardValues, op.output(backwardOutput)[2],
                      isMerged ? size_t{op.input(kForward.bias)[0]} : 0});
    op.store(0, forwardValues);
    if (!isMerged) op.store(1, backwardValues);
    if (op.outputCount() > 2) {
        storeState(op, op.outputCount() - 2, forward);
        storeState(op, op.outputCount() - 1, backward);
    }
    return true;
}

}  // namespace nn::ops
