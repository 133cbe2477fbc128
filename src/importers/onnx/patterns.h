// What nodes say with constants: bounds of Clip, scales and zero points.
#pragma once

#include <cstdint>
#include <limits>
#include <optional>

#include "importers/onnx/graph.h"

namespace nn::onnx {

// Between which values Clip leaves its input as it is.
struct Bounds {
    float least = -std::numeric_limits<float>::infinity();
    float most = std::numeric_limits<float>::infinity();

    // The FusedActivationFunc that does the same.
    std::optional<int32_t> activation() const;
};

// Of a Clip; empty where they are not constant real numbers.
std::optional<Bounds> boundsOf(const Graph& graph, const Node& clip);

// The scale and the zero point that inputs `scale` and `scale` + 1 of a node state. Empty where
// they are not constant, or no quantisation: scales are above 0 and finite.
std::optional<Quantization> quantizationOf(const Graph& graph, const Node& node, size_t scale);

// The type that a QuantizeLinear gives.
ElementType quantizedType(const Graph& graph, const Node& node);

// The quantization of a value that its readers need; empty if there is none.
std::optional<Quantization> quantizationFromUse(const Graph& graph, ValueId id, Budget& budget);

// The elements as real numbers; empty for other elements than integers.
std::optional<Constant> dequantized(const Constant& constant, const Quantization& quantization);

}  // namespace nn::onnx
