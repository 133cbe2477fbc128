// A model for trying a component.
#pragma once

#include "nnapi/types.h"

inline nn::Model relu() {
    using namespace nn;
    Model model;
    model.main.operands = {{.type = OperandType::TENSOR_FLOAT32,
                            .dimensions = {2},
                            .lifetime = Operand::LifeTime::SUBGRAPH_INPUT},
                           {.type = OperandType::TENSOR_FLOAT32,
                            .dimensions = {2},
                            .lifetime = Operand::LifeTime::SUBGRAPH_OUTPUT}};
    model.main.operations = {{.type = OperationType::RELU, .inputs = {0}, .outputs = {1}}};
    model.main.inputIndexes = {0};
    model.main.outputIndexes = {1};
    return model;
}
