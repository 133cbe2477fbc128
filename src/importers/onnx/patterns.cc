#include "importers/onnx/patterns.h"

#include <absl/algorithm/container.h>

#include <cmath>
#include <utility>

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
    if (constant == nullptr || constant->count() != 1) return false;
    if (const auto reals = constant->floats()) {
        bound = reals->front();
    } else if (const auto integers = constant->integers()) {
        bound = static_cast<float>(integers->front());
    }
    return true;
}

// Zero points of channels must be equal.
bool readZeroPoint(const Constant& constant, int32_t& zeroPoint) {
    const auto values = constant.integers();
    if (!values || values->empty() || !absl::c_all_of(*values, [&](int64_t value) {
            return value == values->front() && std::in_range<int32_t>(value);
        })) {
        return false;
    }
    zeroPoint = static_cast<int32_t>(values->front());
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

std::optional<Quantization> quantizationFromUse(const Graph& graph, ValueId id) {
    const Node* before = nullptr;
    for (const uint32_t consumer : graph[id].consumers) {
        const Node& node = graph.nodes[consumer];
        // A node that reads it several times is looked at once: graphs inside each other would
        // multiply.
        if (std::exchange(before, &node) == &node) continue;
        for (const auto& [attribute, inner] : node.graphs) {
            for (const Graph::Capture& capture : inner->captures) {
                if (capture.outer != id) continue;
                if (auto found = quantizationFromUse(*inner, capture.inner)) return found;
            }
        }
        const std::string_view type = node.message->type;
        if (type != "DequantizeLinear" && !type.starts_with("QLinear")) continue;
        for (const size_t input : {0, 3}) {
            if (!isGiven(node, input) || node.inputs[input] != id) continue;
            auto found = quantizationOf(graph, node, input + 1);
            if (found && !found->isPerChannel()) return found;
        }
    }
    return std::nullopt;
}

std::vector<float> dequantized(const std::vector<int64_t>& elements, const Dimensions& dimensions,
                               const Quantization& quantization) {
    size_t inner = 1;
    for (size_t i = quantization.channelAxis + size_t{1}; i < dimensions.size(); ++i) {
        inner *= dimensions[i];
    }
    std::vector<float> values;
    values.reserve(elements.size());
    for (size_t i = 0; i < elements.size(); ++i) {
        const float scale =
                quantization.isPerChannel()
                        ? quantization.channelScales[i / inner % quantization.channelScales.size()]
                        : quantization.scale;
        values.push_back(static_cast<float>(elements[i] - quantization.zeroPoint) * scale);
    }
    return values;
}

}  // namespace nn::onnx
