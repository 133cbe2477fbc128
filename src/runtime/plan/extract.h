// Extracts operations of a model into a model of their own.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "nnapi/result.h"
#include "nnapi/types.h"

namespace nn::runtime {

struct Part {
    Model model{};
    // The operands of the graph that are the inputs and outputs of the model, in their order.
    std::vector<uint32_t> inputs{};
    std::vector<uint32_t> outputs{};
};

// The operands that connect the groups of operations of one graph.
struct Boundary {
    // `group` has the number of the group of each operation.
    Boundary(const Model::Subgraph& graph, std::span<const size_t> group);

    static constexpr uint32_t kNowhere = UINT32_MAX;
    std::vector<bool> isReadElsewhere{};  // by operand: outside of the group that computes it
    std::vector<uint32_t> inputPlace{};   // by operand: in the list of inputs
    std::vector<uint32_t> outputPlace{};  // by operand: in the list of outputs
};

// The inputs are, in order, inputs of the graph, temporaries, and outputs of the graph that other
// operations compute. The outputs are those of the graph, then temporaries that other operations
// read. Constants in pools and behind pointers are shared. Linear in the operations and their
// operands.
//   graph        of the model: its main graph, or one of its referenced ones
//   operations   a group, in an order of execution
Result<Part> extract(const Model& model, const Model::Subgraph& graph, const Boundary& boundary,
                     std::span<const uint32_t> operations);

// The graph with all its operations.
Result<Model> extractGraph(const Model& model, const Model::Subgraph& graph);

}  // namespace nn::runtime
