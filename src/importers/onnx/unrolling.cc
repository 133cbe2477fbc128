#include "importers/onnx/unrolling.h"

#include <absl/algorithm/container.h>

#include <span>

namespace nn::onnx {

bool isCondition(const Value& value) {
    return value.constant && value.type == ElementType::BOOL && value.constant->count() == 1;
}

namespace {

bool isTrue(const Value& value) { return isCondition(value) && value.constant->bytes[0] != 0; }

// True if the body gives the condition that it gets, or a constant that is true.
bool alwaysGoesOn(const Graph& body) {
    ValueId id = body.outputs[0];
    while (id != kNoValue && body[id].producer) {
        const Node& node = body.nodes[*body[id].producer];
        if (node.message->type != "Identity" || node.inputs.size() != 1) return false;
        id = node.inputs[0];
    }
    return id != kNoValue && (id == body.inputs[1] || isTrue(body[id]));
}

}  // namespace

bool collectsConstantTrips(const Graph& outer, const Node& node) {
    constexpr size_t kTrips = 0, kCondition = 1, kFirst = 2;
    const auto body = node.graphs.find("body");
    const size_t inputs = node.message->inputs.size();
    if (node.message->type != "Loop" || body == node.graphs.end() || inputs < kFirst) return false;
    const Graph& graph = *body->second.graph;
    const size_t carried = inputs - kFirst;
    if (graph.inputs.size() != inputs || graph.outputs.size() != node.outputs.size() + 1 ||
        node.outputs.size() <= carried) {
        return false;
    }
    if (absl::c_count(std::span(node.inputs).subspan(kFirst, carried), kNoValue) > 0) return false;
    const ValueId trips = node.inputs[kTrips], condition = node.inputs[kCondition];
    if (trips == kNoValue || !outer[trips].constant || outer[trips].type != ElementType::INT64 ||
        outer[trips].constant->count() != 1) {
        return false;
    }
    return (condition == kNoValue || isTrue(outer[condition])) && alwaysGoesOn(graph);
}

}  // namespace nn::onnx
