#include <initializer_list>

#include "op_support/rules/dimensions.h"
#include "op_support/rules/recurrent_rules.h"
#include "op_support/rules/requirements.h"
#include "op_support/rules/shapes.h"
#include "op_support/rules/specs.h"
#include "ops/lstm/signature.h"

namespace nn::ops {
namespace lstm {
namespace {

// ---- combinations of inputs

// A coupled cell has no input gate: 1 - forget gate replaces it.
bool isCoupled(const OpView& op, const CellLayout& cell) {
    return !op.has(cell.weights + kInputGate);
}

// Each gate has such an input, or none has. In a coupled cell the input gate has none.
bool requireForEachGate(const OpView& op, std::string_view rule, const CellLayout& cell,
                        size_t first) {
    return requireWith(op, rule, first + kInputGate, cell.weights + kInputGate) &&
           requireTogether(op, rule,
                           {first + kForgetGate, first + kCellGate, first + kOutputGate}) &&
           (isCoupled(op, cell) ||
            requireTogether(op, rule, {first + kInputGate, first + kForgetGate}));
}

// Each gate has weights of the cell state, or none has. A coupled cell ignores those of the input
// gate.
bool requirePeephole(const OpView& op, const CellLayout& cell) {
    constexpr auto kRule = "lstm.peephole";
    const size_t input = cell.peepholeOf(kInputGate), forget = cell.peepholeOf(kForgetGate);
    return requireTogether(op, kRule, {forget, cell.peepholeOf(kOutputGate)}) &&
           (isCoupled(op, cell) ? requireWith(op, kRule, input, forget)
                                : requireTogether(op, kRule, {input, forget}));
}

bool requireGroups(const OpView& op, const CellLayout& cell) {
    return requireTogether(op, "lstm.input_gate",
                           {cell.weights + kInputGate, cell.recurrent + kInputGate,
                            cell.bias + kInputGate}) &&
           requirePeephole(op, cell) &&
           requireForEachGate(op, "lstm.layer_norm", cell, cell.norm) &&
           requireForEachGate(op, "lstm.auxiliary", cell, cell.aux);
}

// ---- dimensions

// The sizes of a cell, as far as they are known.
struct Sizes {
    Dim batches;
    Dim input;    // elements of the input, of one batch and step
    Dim cells;    // of the cell state
    Dim outputs;  // of the output
};

Sizes sizesOf(const OpView& op, const CellLayout& cell, Dim batches, Dim input) {
    const Value& outputState = op.input(cell.outputState);
    const Value& cellState = op.input(cell.cellState());
    return {firstKnown({batches, outputState.dim(0), cellState.dim(0)}), input,
            firstKnown({op.input(cell.weights + kOutputGate).dim(0), cellState.dim(1)}),
            firstKnown({op.input(cell.recurrent + kOutputGate).dim(1), outputState.dim(1)})};
}

bool requireDimensionsIfGiven(const OpView& op, size_t input, std::initializer_list<Dim> allowed) {
    return !op.has(input) || requireDimensions(op, "lstm.dimensions", input, allowed);
}

bool requireCellDimensions(const OpView& op, const CellLayout& cell, const Sizes& sizes) {
    const auto& [batches, input, cells, outputs] = sizes;
    for (const Gate gate : kAllGates) {
        if (!requireDimensionsIfGiven(op, cell.weights + gate, {cells, input}) ||
            !requireDimensionsIfGiven(op, cell.aux + gate, {cells, input}) ||
            !requireDimensionsIfGiven(op, cell.recurrent + gate, {cells, outputs}) ||
            !requireDimensionsIfGiven(op, cell.bias + gate, {cells}) ||
            !requireDimensionsIfGiven(op, cell.norm + gate, {cells}) ||
            (gate != kCellGate && !requireDimensionsIfGiven(op, cell.peepholeOf(gate), {cells}))) {
            return false;
        }
    }
    if (!requireDimensions(op, "lstm.dimensions", cell.outputState, {batches, outputs}) ||
        !requireDimensions(op, "lstm.dimensions", cell.cellState(), {batches, cells})) {
        return false;
    }
    if (!op.has(cell.projection)) {
        return op.require(
                !cells || !outputs || *cells == *outputs, "lstm.projection",
                "{} has no value, and the cell state has {} and the output {}, allowed as "
                "many",
                op.in(cell.projection), Plural{cells.value_or(0), "elements"}, outputs.value_or(0));
    }
    return requireDimensions(op, "lstm.dimensions", cell.projection, {outputs, cells}) &&
           requireDimensionsIfGiven(op, cell.projectionBias(), {outputs});
}

// ---- parameters

bool requireClips(const OpView& op, const CellLayout& cell) {
    return requireNotNegative(op, "lstm.clip", cell.cellClip()) &&
           requireNotNegative(op, "lstm.clip", cell.projectionClip());
}

// ---- shapes

bool inferLstm(const OpView& op, std::span<Shape> outputs) {
    constexpr const CellLayout& kCell = kLstmCell;
    const Value& input = op.input(kInput);
    const Sizes sizes = sizesOf(op, kCell, input.dim(0), input.dim(1));
    if (!requireRank(op, "lstm.dimensions", kInput, 2, 2) || !requireGroups(op, kCell) ||
        !requireWith(op, "lstm.projection", kCell.projectionBias(), kCell.projection) ||
        !requireCellDimensions(op, kCell, sizes) ||
        !requireRecurrentActivation(op, "lstm.activation", kCell.activation) ||
        !requireClips(op, kCell)) {
        return false;
    }
    Dim scratch;
    const uint64_t blocks = isCoupled(op, kCell) ? kGates - 1 : kGates;
    if (sizes.cells && !setSize(op, "lstm.size", 1, blocks * *sizes.cells, scratch)) return false;
    outputs[0] = Shape({sizes.batches, scratch});
    outputs[1] = outputs[3] = Shape({sizes.batches, sizes.outputs});
    outputs[2] = Shape({sizes.batches, sizes.cells});
    return true;
}

bool inferUnidirectional(const OpView& op, std::span<Shape> outputs) {
    using unidirectional::kCell;
    const Value& input = op.input(kInput);
    const Dim batches = batchesOf(input, op.boolean(unidirectional::kTimeMajor));
    const Sizes sizes = sizesOf(op, kCell, batches, input.dim(2));
    if (!requireRank(op, "lstm.dimensions", kInput, 3, 3) || !requireGroups(op, kCell) ||
        !requireCellDimensions(op, kCell, sizes) ||
        !requireRecurrentActivation(op, "lstm.activation", kCell.activation)) {
        return false;
    }
    outputs[0] = Shape({input.dim(0), input.dim(1), sizes.outputs});
    if (outputs.size() > 1) {
        outputs[1] = Shape({sizes.batches, sizes.outputs});
        outputs[2] = Shape({sizes.batches, sizes.cells});
    }
    return true;
}

// With auxiliary weights both cells read the auxiliary input in addition to the input. Without them
// the backward cell reads it instead of the input.
bool requireLinking(const OpView& op) {
    using namespace bidirectional;
    const size_t weights = kForward.aux + kForgetGate;
    return requireTogether(op, "lstm.auxiliary", {weights, kBackward.aux + kForgetGate}) &&
           requireWith(op, "lstm.auxiliary", weights, kAuxInput);
}

// The number of outputs: one if mergeOutputs is true, otherwise two, and four states.
bool requireOutputs(const OpView& op) {
    const auto isMerged = op.boolean(bidirectional::kMergeOutputs);
    const bool hasOneOutput = op.outputCount() % 2 == 1;
    return op.require(!isMerged || *isMerged == hasOneOutput, "lstm.merge",
                      "{} is {} and the operation has {}, allowed {}",
                      op.in(bidirectional::kMergeOutputs), isMerged.value_or(false),
                      Plural{op.outputCount(), "outputs"},
                      isMerged.value_or(false) ? "1 or 5" : "2 or 6");
}

bool inferBidirectional(const OpView& op, std::span<Shape> outputs) {
    using namespace bidirectional;
    const Value& input = op.input(kInput);
    const Value& aux = op.input(kAuxInput);
    const bool isCross = op.has(kForward.aux + kForgetGate);
    const bool isParallel = op.has(kAuxInput) && !isCross;
    const Dim batches = batchesOf(input, op.boolean(kTimeMajor));
    const Sizes forward = sizesOf(op, kForward, batches, input.dim(2));
    const Sizes backward = sizesOf(op, kBackward, batches, isParallel ? aux.dim(2) : input.dim(2));
    if (!requireRank(op, "lstm.dimensions", kInput, 3, 3) || !requireGroups(op, kForward) ||
        !requireGroups(op, kBackward) || !requireLinking(op) ||
        !requireWith(op, "lstm.projection", kForward.projectionBias(), kForward.projection) ||
        !requireWith(op, "lstm.projection", kBackward.projectionBias(), kBackward.projection) ||
        !requireDimensionsIfGiven(op, kAuxInput,
                                  {input.dim(0), input.dim(1), isCross ? input.dim(2) : Dim()}) ||
        !requireCellDimensions(op, kForward, forward) ||
        !requireCellDimensions(op, kBackward, backward) ||
        !requireRecurrentActivation(op, "lstm.activation", kForward.activation) ||
        !requireClips(op, kForward) || !requireOutputs(op)) {
        return false;
    }

    size_t next = 1;
    outputs[0] = Shape({input.dim(0), input.dim(1), forward.outputs});
    if (outputs.size() % 2 == 0) {
        outputs[next++] = Shape({input.dim(0), input.dim(1), backward.outputs});
    } else {
        Dim& merged = outputs[0]->back();
        merged.reset();
        if (forward.outputs && backward.outputs &&
            !setSize(op, "lstm.size", 2, uint64_t{*forward.outputs} + *backward.outputs, merged)) {
            return false;
        }
    }
    if (next < outputs.size()) {
        for (const Sizes& sizes : {forward, backward}) {
            outputs[next++] = Shape({sizes.batches, sizes.outputs});
            outputs[next++] = Shape({sizes.batches, sizes.cells});
        }
    }
    return true;
}

}  // namespace
}  // namespace lstm

const OperationSpec specs::LSTM{.type = OperationType::LSTM,
                                .types = lstm::kTypes,
                                .forms = lstm::kLstmForms,
                                .ruleTexts = lstm::kRules,
                                .inferShapes = lstm::inferLstm};
const OperationSpec specs::UNIDIRECTIONAL_SEQUENCE_LSTM{
        .type = OperationType::UNIDIRECTIONAL_SEQUENCE_LSTM,
        .types = lstm::kTypes,
        .forms = lstm::kUnidirectionalForms,
        .ruleTexts = lstm::kRules,
        .inferShapes = lstm::inferUnidirectional};
const OperationSpec specs::BIDIRECTIONAL_SEQUENCE_LSTM{
        .type = OperationType::BIDIRECTIONAL_SEQUENCE_LSTM,
        .types = lstm::kTypes,
        .forms = lstm::kBidirectionalForms,
        .ruleTexts = lstm::kRules,
        .inferShapes = lstm::inferBidirectional};

}  // namespace nn::ops
