#include "importers/onnx/patterns.h"

#include <absl/algorithm/container.h>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <utility>

#include "importers/onnx/shapes.h"

namespace nn::onnx {
namespace {

const Constant* constantAt(const Graph& graph, const Node& node, size_t input) {
    if (input >= node.inputs.size() || node.inputs[input] == kNoValue) return nullptr;
    const auto& constant = graph[node.inputs[input]].constant;
    return constant ? &*constant : nullptr;
}

bool isGiven(const Node& node, size_t input) {
    return input < node.inputs.size() && node.inputs[input] != kNoValue;
}

// One end of Clip: an attribute in old operator sets, then an input. False where it is computed.
bool readBound(const Graph& graph, const Node& clip, std::string_view attribute, size_t input,
               float& bound) {
    for (const AttributeMessage& given : clip.message->attributes) {
        if (given.name == attribute && given.real) bound = *given.real;
    }
    if (!isGiven(clip, input)) return true;
    const Constant* constant = constantAt(graph, clip, input);
    if (constant == nullptr || constant->count() != 1) return false;  // and is cheap to read
    if (const auto reals = constant->floats()) {
        bound = reals->front();
    } else if (const auto integers = constant->integers()) {
        bound = static_cast<float>(integers->front());
    }
    return true;
}

// Zero points of channels must be equal.
bool readZeroPoint(const Constant& constant, int32_t& zeroPoint) {
    std::optional<int64_t> first;
    bool isSame = true;
    constant.forEachInteger([&](int64_t value) {
        if (!first) first = value;
        isSame &= value == *first;
    });
    if (!first || !isSame || !std::in_range<int32_t>(*first)) return false;
    zeroPoint = static_cast<int32_t>(*first);
    return true;
}

int64_t axisAttribute(const Node& node) {
    for (const AttributeMessage& attribute : node.message->attributes) {
        if (attribute.name == "axis" && attribute.integer) return *attribute.integer;
    }
    return 1;
}

}  // namespace

std::optional<int32_t> Bounds::activation() const {
    if (least == 0 && most == std::numeric_limits<float>::infinity()) return 1;
    if (least == -1 && most == 1) return 2;
    if (least == 0 && most == 6) return 3;
    return std::nullopt;
}

std::optional<Bounds> boundsOf(const Graph& graph, const Node& clip) {
    Bounds bounds;
    if (!readBound(graph, clip, "min", 1, bounds.least) ||
        !readBound(graph, clip, "max", 2, bounds.most)) {
        return std::nullopt;
    }
    // The largest float is the default of old operator sets.
    constexpr float kLargest = std::numeric_limits<float>::max();
    if (bounds.most == kLargest) bounds.most = std::numeric_limits<float>::infinity();
    if (bounds.least == -kLargest) bounds.least = -std::numeric_limits<float>::infinity();
    return bounds;
}

std::optional<Quantization> quantizationOf(const Graph& graph, const Node& node, size_t scale) {
    const Constant* scales = constantAt(graph, node, scale);
    if (scales == nullptr) return std::nullopt;
    std::optional<std::vector<float>> values = scales->floats();
    if (!values || values->empty() ||
        !absl::c_all_of(*values, [](float value) { return value > 0 && std::isfinite(value); })) {
        return std::nullopt;
    }
    Quantization quantization;
    if (isGiven(node, scale + 1)) {
        const Constant* zeroPoint = constantAt(graph, node, scale + 1);
        if (zeroPoint == nullptr || !readZeroPoint(*zeroPoint, quantization.zeroPoint)) {
            return std::nullopt;
        }
    }
    if (values->size() == 1) {
        quantization.scale = values->front();
        return quantization;
    }
    const size_t rank = isGiven(node, 0) ? graph[node.inputs[0]].dimensions.size() : 0;
    const int64_t axis = axisAttribute(node);
    quantization.channelAxis =
            static_cast<uint32_t>(axis < 0 ? axis + static_cast<int64_t>(rank) : axis);
    quantization.channelScales = *std::move(values);
    return quantization;
}

ElementType quantizedType(const Graph& graph, const Node& node) {
    if (isGiven(node, 2)) return graph[node.inputs[2]].type;
    for (const AttributeMessage& attribute : node.message->attributes) {
        if (attribute.name == "output_dtype" && attribute.integer.value_or(0) != 0) {
            return static_cast<ElementType>(static_cast<int32_t>(*attribute.integer));
        }
    }
    return ElementType::UINT8;
}

std::optional<Quantization> quantizationFromUse(const Graph& graph, ValueId id, Budget& budget) {
    // Operators that are refused let go of operands, which others make again.
    if (!budget.spendReading(graph[id].consumers.size(), 8)) return std::nullopt;
    const Node* before = nullptr;
    for (const uint32_t consumer : graph[id].consumers) {
        const Node& node = graph.nodes[consumer];
        // A node that reads it several times is looked at once: graphs inside each other would
        // multiply.
        if (std::exchange(before, &node) == &node) continue;
        for (const auto& [attribute, inner] : node.graphs) {
            for (const Capture& capture : inner.capturesOf(id)) {
                auto found = quantizationFromUse(*inner.graph, capture.inner, budget);
                if (found) return found;
            }
        }
        const std::string_view type = node.message->type;
        if (type != "DequantizeLinear" && !type.starts_with("QLinear")) continue;
        const size_t first = type == "QLinearConcat" ? 2 : 0;
        if (!budget.spendReading(node.inputs.size(), 8)) return std::nullopt;
        for (size_t input = first; input < node.inputs.size(); input += 3) {
            if (!isGiven(node, input) || node.inputs[input] != id) continue;
            const Constant* scale = constantAt(graph, node, input + 1);
            if (scale == nullptr || scale->count() != 1) continue;
            auto found = quantizationOf(graph, node, input + 1);
            if (found && !found->isPerChannel()) return found;
        }
    }
    return std::nullopt;
}

std::optional<Constant> dequantized(const Constant& constant, const Quantization& quantization) {
    const auto shape = Shape::of(constant.dimensions, constant.dimensions.size());
    if (!shape) return std::nullopt;
    const size_t axis = quantization.channelAxis;
    // Elements in a row that have one scale.
    const size_t inner = axis < shape->rank() ? std::max<size_t>(shape->strides()[axis], 1) : 1;
    std::vector<uint8_t> bytes(constant.count() * sizeof(float));
    size_t i = 0;
    const bool isInteger = constant.forEachInteger([&](int64_t element) {
        const auto& scales = quantization.channelScales;
        const float scale = scales.empty() ? quantization.scale : scales[i / inner % scales.size()];
        const float value = static_cast<float>(element - quantization.zeroPoint) * scale;
        std::memcpy(bytes.data() + i++ * sizeof(float), &value, sizeof(float));
    });
    if (!isInteger) return std::nullopt;
    return makeConstant(ElementType::FLOAT, constant.dimensions, std::move(bytes));
}

}  // namespace nn::onnx
