#include "OperationResolver.h"

#include <string>

#include "nnapi/print.h"
#include "nnapi/validate.h"

namespace nnapi_android {

const char* builtinOperationName(uint32_t type) {
    switch (static_cast<::nn::OperationType>(type)) {
#define NNAPI_OPERATION(name, ...)  \
    case ::nn::OperationType::name: \
        return #name;
#include "nnapi/operations.def"
#undef NNAPI_OPERATION
        default:
            return nullptr;
    }
}

::nn::Result<::nn::Version> validateOperationTypes(uint32_t type,
                                                   const std::vector<::nn::Operand>& inputs,
                                                   const std::vector<::nn::Operand>& outputs) {
    ::nn::Model model;
    ::nn::Operation operation{.type = static_cast<::nn::OperationType>(type)};
    const auto add = [&](const std::vector<::nn::Operand>& operands, auto lifetime,
                         std::vector<uint32_t>& indexes) {
        for (const ::nn::Operand& operand : operands) {
            indexes.push_back(static_cast<uint32_t>(model.main.operands.size()));
            model.main.operands.push_back(operand);
            model.main.operands.back().lifetime = lifetime;
        }
    };
    using LifeTime = ::nn::Operand::LifeTime;
    add(inputs, LifeTime::SUBGRAPH_INPUT, operation.inputs);
    add(outputs, LifeTime::SUBGRAPH_OUTPUT, operation.outputs);
    model.main.inputIndexes = operation.inputs;
    model.main.outputIndexes = operation.outputs;
    return ::nn::validateOperationButNotOperands(operation, model.main, model);
}

}  // namespace nnapi_android
