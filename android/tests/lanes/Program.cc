#define LOG_TAG "lanes-program"

#include "Program.h"

#include <LegacyUtils.h>
#include <Tracing.h>
#include <android-base/logging.h>
#include <nnapi/SharedMemory.h>
#include <nnapi/TypeUtils.h>

#include <cstring>
#include <new>
#include <optional>
#include <utility>

#include "Kernels.h"

namespace vendor::lanes {

using nn::ErrorStatus;
using nn::FusedActivationFunc;
using nn::Operand;
using nn::OperationType;
using nn::OutputShape;
using nn::Request;
using nn::RunTimeOperandInfo;
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

FusedActivationFunc activationOf(const nn::Model& model, const nn::Operation& operation) {
    if (operation.type == OperationType::RELU) return FusedActivationFunc::RELU;
    int32_t code = 0;
    std::memcpy(
            &code,
            model.operandValues.data() + model.main.operands[operation.inputs[2]].location.offset,
            sizeof(code));
    return static_cast<FusedActivationFunc>(code);
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

// One execution: the current value of each operand.
class Program::Run {
   public:
    Run(const nn::Model& model, const Request& request, const std::vector<RunTimePoolInfo>& pools)
        : mModel(model), mRequest(request), mPools(pools) {}

    nn::ExecutionResult<std::vector<OutputShape>> run(const nn::OptionalTimePoint& deadline) {
        NN_TRY(place());
        addSteps();
        NN_TRY(inferShapes());
        std::vector<OutputShape> shapes = outputShapes();
        for (const OutputShape& shape : shapes) {
            if (shape.isSufficient) continue;
            return NN_ERROR(ErrorStatus::OUTPUT_INSUFFICIENT_SIZE, std::move(shapes))
                   << "an output is larger than its memory";
        }
        NN_TRY(allocateTemporaries());
        for (const Step& step : mSteps) {
            VLOG(nn::CPUEXE) << step.type << " to " << nn::toString(step.output->dimensions);
            if (compute(step, deadline)) continue;
            return NN_ERROR(ErrorStatus::MISSED_DEADLINE_TRANSIENT) << "it took too long";
        }
        return shapes;
    }

   private:
    nn::GeneralResult<void> place() {
        mOperands.reserve(mModel.main.operands.size());
        for (const Operand& operand : mModel.main.operands) {
            RunTimeOperandInfo info{.type = operand.type,
                                    .dimensions = operand.dimensions,
                                    .scale = operand.scale,
                                    .zeroPoint = operand.zeroPoint,
                                    .lifetime = operand.lifetime,
                                    .extraParams = operand.extraParams};
            if (isConstant(operand)) {
                info.buffer =
                        const_cast<uint8_t*>(mModel.operandValues.data()) + operand.location.offset;
                info.length = operand.location.length;
            }
            mOperands.push_back(std::move(info));
        }
        NN_TRY(placeArguments(mModel.main.inputIndexes, mRequest.inputs));
        return placeArguments(mModel.main.outputIndexes, mRequest.outputs);
    }

    nn::GeneralResult<void> placeArguments(const std::vector<uint32_t>& indexes,
                                           const std::vector<Request::Argument>& arguments) {
        for (size_t i = 0; i < indexes.size(); ++i) {
            RunTimeOperandInfo& info = mOperands[indexes[i]];
            const Request::Argument& argument = arguments[i];
            if (argument.lifetime == Request::Argument::LifeTime::NO_VALUE) continue;
            if (!argument.dimensions.empty()) info.dimensions = argument.dimensions;
            const RunTimePoolInfo& pool = mPools[argument.location.poolIndex];
            const size_t length = argument.location.length;
            if (argument.location.offset > pool.getSize() ||
                length > pool.getSize() - argument.location.offset) {
                return NN_ERROR(ErrorStatus::INVALID_ARGUMENT)
                       << "an argument ends after its memory of " << pool.getSize() << " bytes";
            }
            info.buffer = pool.getBuffer() + argument.location.offset;
            info.length = static_cast<uint32_t>(length == 0 ? pool.getSize() : length);
        }
        return {};
    }

    void addSteps() {
        for (const nn::Operation& operation : mModel.main.operations) {
            const bool isUnary = operation.type == OperationType::RELU;
            mSteps.push_back({.type = operation.type,
                              .a = nn::GetInput(operation, mOperands.data(), 0),
                              .b = isUnary ? nullptr : nn::GetInput(operation, mOperands.data(), 1),
                              .activation = activationOf(mModel, operation),
                              .output = nn::GetOutput(operation, mOperands.data(), 0)});
        }
    }

    nn::GeneralResult<void> inferShapes() {
        for (const Step& step : mSteps) {
            const nn::Dimensions expected = step.output->dimensions;
            for (const RunTimeOperandInfo* input : {step.a, step.b}) {
                if (input == nullptr) continue;
                if (nn::tensorHasUnspecifiedDimensions(input->type, input->dimensions)) {
                    return NN_ERROR(ErrorStatus::INVALID_ARGUMENT) << "an input has no value";
                }
            }
            if (!inferShape(step)) {
                return NN_ERROR(ErrorStatus::INVALID_ARGUMENT) << "inputs do not broadcast";
            }
            NN_TRY(nn::combineDimensions(expected, step.output->dimensions));
        }
        return {};
    }

    std::vector<OutputShape> outputShapes() const {
        std::vector<OutputShape> shapes;
        for (const uint32_t index : mModel.main.outputIndexes) {
            const RunTimeOperandInfo& info = mOperands[index];
            const auto size = nn::getNonExtensionSize(info.type, info.dimensions);
            shapes.push_back({.dimensions = info.dimensions,
                              .isSufficient = size.has_value() && *size <= info.length});
        }
        return shapes;
    }

    nn::GeneralResult<void> allocateTemporaries() {
        for (RunTimeOperandInfo& info : mOperands) {
            if (info.lifetime != Operand::LifeTime::TEMPORARY_VARIABLE) continue;
            if (!isLaneType(info.type)) continue;  // nothing uses it
            const auto size = nn::getNonExtensionSize(info.type, info.dimensions);
            if (!size.has_value() || *size > UINT32_MAX) {
                return NN_ERROR(ErrorStatus::RESOURCE_EXHAUSTED_PERSISTENT)
                       << "a temporary variable is too large";
            }
            std::unique_ptr<uint8_t[]> bytes(new (std::nothrow) uint8_t[*size]);
            if (bytes == nullptr) {
                return NN_ERROR(ErrorStatus::RESOURCE_EXHAUSTED_TRANSIENT) << "out of memory";
            }
            info.buffer = bytes.get();
            info.length = static_cast<uint32_t>(*size);
            mTemporaries.push_back(std::move(bytes));
        }
        return {};
    }

    const nn::Model& mModel;
    const Request& mRequest;
    const std::vector<RunTimePoolInfo>& mPools;
    std::vector<RunTimeOperandInfo> mOperands;
    std::vector<Step> mSteps;
    std::vector<std::unique_ptr<uint8_t[]>> mTemporaries;
};

nn::ExecutionResult<std::vector<OutputShape>> Program::run(
        const Request& request, const std::vector<RunTimePoolInfo>& pools,
        const nn::OptionalTimePoint& deadline) const {
    NNTRACE_FULL(NNTRACE_LAYER_DRIVER, NNTRACE_PHASE_EXECUTION, "Program::run");
    return Run(mModel, request, pools).run(deadline);
}

}  // namespace vendor::lanes
