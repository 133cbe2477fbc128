// Models to execute, operand by operand, and what tests say of an answer.
//
//   Model model;
//   Graph main(model);
//   const auto x = main.input(TENSOR_FLOAT32, {2});
//   main.add(OperationType::ADD, {x, x, main.scalar(0)}, {main.output(TENSOR_FLOAT32, {2})});
//   model.main = main.graph;
#pragma once

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstring>
#include <string>
#include <vector>

#include "nnapi/interpreter.h"
#include "nnapi/print.h"

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

template <class E>
Tensor tensorOf(std::vector<uint32_t> dimensions, const std::vector<E>& values) {
    Tensor tensor{.dimensions = std::move(dimensions)};
    tensor.data.resize(values.size() * sizeof(E));
    if (!values.empty()) std::memcpy(tensor.data.data(), values.data(), tensor.data.size());
    return tensor;
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

// An argument in the caller's memory.
inline Request::Argument pointerTo(void* data, size_t length,
                                   std::vector<uint32_t> dimensions = {}) {
    return {.lifetime = Request::Argument::LifeTime::POINTER,
            .location = {.pointer = data, .length = static_cast<uint32_t>(length)},
            .dimensions = std::move(dimensions)};
}
template <class E>
Request::Argument pointerTo(std::vector<E>& values, std::vector<uint32_t> dimensions = {}) {
    return pointerTo(values.data(), values.size() * sizeof(E), std::move(dimensions));
}

inline const Status& statusOf(const Status& status) { return status; }
inline const Status& statusOf(const ExecutionResult& result) { return result.status; }
template <class T>
const Status& statusOf(const Result<T>& result) {
    return result.status();
}

// Fails with exactly that code and message.
MATCHER_P2(Fails, code, message, "fails with " + toString(code) + " and " + message) {
    const Status& status = statusOf(arg);
    *result_listener << toString(errorStatus(status)) << " " << std::string(status.message());
    return !status.ok() && errorStatus(status) == code && std::string(status.message()) == message;
}

MATCHER(Succeeds, "succeeds") {
    *result_listener << std::string(statusOf(arg).message());
    return statusOf(arg).ok();
}

// Runs and gives exactly these values.
inline void expectRuns(const Model& model, const std::vector<Tensor>& inputs,
                       const std::vector<Tensor>& outputs, const ExecuteOptions& options = {},
                       const PrepareOptions& prepareOptions = {}) {
    const Result<PreparedModel> prepared = prepare(model, prepareOptions);
    ASSERT_THAT(prepared, Succeeds());
    for (int i = 0; i < 2; ++i) {  // and again, in the memory of the first
        const Result<std::vector<Tensor>> found = prepared->run(inputs, options);
        ASSERT_THAT(found, Succeeds());
        ASSERT_EQ(found->size(), outputs.size());
        for (size_t k = 0; k < outputs.size(); ++k) {
            EXPECT_EQ((*found)[k].dimensions, outputs[k].dimensions) << "output " << k;
            EXPECT_EQ((*found)[k].data, outputs[k].data) << "output " << k;
        }
    }
}

}  // namespace nn
