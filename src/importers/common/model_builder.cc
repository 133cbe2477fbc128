#include "importers/common/model_builder.h"

#include <algorithm>
#include <cstring>
#include <utility>

#include "nnapi/checked.h"
#include "nnapi/half.h"
#include "nnapi/type_utils.h"
#include "types/limits.h"

namespace nn::importing {
namespace {

Operand constantOperand(OperandType type, std::vector<uint32_t> dimensions) {
    return {.type = type,
            .dimensions = std::move(dimensions),
            .lifetime = Operand::LifeTime::CONSTANT_COPY};
}

}  // namespace

std::optional<uint64_t> offsetIn(std::span<const uint8_t> file, std::span<const uint8_t> data) {
    // Wraps around for data before the file, and is beyond its end then.
    const uint64_t offset =
            reinterpret_cast<uintptr_t>(data.data()) - reinterpret_cast<uintptr_t>(file.data());
    return fits(offset, data.size(), file.size()) ? std::optional(offset) : std::nullopt;
}

// ---------------------------------------------------------------------------------------------
// ConstantStore

std::optional<DataLocation> ConstantStore::copy(std::span<const uint8_t> bytes) {
    return mModel.operandValues.append(bytes.data(), bytes.size());
}

void ConstantStore::keepFile(std::span<const uint8_t> bytes, SharedMemory memory) {
    mFile = bytes;
    mFilePool = static_cast<uint32_t>(mModel.pools.size());
    mModel.pools.push_back(std::move(memory));
}

std::optional<DataLocation> ConstantStore::placeInFile(std::span<const uint8_t> data,
                                                       OperandType type) const {
    // Parameters are read before an execution: from the model itself.
    constexpr size_t kLeastBytes = 1024;
    const std::optional<uint64_t> offset = offsetIn(mFile, data);
    if (!offset || data.size() < kLeastBytes) return std::nullopt;
    const bool isAligned = *offset % std::max(elementSize(type), 1u) == 0;
    const auto begin = checkedCast<uint32_t>(*offset), length = checkedCast<uint32_t>(data.size());
    if (!isAligned || !begin || !length) return std::nullopt;
    return DataLocation{.poolIndex = mFilePool, .offset = *begin, .length = *length};
}

Model ConstantStore::take(Model::Subgraph main) {
    mModel.main = std::move(main);
    std::vector<Operand*> inFile;
    const auto collect = [&](Model::Subgraph& graph) {
        for (Operand& operand : graph.operands) {
            if (operand.lifetime == Operand::LifeTime::CONSTANT_REFERENCE)
                inFile.push_back(&operand);
        }
    };
    collect(mModel.main);
    for (Model::Subgraph& graph : mModel.referenced) collect(graph);
    uint64_t used = 0;
    for (const Operand* operand : inFile) used += operand->location.length;
    if (mModel.pools.empty() || used >= mFile.size() / 2) return std::move(mModel);
    for (Operand* operand : inFile) {
        const auto location =
                copy(mFile.subspan(operand->location.offset, operand->location.length));
        if (!location) return std::move(mModel);
        operand->lifetime = Operand::LifeTime::CONSTANT_COPY;
        operand->location = *location;
    }
    mModel.pools.clear();
    return std::move(mModel);
}

// ---------------------------------------------------------------------------------------------
// GraphBuilder

uint32_t GraphBuilder::add(Operand operand, std::string name) {
    if (mStatus.ok()) {
        mStatus = within(mLimits, &Limits::operands, mGraph.operands.size() + 1, "model");
    }
    constexpr size_t kMostBeyond = 4096;
    if (!mStatus.ok() && mBeyond++ >= kMostBeyond) return UINT32_MAX;
    mGraph.operands.push_back(std::move(operand));
    mNames.push_back(std::move(name));
    return static_cast<uint32_t>(mGraph.operands.size() - 1);
}

uint32_t GraphBuilder::temporary(OperandType type, std::vector<uint32_t> dimensions, float scale,
                                 int32_t zeroPoint) {
    return add({.type = type,
                .dimensions = std::move(dimensions),
                .scale = scale,
                .zeroPoint = zeroPoint});
}

uint32_t GraphBuilder::constant(Operand operand, std::span<const uint8_t> bytes, std::string name) {
    if (const auto place = mConstants.placeInFile(bytes, operand.type)) {
        operand.lifetime = Operand::LifeTime::CONSTANT_REFERENCE;
        operand.location = *place;
        return add(std::move(operand), std::move(name));
    }
    const std::optional<DataLocation> location = mConstants.copy(bytes);
    if (!location && mStatus.ok()) {
        mStatus = within(mLimits, &Limits::constantBytes, uint64_t{UINT32_MAX} + 1, "model");
    }
    if (!location) return UINT32_MAX;
    operand.lifetime = Operand::LifeTime::CONSTANT_COPY;
    operand.location = *location;
    return add(std::move(operand), std::move(name));
}

uint32_t GraphBuilder::shared(OperandType type, std::vector<uint32_t> dimensions,
                              std::span<const uint8_t> bytes) {
    SharedKey key{type, {dimensions, std::string(bytes.begin(), bytes.end())}};
    const auto found = mShared.find(key);
    if (found != mShared.end()) return found->second;
    const uint32_t index = constant(constantOperand(type, std::move(dimensions)), bytes);
    if (index != UINT32_MAX) {
        mNewShared.push_back(mShared.emplace(std::move(key), index).first);
    }
    return index;
}

uint32_t GraphBuilder::halfScalar(float value) {
    const uint16_t bits = floatToHalf(value);
    return shared(OperandType::FLOAT16, {},
                  {reinterpret_cast<const uint8_t*>(&bits), sizeof(bits)});
}

uint32_t GraphBuilder::vector(std::span<const int32_t> values) {
    return shared(OperandType::TENSOR_INT32, {static_cast<uint32_t>(values.size())},
                  {reinterpret_cast<const uint8_t*>(values.data()), values.size_bytes()});
}

uint32_t GraphBuilder::matrix(std::span<const int32_t> values, uint32_t columns) {
    return shared(OperandType::TENSOR_INT32,
                  {static_cast<uint32_t>(values.size() / columns), columns},
                  {reinterpret_cast<const uint8_t*>(values.data()), values.size_bytes()});
}

uint32_t GraphBuilder::graphReference(uint32_t graph) {
    return add({.type = OperandType::SUBGRAPH,
                .lifetime = Operand::LifeTime::SUBGRAPH,
                .location = {.offset = graph}});
}

uint32_t GraphBuilder::noValue(OperandType type, std::vector<uint32_t> dimensions) {
    return add({.type = type,
                .dimensions = std::move(dimensions),
                .lifetime = Operand::LifeTime::NO_VALUE});
}

void GraphBuilder::operation(Operation operation) {
    if (mStatus.ok()) {
        mStatus = within(mLimits, &Limits::operations, mGraph.operations.size() + 1, "model");
    }
    if (!mStatus.ok()) return;
    mGraph.operations.push_back(std::move(operation));
}

void GraphBuilder::begin() {
    mNewShared.clear();
    mMark = {.operands = static_cast<uint32_t>(mGraph.operands.size()),
             .operations = static_cast<uint32_t>(mGraph.operations.size())};
}

void GraphBuilder::rollBack() {
    for (const auto entry : mNewShared) mShared.erase(entry);
    mNewShared.clear();
    mGraph.operands.resize(mMark.operands);
    mNames.resize(mMark.operands);
    mGraph.operations.resize(mMark.operations);
}

std::span<const Operation> GraphBuilder::operationsOfTransaction() const {
    return std::span(mGraph.operations).subspan(mMark.operations);
}

}  // namespace nn::importing
