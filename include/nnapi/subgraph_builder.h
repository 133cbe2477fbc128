// nnapi/subgraph_builder.h -- Builds a graph of a model, operand by operand.
//
//   using enum nn::OperandType;
//   nn::Model model;
//   nn::SubgraphBuilder graph(model);
//   const nn::Operand two = {.type = TENSOR_FLOAT32, .dimensions = {1, 2}};
//   const nn::Operand one = {.type = TENSOR_FLOAT32, .dimensions = {1}};
//   const auto x = graph.input(two), weights = graph.constant<float>(two, {2, 3});
//   const auto bias = graph.constant<float>(one, {0.5});
//   const auto y = graph.output({.type = TENSOR_FLOAT32, .dimensions = {1, 1}});
//   graph.add(nn::OperationType::FULLY_CONNECTED, {x, weights, bias, graph.scalar(0)}, {y});
//   model.main = std::move(graph.graph);
//
// It checks nothing: nn::validate(model) does. A model that it built has operands and operations in
// the order of the calls. One thread at a time.
#pragma once

#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

#include "nnapi/types.h"

namespace nn {

// One graph of a model in the making. Not thread-safe.
class SubgraphBuilder {
   public:
    // Constants are appended to the model's operandValues. The model must outlive the builder.
    explicit SubgraphBuilder(Model& model) : mModel(model) {}

    // These add an operand, and return its index in the graph.
    uint32_t input(Operand operand);      // in the order of Subgraph::inputIndexes
    uint32_t output(Operand operand);     // in the order of Subgraph::outputIndexes
    uint32_t temporary(Operand operand);  // between two operations

    // A constant with these elements, whose type must be the one that the operand's type stores.
    // Without value once the model has 2^32 - 1 bytes of constants, which validation refuses.
    template <class E>
    uint32_t constant(Operand operand, const std::vector<E>& values) {
        return constant(std::move(operand), values.data(), values.size() * sizeof(E));
    }
    uint32_t constant(Operand operand, const void* data, size_t length);
    uint32_t scalar(int32_t value);  // INT32, such as an activation
    uint32_t scalar(float value);    // FLOAT32
    uint32_t scalar(bool value);     // BOOL

    // The graph model.referenced[index], for IF and WHILE.
    uint32_t subgraph(uint32_t index);

    // Adds an operation, whose inputs exist or are written by earlier operations.
    void add(OperationType type, std::vector<uint32_t> inputs, std::vector<uint32_t> outputs);

    // The graph so far, to move into Model::main or Model::referenced.
    Model::Subgraph graph{};

   private:
    uint32_t add(Operand operand, Operand::LifeTime lifetime);

    Model& mModel;
};

}  // namespace nn
