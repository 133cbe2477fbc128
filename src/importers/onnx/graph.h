// The graph of an .onnx file with its names resolved: values, and the nodes that compute them.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include "base/untrusted_text.h"
#include "importers/onnx/budget.h"
#include "importers/onnx/constant.h"
#include "importers/onnx/file.h"
#include "importers/onnx/operators.h"
#include "nnapi/result.h"
#include "nnapi/tensor.h"
#include "nnapi/types.h"

namespace nn::onnx {

using ValueId = uint32_t;
inline constexpr ValueId kNoValue = UINT32_MAX;  // an omitted input or output

// What the 8 bits of elements stand for.
struct Quantization {
    float scale = 1;
    int32_t zeroPoint = 0;
    // One for each index of an axis; the zero point is then that of all. Empty: `scale` is.
    std::vector<float> channelScales{};
    uint32_t channelAxis = 0;

    bool isPerChannel() const { return !channelScales.empty(); }
    bool operator==(const Quantization&) const = default;
};

// A tensor of the graph, and what became of it.
struct Value {
    UntrustedView name{};

    bool isKnown = false;  // type and dimensions are
    ElementType type = ElementType::UNDEFINED;
    Dimensions dimensions{};  // as in the file: empty for a scalar

    std::optional<Constant> constant{};
    std::optional<Quantization> quantization{};
    ValueId dequantizes = kNoValue;     // the quantized value that it dequantizes
    std::optional<uint32_t> operand{};  // once it is part of the model

    std::vector<uint32_t> consumers{};  // nodes, once for each input
    std::optional<uint32_t> producer{};
    bool isOutput = false;
    bool isInput = false;
    bool isInitializer = false;  // constant, unless NNAPI has no such elements

    void describe(ElementType newType, Dimensions newDimensions);
    void setConstant(Constant newConstant);
};

// Of a graph inside of a node: a value that it reads of the one around it.
struct Capture {
    ValueId outer, inner;
};

// A graph inside of a node. Copies of the node share the graph, and have captures of their own.
struct InnerGraph {
    std::shared_ptr<const Graph> graph{};
    std::vector<Capture> captures{};  // in the order of the outer values

    // Those of one outer value.
    std::span<const Capture> capturesOf(ValueId outer) const;
};

struct Node {
    const NodeMessage* message = nullptr;
    const OperatorRow* row = nullptr;  // null: an operator without a row
    uint32_t position = 0;             // in the graph of the file
    // Those of the message; behind its inputs, what the graphs inside of the node read.
    std::vector<ValueId> inputs{}, outputs{};
    std::map<std::string_view, InnerGraph> graphs{};  // by attribute
    bool isFolded = false;                            // into a node before it
    bool isUnread = false;                            // no output of the graph depends on it
    bool isReplaced = false;  // by the nodes of a graph inside: the outputs are names of the inputs
};

struct Graph {
    std::vector<Value> values{};
    std::vector<Node> nodes{};                 // one behind those that compute what it reads
    std::vector<ValueId> inputs{}, outputs{};  // inputs without initializers
    int64_t version = 0;                       // of the operator set
    const Functions* functions = nullptr;      // of the file

    Value& operator[](ValueId id) { return values[id]; }
    const Value& operator[](ValueId id) const { return values[id]; }
};

// Shapes and values of the caller, which replace those of the file.
struct GraphInputs {
    const std::map<std::string, Dimensions>& shapes;
    const std::map<std::string, Tensor>& values;
};

// Resolves names, and sorts nodes, which may have any order in the file. INVALID_ARGUMENT where a
// node reads what nothing computes, or what is computed from its own results, where two compute the
// same, and for options that name no input.
Result<Graph> resolve(const FileMessage& file, const GraphInputs& given, ExternalFiles& files,
                      const Limits& limits);

// Adds the nodes of a graph that is inside of a node, behind all others. Its inputs are the
// arguments; returns its outputs. RESOURCE_EXHAUSTED_PERSISTENT beyond the budget, and beyond the
// limits of operands and operations.
Result<std::vector<ValueId>> splice(Graph& graph, const InnerGraph& inner,
                                    std::span<const ValueId> arguments, Budget& budget);

// Adds an operator that the file does not have, and returns what it computes. The message stays
// with the caller.
ValueId addNode(Graph& graph, const NodeMessage& message, std::vector<ValueId> inputs);
ValueId addConstant(Graph& graph, Constant constant);

}  // namespace nn::onnx
