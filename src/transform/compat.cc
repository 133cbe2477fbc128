#include "nnapi/compat.h"

#include "nnapi/slice.h"
#include "validate/checks.h"

namespace nn::conversion {

bool complies(const Operand& operand, HalVersion version) {
    Report report({.target = toVersion(version)});
    checkOperandAlone(operand, Place{}, report);
    return report.ok();
}

bool complies(const Operation& operation, HalVersion version) {
    return complies(operation.type, version);
}

std::set<uint32_t> nonCompliantInMain(const Model& model, HalVersion version) {
    std::set<uint32_t> operations;
    for (const OperationIndex& index : nonCompliantOperations(model, version)) {
        if (!index.graph) operations.insert(index.operation);
    }
    return operations;
}

}  // namespace nn::conversion
