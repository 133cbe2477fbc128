#include "operations.h"

#include <algorithm>

namespace sample::npu {

using namespace android::nn::hal;

namespace {

bool isSupported(const Model& model, const Operation& operation) {
    switch (operation.type) {
        case OperationType::ADD:
        case OperationType::MUL:
        case OperationType::RELU:
        case OperationType::RESHAPE:
            return isComputed(model.main.operands[operation.inputs[0]].type);
        case OperationType::LOGISTIC:
        case OperationType::TANH:
            return true;
        default:
            return false;
    }
}

}  // namespace

bool isComputed(OperandType type) {
    return type == OperandType::TENSOR_FLOAT32 || type == OperandType::TENSOR_QUANT8_ASYMM ||
           type == OperandType::TENSOR_QUANT8_ASYMM_SIGNED;
}

std::vector<bool> supportedOperations(const Model& model) {
    std::vector<bool> supported;
    for (const Operation& operation : model.main.operations) {
        supported.push_back(isSupported(model, operation));
    }
    return supported;
}

bool areAllSupported(const Model& model) {
    const std::vector<bool> supported = supportedOperations(model);
    return std::find(supported.begin(), supported.end(), false) == supported.end();
}

}  // namespace sample::npu
