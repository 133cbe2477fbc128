#include "op_support/kernels/kernel_call.h"
#include "op_support/kernels/strided_copy.h"
#include "ops/lstm/cell.h"
#include "ops/lstm/signature.h"

namespace nn::ops {
namespace lstm {
namespace {

// The steps of a sequence, [steps, batches, width] or [batches, steps, width].
struct Steps {
    size_t count;
    size_t batches;
    bool isTimeMajor;

    Steps(const Value& sequence, bool timeMajor)
        : count(sequence[timeMajor ? 0 : 1]),
          batches(sequence[timeMajor ? 1 : 0]),
          isTimeMajor(timeMajor) {}

    // The part of a tensor for one step: a row for each batch, starting at a column.
    template <class E>
    Matrix<E> at(size_t step, std::span<E> tensor, size_t width, size_t column = 0) const {
        const size_t start = step * width * (isTimeMajor ? batches : 1) + column;
        return {tensor.data() + start, batches, width - column,
                isTimeMajor ? width : count * width};
    }
};

}  // namespace
}  // namespace lstm

bool kernels::LSTM(KernelCall& op) {
    using namespace lstm;
    Cell cell(op, kLstmCell, 1);
    const auto x = op.reals(kInput);
    const auto y = op.realOutput(3);
    const size_t batches = op.input(kInput)[0], size = op.input(kInput)[1];
    cell.step({x.data(), batches, size, size}, {},
              {y.data(), batches, cell.outputs(), cell.outputs()});
    fillWithZero(op.output(0));  // scratch: no operation reads it
    cell.storeStates(op, 1);
    op.store(3, y);
    return true;
}

bool kernels::UNIDIRECTIONAL_SEQUENCE_LSTM(KernelCall& op) {
    using namespace lstm;
    const Steps steps(op.input(kInput), *op.boolean(unidirectional::kTimeMajor));
    Cell cell(op, unidirectional::kCell, steps.count);
    const auto x = op.reals(kInput);
    const auto y = op.realOutput(0);
    for (size_t t = 0; t < steps.count; ++t) {
        cell.step(steps.at(t, x, op.input(kInput)[2]), {}, steps.at(t, y, cell.outputs()));
    }
    op.store(0, y);
    if (op.outputCount() > 1) cell.storeStates(op, 1);
    return true;
}

// Both cells write the results of a step at the position of that step. If the auxiliary input has
// no weights of its own, the backward cell reads it instead of the input.
bool kernels::BIDIRECTIONAL_SEQUENCE_LSTM(KernelCall& op) {
    using namespace lstm;
    using namespace lstm::bidirectional;
    const Steps steps(op.input(kInput), *op.boolean(kTimeMajor));
    const auto x = op.reals(kInput);
    const auto aux = op.has(kAuxInput) ? op.reals(kAuxInput) : std::span<const float>();
    const auto inputAt = [&](size_t t) { return steps.at(t, x, op.input(kInput)[2]); };
    const auto auxAt = [&](size_t t) {
        return aux.empty() ? Matrix<const float>{} : steps.at(t, aux, op.input(kAuxInput)[2]);
    };
    const bool isParallel = op.has(kAuxInput) && !op.has(kForward.aux + kForgetGate);

    Cell forward(op, kForward, steps.count);
    Cell backward(op, kBackward, steps.count);
    const bool isMerged = *op.boolean(kMergeOutputs);
    const size_t column = isMerged ? forward.outputs() : 0;  // of the backward output
    const auto yForward = op.realOutput(0);
    const auto yBackward = isMerged ? yForward : op.realOutput(1);
    const size_t widthForward = isMerged ? column + backward.outputs() : forward.outputs();
    const size_t widthBackward = column + backward.outputs();
    for (size_t t = 0; t < steps.count; ++t) {
        forward.step(inputAt(t), auxAt(t), steps.at(t, yForward, widthForward));
    }
    for (size_t t = steps.count; t-- > 0;) {
        backward.step(isParallel ? auxAt(t) : inputAt(t), auxAt(t),
                      steps.at(t, yBackward, widthBackward, column));
    }

    op.store(0, yForward);
    if (!isMerged) op.store(1, yBackward);
    const size_t states = isMerged ? 1 : 2;
    if (op.outputCount() > states) {
        forward.storeStates(op, states);
        backward.storeStates(op, states + 2);
    }
    return true;
}

}  // namespace nn::ops
