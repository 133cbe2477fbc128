#include "nnapi/subgraph_builder.h"

#include <utility>

namespace nn {

using LifeTime = Operand::LifeTime;

uint32_t SubgraphBuilder::add(Operand operand, LifeTime lifetime) {
    operand.lifetime = lifetime;
    graph.operands.push_back(std::move(operand));
    return static_cast<uint32_t>(graph.operands.size() - 1);
}

uint32_t SubgraphBuilder::input(Operand operand) {
    graph.inputIndexes.push_back(add(std::move(operand), LifeTime::SUBGRAPH_INPUT));
    return graph.inputIndexes.back();
}

uint32_t SubgraphBuilder::output(Operand operand) {
    graph.outputIndexes.push_back(add(std::move(operand), LifeTime::SUBGRAPH_OUTPUT));
    return graph.outputIndexes.back();
}

uint32_t SubgraphBuilder::temporary(Operand operand) {
    return add(std::move(operand), LifeTime::TEMPORARY_VARIABLE);
}

uint32_t SubgraphBuilder::constant(Operand operand, const void* data, size_t length) {
    operand.location = mModel.operandValues.append(data, length);
    return add(std::move(operand), LifeTime::CONSTANT_COPY);
}

uint32_t SubgraphBuilder::scalar(int32_t value) {
    return constant({.type = OperandType::INT32}, &value, sizeof value);
}

uint32_t SubgraphBuilder::scalar(float value) {
    return constant({.type = OperandType::FLOAT32}, &value, sizeof value);
}

uint32_t SubgraphBuilder::scalar(bool value) {
    const uint8_t byte = value ? 1 : 0;
    return constant({.type = OperandType::BOOL}, &byte, 1);
}

uint32_t SubgraphBuilder::subgraph(uint32_t index) {
    Operand operand{.type = OperandType::SUBGRAPH};
    operand.location.offset = index;
    return add(std::move(operand), LifeTime::SUBGRAPH);
}

void SubgraphBuilder::add(OperationType type, std::vector<uint32_t> inputs,
                          std::vector<uint32_t> outputs) {
    graph.operations.push_back(
            {.type = type, .inputs = std::move(inputs), .outputs = std::move(outputs)});
}

}  // namespace nn
