#define LOG_TAG "lanes-program"

#include "Program.h"

#include <LegacyUtils.h>
#include <Tracing.h>
#include <android-base/logging.h>
#include <nnapi/TypeUtils.h>

#include <utility>

namespace vendor::lanes {

using nn::ErrorStatus;
using nn::Operand;
using nn::OperationType;
using nn::OutputShape;
using nn::Request;
using nn::RunTimePoolInfo;

namespace {

bool isConstant(const Operand& operand) {
    return operand.lifetime == Operand::LifeTime::CONSTANT_COPY ||
           operand.lifetime == Operand::LifeTime::CONSTANT_REFERENCE;
}

// A copy of the model that needs no pools: they belong to the client, which may change them.
nn::GeneralResult<nn::Model> withOwnConstants(const nn::Model& model) {
    std::vector<RunTimePoolInfo> pools;
    if (!nn::setRunTimePoolInfosFromCanonicalMemories(&pools, model.pools)) {
        return NN_ERROR() << "a pool of the model cannot be mapped";
    }
    nn::Model own = model;
    for (Operand& operand : own.main.operands) {
        if (operand.lifetime != Operand::LifeTime::CONSTANT_REFERENCE) continue;
        const uint8_t* bytes =
                pools[operand.location.poolIndex].getBuffer() + operand.location.offset;
        const auto place = own.operandValues.append(bytes, operand.location.length);
        if (!place.has_value()) return NN_ERROR() << "the constants are too large";
        operand.lifetime = Operand::LifeTime::CONSTANT_COPY;
        operand.location = *place;
    }
    own.pools.clear();
    return own;
}

bool isLaneType(nn::OperandType type) {
    return type == nn::OperandType::TENSOR_FLOAT32 ||
           type == nn::OperandType::TENSOR_QUANT8_ASYMM ||
           type == nn::OperandType::TENSOR_QUANT8_ASYMM_SIGNED;
}

}  // namespace

bool Program::supports(const nn::Model& model, const nn::Operation& operation) {
    switch (operation.type) {
        case OperationType::ADD:
        case OperationType::MUL:
            if (!isConstant(model.main.operands[operation.inputs[2]])) return false;
            break;
        case OperationType::RELU:
            break;
        default:
            return false;
    }
    return isLaneType(model.main.operands[operation.inputs[0]].type);
}

nn::GeneralResult<std::shared_ptr<const Program>> Program::compile(const nn::Model& model) {
    NNTRACE_FULL(NNTRACE_LAYER_DRIVER, NNTRACE_PHASE_COMPILATION, "Program::compile");
    for (const nn::Operation& operation : model.main.operations) {
        if (supports(model, operation)) continue;
        return NN_ERROR(ErrorStatus::INVALID_ARGUMENT)
               << "this accelerator has no " << operation.type << " of these operands";
    }
    return std::make_shared<const Program>(NN_TRY(withOwnConstants(model)));
}

nn::ExecutionResult<std::vector<OutputShape>> Program::run(
        const Request& request, const std::vector<RunTimePoolInfo>& pools,
        const nn::OptionalTimePoint& deadline) const {
    NNTRACE_FULL(NNTRACE_LAYER_DRIVER, NNTRACE_PHASE_EXECUTION, "Program::run");
    nn::CpuExecutor executor;
    if (deadline.has_value()) executor.setDeadline(*deadline);
    const ErrorStatus status = nn::convertResultCodeToErrorStatus(
            executor.run(mModel, request, /*modelPoolInfos=*/{}, pools));
    if (status == ErrorStatus::NONE) return executor.getOutputShapes();
    return NN_ERROR(status, executor.getOutputShapes()) << "the lanes report " << status;
}

}  // namespace vendor::lanes
