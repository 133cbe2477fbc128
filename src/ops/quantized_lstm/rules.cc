#include "op_support/rules/dimensions.h"
#include "op_support/rules/recurrent_rules.h"
#include "op_support/rules/requirements.h"
#include "op_support/rules/shapes.h"
#include "op_support/rules/specs.h"
#include "ops/quantized_lstm/signature.h"

namespace nn::ops {
namespace quantized_lstm {
namespace {

// In a cell without an input gate, 1 - forget gate replaces it.
bool isCoupled(const OpView& op) { return !op.has(kInputWeights + kInputGate); }

// Checks which inputs are present together.
bool requireGroups(const OpView& op) {
    constexpr std::string_view kPeephole = "quantized_lstm.peephole";
    constexpr std::string_view kNorm = "quantized_lstm.layer_norm";
    return requireTogether(op, "quantized_lstm.input_gate",
                           {kInputWeights + kInputGate, kRecurrentWeights + kInputGate,
                            kBias + kInputGate}) &&
           requireTogether(op, kPeephole, {kPeepholeToForget, kPeepholeToOutput}) &&
           (isCoupled(op)
                    ? requireWith(op, kPeephole, kPeepholeToInput, kPeepholeToForget)
                    : requireTogether(op, kPeephole, {kPeepholeToInput, kPeepholeToForget})) &&
           requireTogether(op, kNorm,
                           {kNormWeights + kForgetGate, kNormWeights + kCellGate,
                            kNormWeights + kOutputGate}) &&
           (isCoupled(op)
                    ? requireWith(op, kNorm, kNormWeights + kInputGate, kInputWeights + kInputGate)
                    : requireTogether(op, kNorm,
                                      {kNormWeights + kInputGate, kNormWeights + kForgetGate}));
}

// The sizes of the cell, as far as they are known.
struct Sizes {
    Dim batches;
    Dim input;
    Dim cells;
    Dim output;
};

Sizes sizesOf(const OpView& op) {
    const auto dim = [&](size_t input, size_t i) { return op.input(input).dim(i); };
    return {.batches = firstKnown({dim(kInput, 0), dim(kOutputState, 0), dim(kCellState, 0)}),
            .input = firstKnown({dim(kInput, 1), dim(kInputWeights + kOutputGate, 1)}),
            .cells = firstKnown({dim(kInputWeights + kOutputGate, 0), dim(kCellState, 1)}),
            .output = firstKnown({dim(kRecurrentWeights + kOutputGate, 1), dim(kOutputState, 1)})};
}

bool requireIfGiven(const OpView& op, size_t input, std::initializer_list<Dim> allowed) {
    return !op.has(input) || requireDimensions(op, "quantized_lstm.shapes", input, allowed);
}

bool requireShapes(const OpView& op, const Sizes& sizes) {
    for (size_t gate = 0; gate < kGates; ++gate) {
        if (!requireIfGiven(op, kInputWeights + gate, {sizes.cells, sizes.input}) ||
            !requireIfGiven(op, kRecurrentWeights + gate, {sizes.cells, sizes.output}) ||
            !requireIfGiven(op, kBias + gate, {sizes.cells}) ||
            !requireIfGiven(op, kNormWeights + gate, {sizes.cells})) {
            return false;
        }
    }
    return requireIfGiven(op, kInput, {sizes.batches, sizes.input}) &&
           requireIfGiven(op, kPeepholeToInput, {sizes.cells}) &&
           requireIfGiven(op, kPeepholeToForget, {sizes.cells}) &&
           requireIfGiven(op, kPeepholeToOutput, {sizes.cells}) &&
           requireIfGiven(op, kProjectionWeights, {sizes.output, sizes.cells}) &&
           requireIfGiven(op, kProjectionBias, {sizes.output}) &&
           requireIfGiven(op, kOutputState, {sizes.batches, sizes.output}) &&
           requireIfGiven(op, kCellState, {sizes.batches, sizes.cells}) &&
           (op.has(kProjectionWeights) ||
            requireSameDim(op, "quantized_lstm.shapes", kOutputState, 1, kCellState, 1));
}

bool requireScales(const OpView& op) {
    constexpr std::string_view kScale = "quantized_lstm.scale";
    for (size_t gate = isCoupled(op) ? kForgetGate : kInputGate; gate < kGates; ++gate) {
        if (!requirePositive(op, kScale, kGateScale + gate)) return false;
    }
    const Value& cell = op.input(kCellState);
    const auto exponent = powerOfTwo(cell.scale);
    return requirePositive(op, kScale, kHiddenScale) &&
           op.require(exponent && *exponent >= -15 && *exponent <= -9,
                      "quantized_lstm.quantization",
                      "{} has scale {}, allowed powers of 2 from 2^-15 to 2^-9", op.in(kCellState),
                      cell.scale) &&
           requireSameQuantization(op, "quantized_lstm.quantization", kOutputState,
                                   kOutputStateOut) &&
           requireSameQuantization(op, "quantized_lstm.quantization", kCellState, kCellStateOut) &&
           requireSameQuantization(op, "quantized_lstm.quantization", kOutputState, kOutput);
}

bool inferShapes(const OpView& op, std::span<Shape> outputs) {
    const Sizes sizes = sizesOf(op);
    outputs[kOutputStateOut] = outputs[kOutput] = {sizes.batches, sizes.output};
    outputs[kCellStateOut] = {sizes.batches, sizes.cells};
    return requireGroups(op) && requireShapes(op, sizes) && requireScales(op);
}

}  // namespace
}  // namespace quantized_lstm

const OperationSpec specs::QUANTIZED_LSTM{.type = OperationType::QUANTIZED_LSTM,
                                          .types = {},
                                          .forms = quantized_lstm::kForms,
                                          .ruleTexts = quantized_lstm::kRules,
                                          .inferShapes = quantized_lstm::inferShapes};

}  // namespace nn::ops
