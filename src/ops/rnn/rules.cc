#include "nnapi/checked_math.h"
#include "op_support/rules/dimensions.h"
#include "op_support/rules/recurrent_rules.h"
#include "op_support/rules/shapes.h"
#include "op_support/rules/specs.h"
#include "ops/rnn/signature.h"

namespace nn::ops {
namespace rnn {
namespace {

constexpr std::string_view kShapes = "rnn.shapes";

Dim unitsOf(const OpView& op, const LayerInputs& layer) {
    return firstKnown({op.input(layer.weights).dim(0), op.input(layer.recurrentWeights).dim(0),
                       op.input(layer.bias).dim(0), op.input(layer.state).dim(1)});
}

// The inputs of a layer agree with each other and with the input of the operation.
bool requireLayer(const OpView& op, const LayerInputs& layer, Dim batches, Dim inputSize) {
    const Dim units = unitsOf(op, layer);
    return requireDimensions(op, kShapes, layer.weights, {units, inputSize}) &&
           requireDimensions(op, kShapes, layer.recurrentWeights, {units, units}) &&
           requireDimensions(op, kShapes, layer.bias, {units}) &&
           requireDimensions(op, kShapes, layer.state, {batches, units});
}

bool inferStep(const OpView& op, std::span<Shape> outputs) {
    const Value& input = op.input(kInput);
    const Dim batches = firstKnown({input.dim(0), op.input(kForward.state).dim(0)});
    outputs[kStepState] = outputs[kStepOutput] = {batches, unitsOf(op, kForward)};
    return requireRecurrentActivation(op, "rnn.activation", kActivation) &&
           requireRank(op, "rnn.rank", kInput, 2, 2) &&
           requireLayer(op, kForward, input.dim(0), input.dim(1));
}

bool inferSequence(const OpView& op, std::span<Shape> outputs) {
    const Value& input = op.input(kInput);
    const auto timeMajor = op.int32(kTimeMajor);
    if (!requireRecurrentActivation(op, "rnn.activation", kActivation) ||
        !op.require(!timeMajor || *timeMajor == 0 || *timeMajor == 1, "rnn.time_major",
                    "{} is {}, allowed 0 or 1", op.in(kTimeMajor), timeMajor.value_or(0)) ||
        !requireRank(op, "rnn.rank", kInput, 3, 3)) {
        return false;
    }
    const Dim batches = batchesOf(input, timeMajor ? std::optional(*timeMajor == 1) : std::nullopt);
    const Dim units = unitsOf(op, kForward);
    outputs[0] = {input.dim(0), input.dim(1), units};
    if (outputs.size() > 1) outputs[1] = {batches, units};
    return requireLayer(op, kForward, batches, input.dim(2));
}

// Of the auxiliary inputs, none, only the input, or all three must be present.
bool requireLinking(const OpView& op) {
    const bool hasForward = op.has(kForwardAuxiliaryWeights);
    const bool hasBackward = op.has(kBackwardAuxiliaryWeights);
    const Value& input = op.input(kInput);
    return op.require(hasForward == hasBackward && (op.has(kAuxiliary) || !hasForward),
                      "rnn.linking",
                      "{} is {}, {} is {} and {} is {}, allowed none, the first, or all given",
                      op.in(kAuxiliary), op.has(kAuxiliary) ? "given" : "omitted",
                      op.in(kForwardAuxiliaryWeights), hasForward ? "given" : "omitted",
                      op.in(kBackwardAuxiliaryWeights), hasBackward ? "given" : "omitted") &&
           (!op.has(kAuxiliary) ||
            requireDimensions(op, kShapes, kAuxiliary, {input.dim(0), input.dim(1), std::nullopt}));
}

bool requireAuxiliaryWeights(const OpView& op, size_t weights, Dim units) {
    return !op.has(weights) ||
           requireDimensions(op, kShapes, weights, {units, op.input(kAuxiliary).dim(2)});
}

bool inferBidirectional(const OpView& op, std::span<Shape> outputs) {
    const Value& input = op.input(kInput);
    const auto merges = op.boolean(kMergeOutputs);
    const bool isMerged = rnn::isMerged(outputs.size());
    if (!requireRecurrentActivation(op, "rnn.activation", kBidirectionalActivation) ||
        !op.require(!merges || *merges == isMerged, "rnn.merge", "{} is {}, allowed {} for {}",
                    op.in(kMergeOutputs), !isMerged, isMerged, Plural{outputs.size(), "outputs"}) ||
        !requireRank(op, "rnn.rank", kInput, 3, 3) || !requireLinking(op)) {
        return false;
    }
    const Dim batches = batchesOf(input, op.boolean(kBidirectionalTimeMajor));
    const Dim forward = unitsOf(op, kForward);
    const Dim backward = unitsOf(op, kBackward);
    const bool isParallel = op.has(kAuxiliary) && !op.has(kBackwardAuxiliaryWeights);
    const Dim backwardInput = op.input(isParallel ? kAuxiliary : kInput).dim(2);
    if (!requireLayer(op, kForward, batches, input.dim(2)) ||
        !requireLayer(op, kBackward, batches, backwardInput) ||
        !requireAuxiliaryWeights(op, kForwardAuxiliaryWeights, forward) ||
        !requireAuxiliaryWeights(op, kBackwardAuxiliaryWeights, backward)) {
        return false;
    }

    outputs[0] = {input.dim(0), input.dim(1), forward};
    if (!isMerged) {
        outputs[1] = {input.dim(0), input.dim(1), backward};
    } else if (forward && backward) {
        if (!setSize(op, kShapes, 2, uint64_t{*forward} + *backward, outputs[0]->back())) {
            return false;
        }
    } else {
        outputs[0]->back() = std::nullopt;
    }
    if (outputs.size() > 2) {
        outputs[outputs.size() - 2] = {batches, forward};
        outputs[outputs.size() - 1] = {batches, backward};
    }
    return true;
}

}  // namespace
}  // namespace rnn

const OperationSpec specs::RNN{.type = OperationType::RNN,
                               .types = rnn::kStepTypes,
                               .forms = rnn::kStepForms,
                               .ruleTexts = rnn::kRules,
                               .inferShapes = rnn::inferStep};
const OperationSpec specs::UNIDIRECTIONAL_SEQUENCE_RNN{
        .type = OperationType::UNIDIRECTIONAL_SEQUENCE_RNN,
        .types = rnn::kSequenceTypes,
        .forms = rnn::kSequenceForms,
        .ruleTexts = rnn::kRules,
        .inferShapes = rnn::inferSequence};
const OperationSpec specs::BIDIRECTIONAL_SEQUENCE_RNN{
        .type = OperationType::BIDIRECTIONAL_SEQUENCE_RNN,
        .types = rnn::kSequenceTypes,
        .forms = rnn::kBidirectionalForms,
        .ruleTexts = rnn::kRules,
        .inferShapes = rnn::inferBidirectional};

}  // namespace nn::ops
