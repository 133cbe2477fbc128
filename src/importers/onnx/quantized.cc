// Operators on quantized tensors.
#include <fmt/format.h>

#include "base/plurals.h"
#include "importers/onnx/patterns.h"
#include "importers/onnx/rows.h"

namespace nn::onnx {
namespace {

bool isSmall(ElementType type) { return type == ElementType::UINT8 || type == ElementType::INT8; }

std::optional<Quantization> requireQuantization(Lowering& at, size_t scale) {
    auto quantization = quantizationOf(at.graph(), at.node(), scale);
    for (const size_t i : {scale, scale + 1}) {
        if (!quantization && at.has(i)) at.requireConstant(i);
    }
    if (!quantization && at.ok()) {
        at.refuse("", fmt::format("has no scale with one zero point as input {}", scale),
                  "constants: scales above 0, one zero point");
    }
    return quantization;
}

// Sets the quantization of an input to the constants of input `scale` and `scale` + 1; false after
// a refusal.
bool readWith(Lowering& at, size_t input, size_t scale, bool allowChannels) {
    if (!at.has(input)) return true;
    const auto quantization = requireQuantization(at, scale);
    if (!quantization) return false;
    const bool isValid = isSmall(at.in(input).type) ||
                         (at.in(input).type == ElementType::INT32 && at.in(input).constant);
    if (!isValid) {
        at.refuseType(input, "uint8, int8");
        return false;
    }
    if (quantization->isPerChannel() && !allowChannels) {
        at.refuse(input, "has scales for its channels", "one scale");
        return false;
    }
    return at.setInputQuantization(input, *quantization);
}

// The numbers of a quantized input and of its scale; the zero point follows the scale.
struct QuantizedInput {
    size_t value, scale;
};

// Requires that an attribute which names a type is absent or float.
void requireFloat(Lowering& at, std::string_view name) {
    const auto type = static_cast<ElementType>(at.integer(name, 0));
    if (type == ElementType::UNDEFINED || type == ElementType::FLOAT) return;
    at.refuse("", fmt::format("has {} {}", name, toString(type)), "float");
}

// Removes scales and zero points from the inputs, which become quantizations; false after a
// refusal. Input outputScale is the scale of the output. Only the value in input 3, a filter or
// second operand, may have scales for channels.
bool rewrite(Lowering& at, const std::vector<QuantizedInput>& inputs, size_t outputScale,
             std::optional<size_t> bias = {}) {
    std::vector<ValueId> values;
    for (const auto& [value, scale] : inputs) {
        if (!readWith(at, value, scale, value == 3)) return false;
        values.push_back(at.id(value));
    }
    const auto output = requireQuantization(at, outputScale);
    if (!output) return false;
    if (output->isPerChannel()) {
        at.refuse("", "has scales for channels of its output", "one scale");
        return false;
    }
    const size_t zeroPoint = outputScale + 1;
    const ElementType type = at.has(zeroPoint) ? at.in(zeroPoint).type : at.in(0).type;
    if (!isSmall(type)) {
        at.refuse(at.outputName(0), "is of " + toString(type), "uint8, int8");
        return false;
    }
    if (bias) values.push_back(at.has(*bias) ? at.id(*bias) : kNoValue);
    at.rewrite(std::move(values), type, *output);
    return at.ok();
}

// A bias has the scale of the input times that of the filter, whose channels are those of axis 0.
bool readBias(Lowering& at, size_t input, size_t data, size_t filter) {
    const auto first = quantizationOf(at.graph(), at.node(), data);
    auto product = quantizationOf(at.graph(), at.node(), filter);
    if (!at.has(input) || !first || !product) return true;
    product->scale *= first->scale;
    for (float& scale : product->channelScales) scale *= first->scale;
    product->zeroPoint = 0;
    product->channelAxis = 0;
    return at.setInputQuantization(input, *product);
}

}  // namespace

void lowerQuantizeLinear(Lowering& at, OperationType operation) {
    const auto quantization = requireQuantization(at, 1);
    const ElementType type = quantizedType(at.graph(), at.node());
    if (!isSmall(type)) at.refuse(at.outputName(0), "is of " + toString(type), "uint8, int8");
    if (quantization && quantization->isPerChannel()) {
        at.refuse(0, "is quantized with scales for its channels", "one scale");
    }
    at.require("block_size", at.integer("block_size", 0), 0);
    requireFloat(at, "precision");
    if (!at.ok()) return;
    const ValueId source = at.in(0).dequantizes;
    if (source != kNoValue && at.value(source).type == type &&
        at.value(source).quantization == quantization) {
        return at.alias(0, source);
    }
    const uint32_t input = at.operand(0);
    at.emit({operation, {input}, {at.define(0, type, at.dims(0), quantization)}});
}

// Adds no operation yet: one is added if something reads the real values.
void lowerDequantizeLinear(Lowering& at, OperationType) {
    at.require("block_size", at.integer("block_size", 0), 0);
    requireFloat(at, "output_dtype");
    if (!at.ok() || !readWith(at, 0, 1, at.in(0).constant.has_value())) return;
    const auto& quantization = at.in(0).quantization;
    if (quantization && quantization->isPerChannel() &&
        (quantization->channelAxis >= at.rank(0) ||
         quantization->channelScales.size() != at.dims(0)[quantization->channelAxis])) {
        return at.refuse(0, fmt::format("has {} scales", quantization->channelScales.size()),
                         "one for each channel");
    }
    at.dequantizeInto(0, at.id(0));
}

void lowerQLinearConv(Lowering& at, OperationType operation) {
    if (!readBias(at, 8, 1, 4) || !rewrite(at, {{0, 1}, {3, 4}}, 6, 8)) return;
    at.setChannelAxis(1, 0);
    lowerConv(at, operation);
}

void lowerQLinearMatMul(Lowering& at, OperationType operation) {
    if (rewrite(at, {{0, 1}, {3, 4}}, 6)) lowerMatMul(at, operation);
}

// QLinearAdd and QLinearMul
void lowerQLinearPair(Lowering& at, OperationType operation) {
    if (rewrite(at, {{0, 1}, {3, 4}}, 6)) lowerArithmetic(at, operation);
}

void lowerQLinearUnary(Lowering& at, OperationType operation) {
    if (rewrite(at, {{0, 1}}, 3)) lowerUnary(at, operation);
}

void lowerQLinearLeakyRelu(Lowering& at, OperationType operation) {
    if (rewrite(at, {{0, 1}}, 3)) lowerLeakyRelu(at, operation);
}

void lowerQLinearPool(Lowering& at, OperationType operation) {
    if (rewrite(at, {{0, 1}}, 3)) lowerPool(at, operation);
}

void lowerQLinearSoftmax(Lowering& at, OperationType operation) {
    if (!at.hasAttribute("opset")) at.refuse("", "has no opset", "that of a Softmax");
    if (!at.hasAttribute("axis")) at.refuse("", "has no axis", "an axis of its input");
    if (at.ok() && rewrite(at, {{0, 1}}, 3)) lowerSoftmax(at, operation);
}

// Scale and zero point of the output, then a value, its scale and its zero point for each input.
void lowerQLinearConcat(Lowering& at, OperationType operation) {
    std::vector<QuantizedInput> inputs;
    for (size_t i = 2; i < at.inputCount(); i += 3) inputs.push_back({i, i + 1});
    if (at.inputCount() % 3 == 0) {
        at.refuse("", fmt::format("has {}", Plural{at.inputCount(), "inputs"}),
                  "2, and 3 for each value");
    }
    if (at.ok() && rewrite(at, inputs, 0)) lowerConcat(at, operation);
}

}  // namespace nn::onnx
