#include <cstdio>

#include "nnapi/convert.h"
#include "nnapi/interpreter.h"
#include "nnapi/validate.h"

using namespace nn;

int main() {
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

    const Result<V1_0::Model> versioned = V1_0::utils::convert(model);
    if (!versioned.has_value() || convert(*versioned).value() != model) return 1;
    const Result<PreparedModel> prepared = prepare(model);
    const std::vector<Tensor> inputs = {
            {.dimensions = {2}, .data = {0, 0, 0x80, 0xBF, 0, 0, 0, 0x40}}};
    const auto outputs = prepared->run(inputs);
    std::puts(toString(*validate(model)).c_str());
    return outputs.ok() && outputs->front().data ==
                                   std::vector<uint8_t>({0, 0, 0, 0, 0, 0, 0, 0x40})
                   ? 0
                   : 1;
}
