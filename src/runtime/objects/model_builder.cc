#include "runtime/objects/model_builder.h"

#include <absl/algorithm/container.h>
#include <fmt/format.h>

#include <atomic>
#include <limits>
#include <set>

#include "nnapi/checked_math.h"
#include "nnapi/type_utils.h"
#include "nnapi/validate.h"
#include "runtime/objects/operand_types.h"
#include "runtime/objects/runtime.h"

namespace nn::runtime {
namespace {

constexpr size_t kMaxOperands = 0xFFFFFFFE;
constexpr size_t kMaxCopiedBytes = ANEURALNETWORKS_MAX_SIZE_OF_IMMEDIATELY_COPIED_VALUES;

uint64_t nextGraphId() {
    static std::atomic<uint64_t> next{1};
    return next++;
}

// Combines all errors of validation.
ApiStatus badDataOf(const Status& status) { return badData(std::string(status.message())); }

}  // namespace

ModelBuilder::ModelBuilder() : mGraphIds{nextGraphId()} {}

ApiStatus ModelBuilder::checkOpen() const {
    if (mState == State::COMPLETED) return badState("the model is finished");
    if (mState == State::INVALID) return badState("finishing the model has failed");
    return {};
}

ApiStatus ModelBuilder::checkOperand(int32_t index) const {
    NNAPI_API_RETURN_IF_ERROR(checkOpen());
    const size_t count = mModel.main.operands.size();
    if (index >= 0 && static_cast<size_t>(index) < count) return {};
    return badData(fmt::format("there is no operand {}, but {}", index, count));
}

ApiStatus ModelBuilder::addOperand(const ANeuralNetworksOperandType& type) {
    const std::lock_guard lock(mMutex);
    NNAPI_API_RETURN_IF_ERROR(checkOpen());
    Operand operand;
    NNAPI_API_RETURN_IF_ERROR(readOperandType(type, /*allowPartial=*/true, operand));
    if (mModel.main.operands.size() >= kMaxOperands) return badData("there are too many operands");
    mModel.main.operands.push_back(std::move(operand));
    return {};
}

ApiStatus ModelBuilder::checkLength(const Operand& operand, size_t length) const {
    if (isOpen(operand.type, operand.dimensions)) {
        return badData("the dimensions of a constant must be known");
    }
    if (!std::in_range<uint32_t>(length)) {
        return badData(fmt::format("a value of {} bytes is too long", length));
    }
    if (operand.type == OperandType::OEM) return {};
    const auto bytes = bytesOf(operand.type, operand.dimensions);
    if (bytes == length) return {};
    return badData(fmt::format("a value of {} has {} bytes, but {} are given",
                               toString(operand.type), bytes.value_or(0), length));
}

ApiStatus ModelBuilder::setOperandValue(int32_t index, const void* buffer, size_t length) {
    const std::lock_guard lock(mMutex);
    NNAPI_API_RETURN_IF_ERROR(checkOperand(index));
    Operand& operand = mModel.main.operands[static_cast<size_t>(index)];
    if (buffer == nullptr) {
        operand.lifetime = Operand::LifeTime::NO_VALUE;
        operand.location = {};
        return {};
    }
    if (length == 0) return badData("a value has no bytes");
    NNAPI_API_RETURN_IF_ERROR(checkLength(operand, length));
    if (length > kMaxCopiedBytes) {
        operand.lifetime = Operand::LifeTime::POINTER;
        operand.location = {.pointer = buffer, .length = static_cast<uint32_t>(length)};
        return {};
    }
    const auto location = mModel.operandValues.append(buffer, length);
    if (!location) return {ANEURALNETWORKS_OUT_OF_MEMORY, "there are too many values"};
    operand.lifetime = Operand::LifeTime::CONSTANT_COPY;
    operand.location = *location;
    return {};
}

uint32_t ModelBuilder::poolOf(const SharedMemory& memory) {
    const auto [row, isNew] =
            mPools.emplace(memory.get(), static_cast<uint32_t>(mModel.pools.size()));
    if (isNew) mModel.pools.push_back(memory);
    return row->second;
}

ApiStatus ModelBuilder::setOperandValueFromMemory(int32_t index, const ApiMemory& memory,
                                                  size_t offset, size_t length) {
    const std::lock_guard lock(mMutex);
    NNAPI_API_RETURN_IF_ERROR(checkOperand(index));
    Operand& operand = mModel.main.operands[static_cast<size_t>(index)];
    NNAPI_API_RETURN_IF_ERROR(checkLength(operand, length));
    NNAPI_API_RETURN_IF_ERROR(memory.checkPlain(offset, length));
    const auto start = checkedCast<uint32_t>(offset);
    if (!start) return badData(fmt::format("a value at byte {} lies too far behind", offset));
    operand.lifetime = Operand::LifeTime::CONSTANT_REFERENCE;
    operand.location = {.poolIndex = poolOf(memory.memory()),
                        .offset = *start,
                        .length = static_cast<uint32_t>(length)};
    return {};
}

ApiStatus ModelBuilder::setOperandValueFromModel(int32_t index, const ModelBuilder& value) {
    std::shared_ptr<const FinishedModel> finished;
    if (&value != this) NNAPI_API_RETURN_IF_ERROR(value.finished(finished));
    const std::lock_guard lock(mMutex);
    NNAPI_API_RETURN_IF_ERROR(checkOpen());
    if (finished == nullptr) return badState("a model cannot be a value of its own");
    NNAPI_API_RETURN_IF_ERROR(checkOperand(index));
    const uint32_t graph = adopt(*finished);
    Operand& operand = mModel.main.operands[static_cast<size_t>(index)];
    operand.lifetime = Operand::LifeTime::SUBGRAPH;
    operand.location = {.offset = graph};
    return {};
}

uint32_t ModelBuilder::adopt(const FinishedModel& value) {
    const auto graphOf = [&](size_t i) -> const Model::Subgraph& {
        return i == 0 ? value.model.main : value.model.referenced[i - 1];
    };
    std::vector<uint32_t> graphs;  // of the value, main first
    std::vector<size_t> added;
    for (size_t i = 0; i < value.graphIds.size(); ++i) {
        const auto next = static_cast<uint32_t>(mModel.referenced.size() + added.size());
        const auto [row, isNew] = mReferenced.emplace(value.graphIds[i], next);
        if (isNew) added.push_back(i);
        graphs.push_back(row->second);
    }
    for (const size_t i : added) {
        Model::Subgraph graph = graphOf(i);
        for (Operand& operand : graph.operands) adoptOperand(value, graphs, operand);
        mModel.referenced.push_back(std::move(graph));
        mGraphIds.push_back(value.graphIds[i]);
    }
    return graphs.front();
}

void ModelBuilder::adoptOperand(const FinishedModel& value, const std::vector<uint32_t>& graphs,
                                Operand& operand) {
    DataLocation& location = operand.location;
    if (operand.lifetime == Operand::LifeTime::CONSTANT_COPY) {
        const auto copy = mModel.operandValues.append(
                value.model.operandValues.data() + location.offset, location.length);
        if (!copy) throw std::bad_alloc();
        location = *copy;
    } else if (operand.lifetime == Operand::LifeTime::CONSTANT_REFERENCE) {
        location.poolIndex = poolOf(value.model.pools[location.poolIndex]);
    } else if (operand.lifetime == Operand::LifeTime::SUBGRAPH) {
        location.offset = graphs[location.offset + 1];
    }
}

ApiStatus ModelBuilder::setOperandSymmPerChannelQuantParams(
        int32_t index, const ANeuralNetworksSymmPerChannelQuantParams& params) {
    const std::lock_guard lock(mMutex);
    NNAPI_API_RETURN_IF_ERROR(checkOperand(index));
    if ((params.scales == nullptr) != (params.scaleCount == 0)) {
        return badData(fmt::format("there are {} scales at {}", params.scaleCount,
                                   params.scales == nullptr ? "null" : "an address"));
    }
    Operand& operand = mModel.main.operands[static_cast<size_t>(index)];
    if (operand.type != OperandType::TENSOR_QUANT8_SYMM_PER_CHANNEL) {
        return badData(fmt::format("{} has no scales of channels", toString(operand.type)));
    }
    if (params.channelDim >= operand.dimensions.size() ||
        operand.dimensions[params.channelDim] != params.scaleCount) {
        return badData(fmt::format("{} scales do not fit dimension {}", params.scaleCount,
                                   params.channelDim));
    }
    Operand changed = operand;
    changed.extraParams = Operand::SymmPerChannelQuantParams{
            .scales = std::vector<float>(params.scales, params.scales + params.scaleCount),
            .channelDim = params.channelDim};
    const Status valid = validateOperandSymmPerChannelQuantParams(changed);
    if (!valid.ok()) return badDataOf(valid);
    operand = std::move(changed);
    return {};
}

ApiStatus ModelBuilder::setOperandExtensionData(int32_t index, const void* data, size_t length) {
    const std::lock_guard lock(mMutex);
    NNAPI_API_RETURN_IF_ERROR(checkOperand(index));
    Operand& operand = mModel.main.operands[static_cast<size_t>(index)];
    if (!isExtension(operand.type)) {
        return badData(fmt::format("{} is not of an extension", toString(operand.type)));
    }
    if (data == nullptr) {
        operand.extraParams = {};
        return {};
    }
    if (length == 0) return badData("the data has no bytes");
    const auto* bytes = static_cast<const uint8_t*>(data);
    operand.extraParams = Operand::ExtensionParams(bytes, bytes + length);
    return {};
}

ApiStatus ModelBuilder::checkOperationType(OperationType type) const {
    if (!isExtension(type)) {
        if (type == OperationType::OEM_OPERATION || operationTypeInfo(type) != nullptr) return {};
        return badData(fmt::format("there is no operation {}", static_cast<int32_t>(type)));
    }
    const auto known =
            runtime().types().getExtensionInfo(getExtensionPrefix(static_cast<uint32_t>(type)));
    if (!known.has_value()) return badData(known.error().message);
    return {};
}

ApiStatus ModelBuilder::addOperation(OperationType type, std::span<const uint32_t> inputs,
                                     std::span<const uint32_t> outputs) {
    const std::lock_guard lock(mMutex);
    NNAPI_API_RETURN_IF_ERROR(checkOpen());
    NNAPI_API_RETURN_IF_ERROR(checkOperationType(type));
    const size_t count = mModel.main.operands.size();
    for (const auto& list : {inputs, outputs}) {
        const Status exist = validateOperandList(list, count);
        if (!exist.ok()) return badDataOf(exist);
    }
    Operation operation{.type = type,
                        .inputs{inputs.begin(), inputs.end()},
                        .outputs{outputs.begin(), outputs.end()}};
    const auto valid = validateOperationButNotOperands(operation, mModel.main, mModel);
    if (!valid.ok()) return badDataOf(valid.status());
    mModel.main.operations.push_back(std::move(operation));
    return {};
}

ApiStatus ModelBuilder::identifyInputsAndOutputs(std::span<const uint32_t> inputs,
                                                 std::span<const uint32_t> outputs) {
    const std::lock_guard lock(mMutex);
    NNAPI_API_RETURN_IF_ERROR(checkOpen());
    if (inputs.empty() || outputs.empty()) return badData(kNeedsBoth);
    std::set<uint32_t> named;
    for (const auto& list : {inputs, outputs}) {
        for (const uint32_t index : list) {
            if (index >= mModel.main.operands.size()) {
                return badData(fmt::format("there is no operand {}, but {}", index,
                                           mModel.main.operands.size()));
            }
            if (!named.insert(index).second) {
                return badData(fmt::format("operand {} is named twice", index));
            }
            if (mModel.main.operands[index].lifetime != Operand::LifeTime::TEMPORARY_VARIABLE) {
                return badData(
                        fmt::format("operand {} has a value, or is an input or output "
                                    "already",
                                    index));
            }
        }
    }
    const auto set = [&](std::span<const uint32_t> list, Operand::LifeTime lifetime) {
        for (const uint32_t index : list) mModel.main.operands[index].lifetime = lifetime;
        return std::vector<uint32_t>(list.begin(), list.end());
    };
    mModel.main.inputIndexes = set(inputs, Operand::LifeTime::SUBGRAPH_INPUT);
    mModel.main.outputIndexes = set(outputs, Operand::LifeTime::SUBGRAPH_OUTPUT);
    return {};
}

ApiStatus ModelBuilder::relax(bool allow) {
    const std::lock_guard lock(mMutex);
    NNAPI_API_RETURN_IF_ERROR(checkOpen());
    mModel.relaxComputationFloat32toFloat16 = allow;
    return {};
}

ApiStatus ModelBuilder::finished(std::shared_ptr<const FinishedModel>& model) const {
    const std::lock_guard lock(mMutex);
    if (mState == State::BUILDING) return badState("the model is not finished");
    if (mState == State::INVALID) return badState("finishing the model has failed");
    model = mFinished;
    return {};
}

}  // namespace nn::runtime
