// Reads constant parameters of nodes: bounds of Clip, scales and zero points.
#pragma once

#include <cstdint>
#include <limits>
#include <optional>

#include "importers/onnx/graph.h"

namespace nn::onnx {

// The range that Clip limits its input to.
struct Bounds {
    float least = -std::numeric_limits<float>::infinity();
    float most = std::numeric_limits<float>::infinity();

    // The code of the FusedActivationFunc with these bounds; empty if there is none.
    std::optional<int32_t> activation() const;
};

// The bounds of a Clip; infinite where it has none. Empty if one is not a constant with one
// element.
std::optional<Bounds> boundsOf(const Graph& graph, const Node& clip);

// The scale and the zero point in inputs `scale` and `scale` + 1 of a node. Empty unless both are
// constant, the scales are finite and above 0, and the zero points of all channels are equal.
std::optional<Quantization> quantizationOf(const Graph& graph, const Node& node, size_t scale);

// The element type of the output of a QuantizeLinear.
ElementType quantizedType(const Graph& graph, const Node& node);

// The quantization that the readers of a value require; empty if none does, or if the budget is
// used up.
std::optional<Quantization> quantizationFromUse(const Graph& graph, ValueId id, Budget& budget);

// The elements as real numbers; empty for elements that are not integers.
std::optional<Constant> dequantized(const Constant& constant, const Quantization& quantization);

}  // namespace nn::onnx
