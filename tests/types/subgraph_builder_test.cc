#include "nnapi/subgraph_builder.h"

#include <gtest/gtest.h>

#include "nnapi/print.h"

namespace nn {
namespace {

using LifeTime = Operand::LifeTime;
using enum OperandType;

// The model of the header's example, by hand.
TEST(SubgraphBuilder, ListsOperandsAndOperationsInTheOrderOfTheCalls) {
    Model made;
    SubgraphBuilder graph(made);
    const Operand two = {.type = TENSOR_FLOAT32, .dimensions = {1, 2}};
    const auto x = graph.input(two), weights = graph.constant<float>(two, {2, 3});
    const auto bias = graph.constant<float>({.type = TENSOR_FLOAT32, .dimensions = {1}}, {0.5});
    const auto y = graph.output({.type = TENSOR_FLOAT32, .dimensions = {1, 1}});
    graph.add(OperationType::FULLY_CONNECTED, {x, weights, bias, graph.scalar(0)}, {y});
    made.main = std::move(graph.graph);

    Model wanted;
    const float weightValues[] = {2, 3}, biasValue = 0.5;
    const int32_t none = 0;
    const auto constant = [&wanted](OperandType type, std::vector<uint32_t> dimensions,
                                    const void* data, size_t length) {
        return Operand{.type = type,
                       .dimensions = std::move(dimensions),
                       .lifetime = LifeTime::CONSTANT_COPY,
                       .location = wanted.operandValues.append(data, length)};
    };
    Operand input = two, output = {.type = TENSOR_FLOAT32, .dimensions = {1, 1}};
    input.lifetime = LifeTime::SUBGRAPH_INPUT;
    output.lifetime = LifeTime::SUBGRAPH_OUTPUT;
    wanted.main.operands = {input, constant(TENSOR_FLOAT32, {1, 2}, weightValues, 8),
                            constant(TENSOR_FLOAT32, {1}, &biasValue, 4), output,
                            constant(INT32, {}, &none, 4)};
    wanted.main.operations = {
            {.type = OperationType::FULLY_CONNECTED, .inputs = {0, 1, 2, 4}, .outputs = {3}}};
    wanted.main.inputIndexes = {0};
    wanted.main.outputIndexes = {3};
    EXPECT_EQ(made, wanted);
}

TEST(SubgraphBuilder, AddsScalarsAndGraphsThatOperationsCall) {
    Model made;
    SubgraphBuilder graph(made);
    EXPECT_EQ(graph.scalar(1.5f), 0u);
    EXPECT_EQ(graph.scalar(true), 1u);
    EXPECT_EQ(graph.subgraph(3), 2u);
    EXPECT_EQ(graph.temporary({.type = TENSOR_INT32, .dimensions = {2}}), 3u);
    const auto& operands = graph.graph.operands;
    EXPECT_EQ(operands[0].type, FLOAT32);
    EXPECT_EQ(operands[0].location.length, 4u);
    EXPECT_EQ(operands[1].type, BOOL);
    EXPECT_EQ(operands[1].location.length, 1u);
    EXPECT_EQ(made.operandValues.data()[operands[1].location.offset], 1);
    EXPECT_EQ(operands[2].lifetime, LifeTime::SUBGRAPH);
    EXPECT_EQ(operands[2].location.offset, 3u);
    EXPECT_EQ(operands[3].lifetime, LifeTime::TEMPORARY_VARIABLE);
}

}  // namespace
}  // namespace nn
