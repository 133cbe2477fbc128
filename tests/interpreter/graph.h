// Models to execute, operand by operand, and their values.
//
//   MainGraph main;
//   const auto x = main.input(TENSOR_FLOAT32, {2});
//   main.add(OperationType::ADD, {x, x, main.scalar(0)}, {main.output(TENSOR_FLOAT32, {2})});
//   const Model model = main.build();
#pragma once

#include <cstring>
#include <vector>

#include "nnapi/tensor.h"
#include "nnapi/types.h"

namespace nn {

using enum OperandType;
using LifeTime = Operand::LifeTime;

class Graph {
   public:
    explicit Graph(Model& model) : mModel(model) {}

    uint32_t input(OperandType type, std::vector<uint32_t> dimensions) {
        graph.inputIndexes.push_back(
                operand(type, std::move(dimensions), LifeTime::SUBGRAPH_INPUT));
        return graph.inputIndexes.back();
    }
    uint32_t output(OperandType type, std::vector<uint32_t> dimensions) {
        graph.outputIndexes.push_back(
                operand(type, std::move(dimensions), LifeTime::SUBGRAPH_OUTPUT));
        return graph.outputIndexes.back();
    }
    uint32_t temporary(OperandType type, std::vector<uint32_t> dimensions) {
        return operand(type, std::move(dimensions), LifeTime::TEMPORARY_VARIABLE);
    }
    template <class E>
    uint32_t constant(OperandType type, std::vector<uint32_t> dimensions,
                      const std::vector<E>& values) {
        const uint32_t index = operand(type, std::move(dimensions), LifeTime::CONSTANT_COPY);
        graph.operands[index].location =
                *mModel.operandValues.append(values.data(), values.size() * sizeof(E));
        return index;
    }
    uint32_t scalar(int32_t value) { return constant<int32_t>(INT32, {}, {value}); }
    uint32_t scalar(float value) { return constant<float>(FLOAT32, {}, {value}); }
    uint32_t subgraph(uint32_t referenced) {
        const uint32_t index = operand(SUBGRAPH, {}, LifeTime::SUBGRAPH);
        graph.operands[index].location.offset = referenced;
        return index;
    }
    void add(OperationType type, std::vector<uint32_t> inputs, std::vector<uint32_t> outputs) {
        graph.operations.push_back(
                {.type = type, .inputs = std::move(inputs), .outputs = std::move(outputs)});
    }

    Model::Subgraph graph;

   private:
    uint32_t operand(OperandType type, std::vector<uint32_t> dimensions, LifeTime lifetime) {
        graph.operands.push_back(
                {.type = type, .dimensions = std::move(dimensions), .lifetime = lifetime});
        return static_cast<uint32_t>(graph.operands.size() - 1);
    }

    Model& mModel;
};

struct NewModel {
    Model model{};
};

// The main graph of a new model, to which other graphs may be added.
class MainGraph : public NewModel, public Graph {
   public:
    MainGraph() : Graph(model) {}

    // Call once.
    Model build() {
        model.main = std::move(graph);
        return std::move(model);
    }
};

template <class E>
Tensor tensorOf(std::vector<uint32_t> dimensions, const std::vector<E>& values) {
    Tensor tensor{.dimensions = std::move(dimensions)};
    tensor.data.resize(values.size() * sizeof(E));
    if (!values.empty()) std::memcpy(tensor.data.data(), values.data(), tensor.data.size());
    return tensor;
}
template <class E>
Tensor tensorOf(const std::vector<E>& values) {
    return tensorOf({static_cast<uint32_t>(values.size())}, values);
}
inline Tensor floats(std::vector<uint32_t> dimensions, const std::vector<float>& values) {
    return tensorOf(std::move(dimensions), values);
}
inline Tensor ints(std::vector<uint32_t> dimensions, const std::vector<int32_t>& values) {
    return tensorOf(std::move(dimensions), values);
}
inline Tensor bools(std::vector<uint32_t> dimensions, const std::vector<uint8_t>& values) {
    return tensorOf(std::move(dimensions), values);
}

}  // namespace nn
