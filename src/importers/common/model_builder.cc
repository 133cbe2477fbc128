#include "importers/common/model_builder.h"

#include <algorithm>
#include <cstring>
#include <utility>

#include "base/large_pages.h"
#include "base/limits.h"
#include "nnapi/checked_math.h"
#include "nnapi/half.h"
#include "nnapi/type_utils.h"
#include "nnapi/validate.h"

namespace nn::importing {
namespace {

constexpr uint8_t kSignedToUnsigned = 128;

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

std::optional<uint64_t> visitedElements(Dimensions dimensions) {
    std::ranges::replace(dimensions, 0U, 1U);
    return checkedProduct<uint64_t>(dimensions);
}

bool ConstantStore::hasSpaceFor(std::optional<uint64_t> bytes) const {
    const auto total = checkedAdd<uint64_t>(mModel.operandValues.size(), bytes);
    return total && *total <= mMaxCopied;
}

// Values that grow step by step are copied again and again, to pages that the system clears first;
// reserved bytes take no memory until they are written.
void ConstantStore::reserveFor(size_t bytes) {
    constexpr uint64_t kLarge = 1 << 20;
    auto& values = mModel.operandValues;
    const auto needed = checkedAdd<uint64_t>(values.size(), uint64_t{bytes});
    const size_t capacity = values.bytes().capacity();
    const uint64_t expected = std::min<uint64_t>(mExpected, UINT32_MAX);
    if (!needed || *needed < kLarge || *needed <= capacity || expected <= capacity) return;
    std::vector<uint8_t> grown = std::move(values).bytes();
    grown.reserve(static_cast<size_t>(expected));
    preferLargePages(grown.data(), grown.capacity());
    values = Model::OperandValues(std::move(grown));
}

std::optional<DataLocation> ConstantStore::copy(std::span<const uint8_t> bytes) {
    reserveFor(bytes.size());
    return mModel.operandValues.append(bytes.data(), bytes.size());
}

void ConstantStore::forgetCopies(size_t bytes) {
    std::vector<uint8_t> kept = std::move(mModel.operandValues).bytes();
    kept.resize(std::min(bytes, kept.size()));
    mModel.operandValues = Model::OperandValues(std::move(kept));
}

void ConstantStore::keepFile(std::span<const uint8_t> bytes, SharedMemory memory) {
    mFiles.push_back(bytes);
    mModel.pools.push_back(std::move(memory));
}

std::optional<DataLocation> ConstantStore::placeInFile(std::span<const uint8_t> data,
                                                       OperandType type) const {
    // Parameters are read before an execution: from the model itself.
    constexpr size_t kMinBytes = 1024;
    if (data.size() < kMinBytes) return std::nullopt;
    for (uint32_t pool = 0; pool < mFiles.size(); ++pool) {
        const std::optional<uint64_t> offset = offsetIn(mFiles[pool], data);
        if (!offset) continue;
        const bool isAligned = *offset % std::max(elementSize(type), 1u) == 0;
        const auto begin = checkedCast<uint32_t>(*offset);
        const auto length = checkedCast<uint32_t>(data.size());
        if (!isAligned || !begin || !length) return std::nullopt;
        return DataLocation{.poolIndex = pool, .offset = *begin, .length = *length};
    }
    return std::nullopt;
}

Model ConstantStore::take(Model::Subgraph main) {
    mModel.main = std::move(main);
    std::vector<std::vector<Operand*>> readers(mFiles.size());
    const auto collect = [&](Model::Subgraph& graph) {
        for (Operand& operand : graph.operands) {
            if (operand.lifetime == Operand::LifeTime::CONSTANT_REFERENCE)
                readers[operand.location.poolIndex].push_back(&operand);
        }
    };
    collect(mModel.main);
    for (Model::Subgraph& graph : mModel.referenced) collect(graph);
    std::vector<SharedMemory> pools;
    for (size_t file = 0; file < mFiles.size(); ++file) {
        uint64_t used = 0;
        for (const Operand* operand : readers[file]) used += operand->location.length;
        if (used < mFiles[file].size() / 2 && copyFrom(mFiles[file], readers[file])) continue;
        for (Operand* operand : readers[file]) {
            operand->location.poolIndex = static_cast<uint32_t>(pools.size());
        }
        pools.push_back(mModel.pools[file]);
    }
    mModel.pools = std::move(pools);
    return std::move(mModel);
}

// False, and nothing is changed, where the model has no place for all of them.
bool ConstantStore::copyFrom(std::span<const uint8_t> file, std::span<Operand* const> readers) {
    std::vector<DataLocation> copies;
    for (const Operand* reader : readers) {
        const auto location = copy(file.subspan(reader->location.offset, reader->location.length));
        if (!location) return false;
        copies.push_back(*location);
    }
    for (size_t i = 0; i < readers.size(); ++i) {
        readers[i]->lifetime = Operand::LifeTime::CONSTANT_COPY;
        readers[i]->location = copies[i];
    }
    return true;
}

Loss unsignedInPlaceOfSigned(std::string tensor) {
    return {.path = std::move(tensor),
            .before = "int8",
            .after = "TENSOR_QUANT8_ASYMM, each element 128 more",
            .why = "int8 needs HAL 1.3; averages round halves to the other side"};
}

uint32_t GraphBuilder::add(Operand operand, std::string name) {
    if (mMakesUnsigned && operand.type == OperandType::TENSOR_QUANT8_ASYMM_SIGNED) {
        operand.type = OperandType::TENSOR_QUANT8_ASYMM;
        // One that is illegal stays so.
        operand.zeroPoint = checkedAdd<int32_t>(operand.zeroPoint, int32_t{kSignedToUnsigned})
                                    .value_or(INT32_MAX);
    }
    if (mStatus.ok()) {
        mStatus = within(mLimits, &Limits::operands, mGraph.operands.size() + 1, "model");
    }
    constexpr size_t kMaxBeyond = 4096;
    if (!mStatus.ok() && mBeyond++ >= kMaxBeyond) return UINT32_MAX;
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

bool GraphBuilder::isInProportion(std::optional<uint64_t> bytes) {
    if (mConstants.hasSpaceFor(bytes)) return true;
    if (mStatus.ok()) {
        mStatus = makeError(ErrorStatus::RESOURCE_EXHAUSTED_PERSISTENT,
                            "constants of the model are out of proportion to the file");
    }
    return false;
}

bool GraphBuilder::hasSpaceFor(std::optional<uint64_t> bytes) {
    if (!isInProportion(bytes)) return false;
    const Status status = within(mLimits, &Limits::constantBytes, *bytes, "model");
    if (!status.ok() && mStatus.ok()) mStatus = status;
    return status.ok();
}

uint32_t GraphBuilder::constant(Operand operand, std::span<const uint8_t> bytes, std::string name) {
    std::vector<uint8_t> moved;
    if (mMakesUnsigned && operand.type == OperandType::TENSOR_QUANT8_ASYMM_SIGNED) {
        if (!isInProportion(bytes.size())) return UINT32_MAX;
        moved.assign(bytes.begin(), bytes.end());
        for (uint8_t& byte : moved) byte ^= kSignedToUnsigned;
        bytes = moved;
    }
    if (const auto place = mConstants.placeInFile(bytes, operand.type)) {
        operand.lifetime = Operand::LifeTime::CONSTANT_REFERENCE;
        operand.location = *place;
        return add(std::move(operand), std::move(name));
    }
    if (!isInProportion(bytes.size())) return UINT32_MAX;
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
    if (index != UINT32_MAX) mNewShared.push_back(mShared.emplace(std::move(key), index).first);
    return index;
}

uint32_t GraphBuilder::halfScalar(float value) {
    return shared(OperandType::FLOAT16, {}, bytesOf(floatToHalf(value)));
}

uint32_t GraphBuilder::vector(std::span<const int32_t> values) {
    return shared(OperandType::TENSOR_INT32, {static_cast<uint32_t>(values.size())},
                  bytesOf(values));
}

uint32_t GraphBuilder::vector(std::span<const uint32_t> values) {
    return vector(std::vector<int32_t>(values.begin(), values.end()));
}

uint32_t GraphBuilder::matrix(std::span<const int32_t> values, uint32_t columns) {
    return shared(OperandType::TENSOR_INT32,
                  {static_cast<uint32_t>(values.size() / columns), columns}, bytesOf(values));
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
             .operations = static_cast<uint32_t>(mGraph.operations.size()),
             .constantBytes = mConstants.model().operandValues.size()};
}

void GraphBuilder::rollBack() {
    for (const auto entry : mNewShared) mShared.erase(entry);
    mNewShared.clear();
    mGraph.operands.resize(mMark.operands);
    mNames.resize(mMark.operands);
    mGraph.operations.resize(mMark.operations);
}

void GraphBuilder::rollBackConstants() {
    rollBack();
    mConstants.forgetCopies(mMark.constantBytes);
}

std::optional<Version> GraphBuilder::versionOfTransaction() const {
    Version version = kVersionFeatureLevel1;
    for (const Operation& operation : operationsOfTransaction()) {
        const Result<Version> needed = validateOperation(operation, mGraph, mConstants.model());
        if (!needed.ok()) return std::nullopt;
        version = combineVersions(version, *needed);
    }
    return version;
}

std::span<const Operation> GraphBuilder::operationsOfTransaction() const {
    return std::span(mGraph.operations).subspan(mMark.operations);
}

}  // namespace nn::importing
