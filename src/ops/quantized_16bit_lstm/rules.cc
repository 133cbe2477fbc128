#include "op_support/rules/dimensions.h"
#include "op_support/rules/recurrent_rules.h"
#include "op_support/rules/shapes.h"
#include "op_support/rules/specs.h"
#include "ops/quantized_16bit_lstm/signature.h"

namespace nn::ops {
namespace quantized_16bit_lstm {
namespace {

bool requireShapes(const OpView& op, Dim batches, Dim inputSize, Dim outputSize) {
    constexpr std::string_view kShapes = "quantized_16bit_lstm.shapes";
    for (size_t gate = 0; gate < kGates; ++gate) {
        if (!requireDimensions(op, kShapes, kInputWeights + gate, {outputSize, inputSize}) ||
            !requireDimensions(op, kShapes, kRecurrentWeights + gate, {outputSize, outputSize}) ||
            !requireDimensions(op, kShapes, kBias + gate, {outputSize})) {
            return false;
        }
    }
    return requireDimensions(op, kShapes, kInput, {batches, inputSize}) &&
           requireDimensions(op, kShapes, kCellState, {batches, outputSize}) &&
           requireDimensions(op, kShapes, kPreviousOutput, {batches, outputSize});
}

// Requires this scale and this zero point of an input.
bool requireScale(const OpView& op, size_t input, float scale, int32_t zeroPoint) {
    const Value& value = op.input(input);
    return op.require(value.scale == scale && value.zeroPoint == zeroPoint,
                      "quantized_16bit_lstm.quantization",
                      "{} has scale {} and zeroPoint {}, allowed {} and {}", op.in(input),
                      value.scale, value.zeroPoint, scale, zeroPoint);
}

bool requireScales(const OpView& op) {
    const Value& weights = op.input(kInputWeights);
    for (size_t gate = 0; gate < kGates; ++gate) {
        if (!requireScale(op, kInputWeights + gate, weights.scale, weights.zeroPoint) ||
            !requireScale(op, kRecurrentWeights + gate, weights.scale, weights.zeroPoint) ||
            !requireScale(op, kBias + gate, weights.scale / 128, 0)) {
            return false;
        }
    }
    const Value& cell = op.input(kCellState);
    return requireScale(op, kInput, 1.0f / 128, 128) &&
           requireScale(op, kPreviousOutput, 1.0f / 128, 128) &&
           op.require(powerOfTwo(cell.scale) == -11, "quantized_16bit_lstm.quantization",
                      "{} has scale {}, allowed {}", op.in(kCellState), cell.scale, 0x1p-11f) &&
           requireSameQuantization(op, "quantized_16bit_lstm.quantization", kCellState,
                                   kCellStateOut) &&
           requireSameQuantization(op, "quantized_16bit_lstm.quantization", kPreviousOutput,
                                   kOutput);
}

bool inferShapes(const OpView& op, std::span<Shape> outputs) {
    const Dim batches = firstKnown({op.input(kInput).dim(0), op.input(kCellState).dim(0),
                                    op.input(kPreviousOutput).dim(0)});
    const Dim inputSize = firstKnown({op.input(kInput).dim(1), op.input(kInputWeights).dim(1)});
    const Dim outputSize = firstKnown(
            {op.input(kInputWeights).dim(0), op.input(kBias).dim(0), op.input(kCellState).dim(1)});
    outputs[kCellStateOut] = outputs[kOutput] = {batches, outputSize};
    return requireShapes(op, batches, inputSize, outputSize) && requireScales(op);
}

}  // namespace
}  // namespace quantized_16bit_lstm

const OperationSpec specs::QUANTIZED_16BIT_LSTM{.type = OperationType::QUANTIZED_16BIT_LSTM,
                                                .types = {},
                                                .forms = quantized_16bit_lstm::kForms,
                                                .ruleTexts = quantized_16bit_lstm::kRules,
                                                .inferShapes = quantized_16bit_lstm::inferShapes};

}  // namespace nn::ops
