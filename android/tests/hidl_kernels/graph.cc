#define LOG_TAG "sample-npu-graph"

#include "graph.h"

#include <android-base/logging.h>

#include <cstring>
#include <utility>

namespace sample::npu {

using namespace android::nn;
using hal::ErrorStatus;
using hal::Operand;
using hal::OperandLifeTime;
using hal::Operation;
using hal::OperationType;

namespace {

bool isConstant(const Operand& operand) {
    return operand.lifetime == OperandLifeTime::CONSTANT_COPY ||
           operand.lifetime == OperandLifeTime::CONSTANT_REFERENCE;
}

bool isSupported(const hal::Model& model, const Operation& operation) {
    switch (operation.type) {
        case OperationType::ADD:
        case OperationType::MUL:
        case OperationType::RELU:
        case OperationType::RESHAPE:
            return isComputed(model.main.operands[operation.inputs[0]].type);
        default:
            return false;
    }
}

Shape shapeOf(const Operand& operand) {
    return {.type = operand.type,
            .dimensions = operand.dimensions,
            .scale = operand.scale,
            .offset = operand.zeroPoint,
            .extraParams = operand.extraParams};
}

// The bytes of an argument; null if the pool does not contain them.
uint8_t* bytesOf(const hal::DataLocation& location, const std::vector<Region>& pools) {
    if (location.poolIndex >= pools.size()) return nullptr;
    const Region& pool = pools[location.poolIndex];
    if (pool.data == nullptr || location.offset > pool.size ||
        location.length > pool.size - location.offset) {
        return nullptr;
    }
    return pool.data + location.offset;
}

}  // namespace

std::vector<bool> Graph::supportedOperations(const hal::Model& model) {
    std::vector<bool> supported;
    for (const Operation& operation : model.main.operations) {
        supported.push_back(isSupported(model, operation));
    }
    return supported;
}

std::shared_ptr<const Graph> Graph::create(const hal::Model& model) {
    std::vector<RunTimePoolInfo> pools;
    if (!setRunTimePoolInfosFromHidlMemories(&pools, model.pools)) {
        LOG(ERROR) << "a pool of the model cannot be mapped";
        return nullptr;
    }
    auto graph = std::make_shared<Graph>();
    for (const Operand& operand : model.main.operands) {
        Tensor tensor{.shape = shapeOf(operand), .bytes = {}};
        const auto& [pool, offset, length] = operand.location;
        if (operand.lifetime == OperandLifeTime::CONSTANT_COPY) {
            const uint8_t* first = model.operandValues.data() + offset;
            tensor.bytes.assign(first, first + length);
        } else if (operand.lifetime == OperandLifeTime::CONSTANT_REFERENCE) {
            const uint8_t* first = pools[pool].getBuffer() + offset;
            tensor.bytes.assign(first, first + length);
        }
        graph->mIsConstant.push_back(isConstant(operand));
        graph->mOperands.push_back(std::move(tensor));
    }
    graph->mOperations = model.main.operations;
    graph->mInputs = model.main.inputIndexes;
    graph->mOutputs = model.main.outputIndexes;
    return graph;
}

ErrorStatus Graph::readInput(size_t index, const hal::RequestArgument& argument,
                             const std::vector<Region>& pools, Values* values) const {
    if (argument.hasNoValue)
        return ErrorStatus::NONE;  // operations that require a value fail later
    auto tensor = std::make_unique<Tensor>(mOperands[mInputs[index]]);
    std::vector<uint32_t> given = argument.dimensions;
    hal::DataLocation location = argument.location;
    if (location.poolIndex < pools.size() && pools[location.poolIndex].isDeviceMemory) {
        const Region& pool = pools[location.poolIndex];
        const auto value = combineDimensions(given, pool.dimensions);
        if (!value) return ErrorStatus::INVALID_ARGUMENT;
        given = *value;
        location.length = static_cast<uint32_t>(pool.size);
    }
    const auto combined = combineDimensions(tensor->shape.dimensions, given);
    if (!combined) return ErrorStatus::INVALID_ARGUMENT;
    tensor->shape.dimensions = *combined;
    const uint32_t size = nonExtensionOperandSizeOfData(tensor->shape.type, *combined);
    const uint8_t* bytes = bytesOf(location, pools);
    if (bytes == nullptr || size == 0 || size > location.length) {
        LOG(ERROR) << "input " << index << " is not in its pool";
        return ErrorStatus::INVALID_ARGUMENT;
    }
    tensor->bytes.assign(bytes, bytes + size);
    values->known[mInputs[index]] = tensor.get();
    values->own.push_back(std::move(tensor));
    return ErrorStatus::NONE;
}

bool Graph::run(const Operation& operation, Values* values) const {
    std::vector<const Tensor*> inputs;
    for (const uint32_t input : operation.inputs) {
        NN_RET_CHECK(values->known[input] != nullptr) << "operand " << input << " has no value";
        inputs.push_back(values->known[input]);
    }
    const uint32_t output = operation.outputs[0];
    auto result = std::make_unique<Tensor>(mOperands[output]);
    const std::vector<uint32_t> declared = result->shape.dimensions;
    switch (operation.type) {
        case OperationType::ADD:
        case OperationType::MUL: {
            NN_RET_CHECK_EQ(inputs[2]->bytes.size(), sizeof(int32_t));
            int32_t activation = 0;
            std::memcpy(&activation, inputs[2]->bytes.data(), sizeof(activation));
            NN_RET_CHECK(addOrMultiply(operation.type, *inputs[0], *inputs[1], activation,
                                       result.get()));
            break;
        }
        case OperationType::RELU:
            NN_RET_CHECK(relu(*inputs[0], result.get()));
            break;
        case OperationType::RESHAPE:
            NN_RET_CHECK(reshape(*inputs[0], *inputs[1], result.get()));
            break;
        default:
            NN_RET_CHECK_FAIL() << "unsupported operation " << toString(operation.type);
    }
    NN_RET_CHECK(combineDimensions(declared, result->shape.dimensions).has_value())
            << "the result of " << toString(operation.type)
            << " has other dimensions than declared";
    values->known[output] = result.get();
    values->own.push_back(std::move(result));
    return true;
}

ErrorStatus Graph::writeOutputs(const hal::hidl_vec<hal::RequestArgument>& arguments,
                                const std::vector<Region>& pools, const Values& values,
                                std::vector<hal::OutputShape>* shapes) const {
    std::vector<uint8_t*> places(arguments.size(), nullptr);
    bool areSufficient = true;
    for (size_t i = 0; i < arguments.size(); ++i) {
        const Tensor* tensor = values.known[mOutputs[i]];
        if (tensor == nullptr) return ErrorStatus::GENERAL_FAILURE;
        shapes->push_back({.dimensions = tensor->shape.dimensions, .isSufficient = true});
        if (arguments[i].hasNoValue) continue;
        if (!combineDimensions(arguments[i].dimensions, tensor->shape.dimensions)) {
            LOG(ERROR) << "output " << i << " has other dimensions than requested";
            return ErrorStatus::GENERAL_FAILURE;
        }
        hal::DataLocation location = arguments[i].location;
        if (location.poolIndex < pools.size() && pools[location.poolIndex].isDeviceMemory) {
            location.length = static_cast<uint32_t>(pools[location.poolIndex].size);
        }
        places[i] = bytesOf(location, pools);
        if (places[i] == nullptr) return ErrorStatus::INVALID_ARGUMENT;
        shapes->back().isSufficient = location.length >= tensor->bytes.size();
        areSufficient = areSufficient && shapes->back().isSufficient;
    }
    if (!areSufficient) return ErrorStatus::OUTPUT_INSUFFICIENT_SIZE;
    for (size_t i = 0; i < arguments.size(); ++i) {
        const std::vector<uint8_t>& bytes = values.known[mOutputs[i]]->bytes;
        if (places[i] != nullptr) std::memcpy(places[i], bytes.data(), bytes.size());
    }
    return ErrorStatus::NONE;
}

ErrorStatus Graph::execute(const hal::hidl_vec<hal::RequestArgument>& inputs,
                           const hal::hidl_vec<hal::RequestArgument>& outputs,
                           const std::vector<Region>& pools,
                           const std::optional<Deadline>& deadline,
                           std::vector<hal::OutputShape>* shapes) const {
    shapes->clear();
    Values values;
    for (size_t i = 0; i < mOperands.size(); ++i) {
        values.known.push_back(mIsConstant[i] ? &mOperands[i] : nullptr);
    }
    for (size_t i = 0; i < inputs.size(); ++i) {
        const ErrorStatus status = readInput(i, inputs[i], pools, &values);
        if (status != ErrorStatus::NONE) return status;
    }
    for (const Operation& operation : mOperations) {
        if (hasDeadlinePassed(deadline)) return ErrorStatus::MISSED_DEADLINE_TRANSIENT;
        if (!run(operation, &values)) return ErrorStatus::GENERAL_FAILURE;
    }
    const ErrorStatus status = writeOutputs(outputs, pools, values, shapes);
    if (status != ErrorStatus::NONE && status != ErrorStatus::OUTPUT_INSUFFICIENT_SIZE) {
        shapes->clear();
    }
    return status;
}

}  // namespace sample::npu
