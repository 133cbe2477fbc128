// Which operators with graphs inside are replaced by the nodes of these.
#pragma once

#include "importers/onnx/graph.h"

namespace nn::onnx {

// True for a constant bool of one element.
bool isCondition(const Value& value);

// True for a Loop with outputs that collect a value of each iteration, whose iterations are counted
// by a constant alone.
bool collectsConstantTrips(const Graph& graph, const Node& node);

}  // namespace nn::onnx
