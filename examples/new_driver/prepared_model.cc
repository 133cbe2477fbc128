#include "prepared_model.h"

#include <algorithm>
#include <cstring>
#include <map>
#include <utility>

#if NPU_BURST
#include "burst.h"
#endif
#include "nnapi/kernel/output_shapes.h"
#include "nnapi/memory.h"
#include "nnapi/type_utils.h"
#include "nnapi/validate.h"

namespace npu_driver {
namespace {

using nn::error;
using nn::ErrorStatus;
using LifeTime = nn::Operand::LifeTime;
using Argument = nn::Request::Argument;

// Copies a range of a pool, or of the client's memory, which the client may change at any time.
nn::Status readBytes(const nn::Model& model, const nn::Operand& operand,
                     std::vector<uint8_t>& bytes) {
    const nn::DataLocation& at = operand.location;
    bytes.resize(at.length);
    switch (operand.lifetime) {
        case LifeTime::CONSTANT_REFERENCE:
            return nn::readMemory(model.pools[at.poolIndex], at.offset, bytes);
        case LifeTime::POINTER:
            std::memcpy(bytes.data(), std::get<const void*>(at.pointer), bytes.size());
            return {};
        default:
            std::memcpy(bytes.data(), model.operandValues.data() + at.offset, bytes.size());
            return {};
    }
}

nn::Status readArgument(const nn::Request& request, const Argument& argument,
                        std::vector<uint8_t>& bytes) {
    bytes.resize(argument.location.length);
    if (argument.lifetime == Argument::LifeTime::POINTER) {
        const auto* from = std::visit([](auto* p) { return static_cast<const void*>(p); },
                                      argument.location.pointer);
        std::memcpy(bytes.data(), from, bytes.size());
        return {};
    }
    const auto& pool = std::get<nn::SharedMemory>(request.pools[argument.location.poolIndex]);
    return nn::readMemory(pool, argument.location.offset, bytes);
}

nn::Status writeArgument(const nn::Request& request, const Argument& argument,
                         const std::vector<uint8_t>& bytes) {
    if (argument.lifetime == Argument::LifeTime::NO_VALUE) return {};
    if (argument.lifetime == Argument::LifeTime::POINTER) {
        std::memcpy(std::get<void*>(argument.location.pointer), bytes.data(), bytes.size());
        return {};
    }
    const auto& pool = std::get<nn::SharedMemory>(request.pools[argument.location.poolIndex]);
    return nn::writeMemory(pool, argument.location.offset, bytes);
}

// Whether the known dimensions of an argument are those of its value.
bool agree(const nn::Dimensions& declared, const nn::Dimensions& actual) {
    return declared.empty() ||
           std::equal(declared.begin(), declared.end(), actual.begin(), actual.end(),
                      [](uint32_t a, uint32_t b) { return a == 0 || a == b; });
}

}  // namespace

// ---- preparation

#if NPU_MEMORY_DOMAINS
nn::GeneralResult<std::shared_ptr<const PreparedModel>> PreparedModel::create(
        const nn::Model& model, std::shared_ptr<const nn::DeviceBuffers> buffers) {
#else
nn::GeneralResult<std::shared_ptr<const PreparedModel>> PreparedModel::create(
        const nn::Model& model) {
#endif
    const std::shared_ptr<PreparedModel> prepared(new PreparedModel(model));
#if NPU_MEMORY_DOMAINS
    prepared->mBuffers = std::move(buffers);
#endif
    NNAPI_RETURN_IF_ERROR(prepared->readConstants());
    // FILL IN: compile the whole model for the accelerator here, and keep what executions need.
    NNAPI_RETURN_IF_ERROR(prepared->addSteps());
    return std::shared_ptr<const PreparedModel>(prepared);
}

nn::Status PreparedModel::readConstants() {
    const auto& operands = mModel.main.operands;
    mConstants.resize(operands.size());
    for (size_t i = 0; i < operands.size(); ++i) {
        if (operands[i].lifetime == LifeTime::NO_VALUE) mConstants[i].hasNoValue = true;
        if (!nn::isConstant(operands[i].lifetime)) continue;
        mConstants[i].dimensions = operands[i].dimensions;
        NNAPI_RETURN_IF_ERROR(readBytes(mModel, operands[i], mConstants[i].data));
    }
    return {};
}

// Operations may be in any order; each step follows the steps whose results it reads.
nn::Status PreparedModel::addSteps() {
    const auto& main = mModel.main;
    std::vector<bool> isKnown(main.operands.size(), true);
    for (const nn::Operation& operation : main.operations) {
        for (const uint32_t output : operation.outputs) isKnown[output] = false;
    }
    std::vector<bool> isAdded(main.operations.size(), false);
    while (mSteps.size() < main.operations.size()) {
        const size_t before = mSteps.size();
        for (size_t i = 0; i < main.operations.size(); ++i) {
            const nn::Operation& operation = main.operations[i];
            if (isAdded[i] || !std::all_of(operation.inputs.begin(), operation.inputs.end(),
                                           [&](uint32_t input) { return isKnown[input]; })) {
                continue;
            }
            NNAPI_RETURN_IF_ERROR(addStep(operation));
            isAdded[i] = true;
            for (const uint32_t output : operation.outputs) isKnown[output] = true;
        }
        if (mSteps.size() == before)
            return error(ErrorStatus::INVALID_ARGUMENT) << "operations wait for each other";
    }
    return {};
}

nn::Status PreparedModel::addStep(const nn::Operation& operation) {
    const auto all = kernels();
    const auto row = std::find_if(all.begin(), all.end(), [&](const KernelRow& each) {
        return each.type == operation.type;
    });
    if (row == all.end())
        return error(ErrorStatus::INVALID_ARGUMENT) << toString(operation.type) << " has no kernel";
    // A model with only this operation: its variables are inputs, its results outputs.
    nn::Model alone;
    alone.relaxComputationFloat32toFloat16 = mModel.relaxComputationFloat32toFloat16;
    nn::Operation only{.type = operation.type};
    std::vector<uint32_t> variables;
    std::map<uint32_t, uint32_t> indexes;
    const auto indexOf = [&](uint32_t operand, LifeTime lifetime) {
        const auto next = static_cast<uint32_t>(alone.main.operands.size());
        const auto [place, isNew] = indexes.try_emplace(operand, next);
        if (isNew) {
            alone.main.operands.push_back(mModel.main.operands[operand]);
            alone.main.operands.back().lifetime = lifetime;
        }
        return std::pair(place->second, isNew);
    };
    for (const uint32_t input : operation.inputs) {
        const LifeTime lifetime = mModel.main.operands[input].lifetime;
        const bool isConstant = nn::isConstant(lifetime);
        const bool isVariable = !isConstant && lifetime != LifeTime::NO_VALUE;
        const auto [index, isNew] = indexOf(input, isConstant   ? LifeTime::CONSTANT_COPY
                                                   : isVariable ? LifeTime::SUBGRAPH_INPUT
                                                                : LifeTime::NO_VALUE);
        only.inputs.push_back(index);
        if (isNew && isVariable) {
            variables.push_back(input);
            alone.main.inputIndexes.push_back(index);
        } else if (isNew && isConstant) {
            const std::vector<uint8_t>& bytes = mConstants[input].data;
            const auto place = alone.operandValues.append(bytes.data(), bytes.size());
            if (!place) return error() << "the constants are too large";
            alone.main.operands[index].location = *place;
        }
    }
    for (const uint32_t output : operation.outputs) {
        only.outputs.push_back(indexOf(output, LifeTime::SUBGRAPH_OUTPUT).first);
    }
    alone.main.outputIndexes = only.outputs;
    alone.main.operations = {only};
    NNAPI_ASSIGN_OR_RETURN(reference, nn::prepare(std::move(alone)));
    mSteps.push_back({operation, row->kernel, reference, std::move(variables)});
    return {};
}

// ---- execution

#if NPU_MEMORY_DOMAINS
nn::Result<nn::BufferUse> PreparedModel::check(const nn::Request& request,
                                               bool allowUnspecified) const {
    NNAPI_RETURN_IF_ERROR(nn::validate(request).status());
    NNAPI_ASSIGN_OR_RETURN(use, nn::BufferUse::make(*mBuffers, weak_from_this(), request));
    NNAPI_RETURN_IF_ERROR(
            nn::validateRequestForModel(use.request(), mModel, allowUnspecified).status());
    return use;
}
#else
nn::Status PreparedModel::check(const nn::Request& request, bool allowUnspecified) const {
    NNAPI_RETURN_IF_ERROR(nn::validateRequestForModel(request, mModel, allowUnspecified).status());
    for (const auto& pool : request.pools) {
        if (!std::holds_alternative<nn::SharedMemory>(pool))
            return error(ErrorStatus::INVALID_ARGUMENT) << "the device has no memory of its own";
    }
    return {};
}
#endif

nn::ExecutionResult<nn::Executed> PreparedModel::execute(
        const nn::Request& request, nn::MeasureTiming measure,
        const nn::OptionalTimePoint& deadline, const nn::OptionalDuration& /*loopTimeout*/,
        const std::vector<nn::TokenValuePair>& /*hints*/,
        const std::vector<nn::ExtensionNameAndPrefix>& /*prefixes*/) const {
    const nn::TimePoint begin = nn::Clock::now();
    NNAPI_RETURN_IF_ERROR(nn::validate(measure).status());
#if NPU_MEMORY_DOMAINS
    NNAPI_ASSIGN_OR_RETURN(use, check(request));
#else
    NNAPI_RETURN_IF_ERROR(check(request));
#endif
    if (nn::hasDeadlinePassed(deadline))
        return error(ErrorStatus::MISSED_DEADLINE_PERSISTENT) << "the deadline is past";
#if NPU_MEMORY_DOMAINS
    const nn::Result<nn::Request> inMemory = use.begin();
    auto executed = use.end(inMemory.ok() ? compute(*inMemory, deadline)
                                          : nn::ExecutionResult<nn::Executed>(inMemory.status()));
#else
    auto executed = compute(request, deadline);
#endif
    // FILL IN: the time on the accelerator, if it can be measured.
    if (executed.has_value() && measure == nn::MeasureTiming::YES)
        executed->second.timeInDriver = nn::Clock::now() - begin;
    return executed;
}

nn::ExecutionResult<nn::Executed> PreparedModel::compute(
        const nn::Request& request, const nn::OptionalTimePoint& deadline) const {
    const auto& main = mModel.main;
    std::vector<nn::Tensor> variables(main.operands.size());
    std::vector<const nn::Tensor*> values;
    for (size_t i = 0; i < variables.size(); ++i) {
        const LifeTime lifetime = main.operands[i].lifetime;
        const bool isVariable = !nn::isConstant(lifetime) && lifetime != LifeTime::NO_VALUE;
        values.push_back(isVariable ? &variables[i] : &mConstants[i]);
    }
    for (size_t i = 0; i < request.inputs.size(); ++i) {
        const Argument& argument = request.inputs[i];
        nn::Tensor& value = variables[main.inputIndexes[i]];
        value.hasNoValue = argument.lifetime == Argument::LifeTime::NO_VALUE;
        if (value.hasNoValue) continue;
        value.dimensions = argument.dimensions.empty()
                                   ? main.operands[main.inputIndexes[i]].dimensions
                                   : argument.dimensions;
        NNAPI_RETURN_IF_ERROR(readArgument(request, argument, value.data));
    }
    for (const Step& step : mSteps) {
        if (nn::hasDeadlinePassed(deadline))
            return error(ErrorStatus::MISSED_DEADLINE_TRANSIENT) << "the deadline has passed";
        KernelCall call(step, main.operands, values, deadline);
        NNAPI_RETURN_IF_ERROR(step.kernel(call));
        for (size_t i = 0; i < call.outputs.size(); ++i) {
            variables[step.operation.outputs[i]] = std::move(call.outputs[i]);
        }
    }
    std::vector<nn::OutputShape> shapes;
    bool isSufficient = true;
    for (size_t i = 0; i < request.outputs.size(); ++i) {
        const Argument& argument = request.outputs[i];
        const nn::Tensor& value = *values[main.outputIndexes[i]];
        if (!agree(argument.dimensions, value.dimensions))
            return error(ErrorStatus::INVALID_ARGUMENT)
                   << "output " << i << " has other dimensions";
        shapes.push_back({value.dimensions, argument.lifetime == Argument::LifeTime::NO_VALUE ||
                                                    value.data.size() <= argument.location.length});
        isSufficient = isSufficient && shapes.back().isSufficient;
    }
    if (!isSufficient) {
        return {nn::Status(error(ErrorStatus::OUTPUT_INSUFFICIENT_SIZE)
                           << "an output is too large"),
                std::move(shapes)};
    }
    for (size_t i = 0; i < request.outputs.size(); ++i) {
        NNAPI_RETURN_IF_ERROR(
                writeArgument(request, request.outputs[i], values[main.outputIndexes[i]]->data));
    }
    return nn::Executed{std::move(shapes), {}};
}

nn::Result<std::vector<nn::Dimensions>> KernelCall::outputDimensions() const {
    std::vector<nn::kernel::InputValue> inputs;
    for (const uint32_t operand : mStep.operation.inputs) {
        const nn::Tensor& value = *mValues[operand];
        inputs.push_back({value.dimensions, value.data, value.hasNoValue});
    }
    return nn::kernel::outputDimensions(mStep.operation, mOperands, inputs);
}

nn::Status KernelCall::computeByReference() {
    std::vector<nn::Tensor> inputs;
    for (const uint32_t operand : mStep.variables) inputs.push_back(*mValues[operand]);
    NNAPI_ASSIGN_OR_RETURN(computed, mStep.reference.run(inputs, {.deadline = mDeadline}));
    outputs = std::move(computed);
    return {};
}

nn::GeneralResult<nn::ExecutedFenced> PreparedModel::executeFenced(
        const nn::Request& request, const std::vector<nn::SyncFence>& waitFor,
        nn::MeasureTiming measure, const nn::OptionalTimePoint& deadline,
        const nn::OptionalDuration& loopTimeout, const nn::OptionalDuration& timeAfterFences,
        const std::vector<nn::TokenValuePair>& hints,
        const std::vector<nn::ExtensionNameAndPrefix>& prefixes) const {
#if NPU_MEMORY_DOMAINS
    NNAPI_RETURN_IF_ERROR(check(request, /*allowUnspecified=*/false).status());
#else
    NNAPI_RETURN_IF_ERROR(check(request, /*allowUnspecified=*/false));
#endif
    // FILL IN: wait on the accelerator, and return a fence that it signals.
    return DefaultPreparedModel::executeFenced(request, waitFor, measure, deadline, loopTimeout,
                                               timeAfterFences, hints, prefixes);
}

nn::GeneralResult<nn::SharedExecution> PreparedModel::createReusableExecution(
        const nn::Request& request, nn::MeasureTiming measure,
        const nn::OptionalDuration& loopTimeout, const std::vector<nn::TokenValuePair>& hints,
        const std::vector<nn::ExtensionNameAndPrefix>& prefixes) const {
#if NPU_MEMORY_DOMAINS
    NNAPI_RETURN_IF_ERROR(check(request).status());
#else
    NNAPI_RETURN_IF_ERROR(check(request));
#endif
    return DefaultPreparedModel::createReusableExecution(request, measure, loopTimeout, hints,
                                                         prefixes);
}
#if NPU_BURST

nn::GeneralResult<nn::SharedBurst> PreparedModel::configureExecutionBurst() const {
    return nn::SharedBurst(std::make_shared<const Burst>(shared_from_this()));
}
#endif

}  // namespace npu_driver
