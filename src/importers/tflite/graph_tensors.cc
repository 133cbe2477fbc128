#include "importers/tflite/graph_tensors.h"

#include <absl/algorithm/container.h>
#include <fmt/format.h>

#include <algorithm>
#include <cstring>

#include "base/plurals.h"
#include "base/printable.h"
#include "base/spelling_suggestions.h"
#include "importers/common/joined_axes.h"
#include "importers/tflite/constants.h"
#include "nnapi/checked_math.h"
#include "nnapi/type_utils.h"

namespace nn::tflite {
namespace {

constexpr uint64_t kMadeForEachByte = 64;
constexpr uint64_t kMadeForAnyFile = 1 << 20;

constexpr std::string_view kAllowedTypes = "FLOAT32, FLOAT16, INT32, UINT8, INT8, INT16, BOOL";

std::optional<OperandType> typeOf(const FileTensor& tensor) {
    switch (tensor.type) {
        case TensorType::FLOAT32:
            return OperandType::TENSOR_FLOAT32;
        case TensorType::FLOAT16:
            return OperandType::TENSOR_FLOAT16;
        case TensorType::INT32:
            return OperandType::TENSOR_INT32;
        case TensorType::UINT8:
            return OperandType::TENSOR_QUANT8_ASYMM;
        case TensorType::INT8:
            return OperandType::TENSOR_QUANT8_ASYMM_SIGNED;
        case TensorType::INT16:
            return OperandType::TENSOR_QUANT16_SYMM;
        case TensorType::BOOL:
            return OperandType::TENSOR_BOOL8;
        default:
            return std::nullopt;
    }
}

// Returns the error of the quantization; empty if there is none.
std::string quantize(const FileTensor& tensor, Operand& operand) {
    if (!tensor.channelScales.empty()) {
        if (tensor.type != TensorType::INT8) {
            return fmt::format("is {} with several scales, allowed INT8", nameOf(tensor.type));
        }
        if (tensor.hasChannelZeroPoint) return "has several zero points that are not 0, allowed 0";
        if (tensor.channelDimension < 0) return "has scales along a negative dimension";
        operand.type = OperandType::TENSOR_QUANT8_SYMM_PER_CHANNEL;
        operand.extraParams = Operand::SymmPerChannelQuantParams{
                .scales = {tensor.channelScales.begin(), tensor.channelScales.end()},
                .channelDim = static_cast<uint32_t>(tensor.channelDimension)};
        return {};
    }
    const auto zeroPoint = checkedCast<int32_t>(tensor.zeroPoint);
    if (!zeroPoint) return fmt::format("has zero point {}", tensor.zeroPoint);
    operand.scale = tensor.scale == 0 ? 1.0f : tensor.scale;
    operand.zeroPoint = *zeroPoint;
    return {};
}

bool isOfQuantizedType(TensorType type) {
    return type == TensorType::UINT8 || type == TensorType::INT8 || type == TensorType::INT16;
}

}  // namespace

// ---------------------------------------------------------------------------------------------
// Constants

Constants::Constants(std::span<const uint8_t> file, SharedMemory pool, const Limits& limits)
    : mFile(file),
      mLimits(limits),
      mMaxMade(std::min(kMadeForAnyFile + kMadeForEachByte * file.size(), limits.constantBytes)) {
    mStore.limitCopies(file.size() + mMaxMade);
    constexpr uint64_t kOfHalves = 2;  // as FLOAT32
    mStore.expectCopies(kOfHalves * file.size());
    if (pool != nullptr) mStore.keepFile(file, std::move(pool));
}

bool Constants::assign(std::span<const uint8_t> data, Operand& operand) {
    if (const auto place = mStore.placeInFile(data, operand.type)) {
        operand.lifetime = Operand::LifeTime::CONSTANT_REFERENCE;
        operand.location = *place;
        return true;
    }
    const bool isInFile = !data.empty() && importing::offsetIn(mFile, data).has_value();
    operand.lifetime = Operand::LifeTime::CONSTANT_COPY;
    const std::pair key(data.data(), data.size());
    if (const auto copied = mCopied.find(key); isInFile && copied != mCopied.end()) {
        operand.location = copied->second;
        return true;
    }
    // Data of tensors may overlap.
    const bool isFirst = isInFile && data.size() <= mFile.size() - mCopiedBytes;
    if (!isFirst && !mayMake(data.size())) return false;
    if (isFirst) mCopiedBytes += data.size();
    const std::optional<DataLocation> location = mStore.copy(data);
    if (!location) return false;
    if (isInFile) mCopied.emplace(key, *location);
    operand.location = *location;
    return true;
}

bool Constants::mayMake(uint64_t bytes) {
    if (bytes > mMaxMade || mMade > mMaxMade - bytes) return false;
    mMade += bytes;
    return true;
}

// ---------------------------------------------------------------------------------------------
// GraphTensors

GraphTensors::GraphTensors(const FlatGraph& graph, Constants& constants, Version target)
    : mTensors(graph.tensors),
      mConstants(constants),
      mBuilder(constants.store(), constants.limits(), target),
      mOperands(graph.tensors.size()),
      mPacked(graph.tensors.size()),
      mIsWritten(graph.tensors.size(), false) {
    // Inputs come from outside, whatever the file has for them.
    for (const uint32_t input : graph.inputs) {
        mTensors[input].hasData = false;
        mIsWritten[input] = true;
    }
}

bool GraphTensors::isWritten(uint32_t index) const {
    return mIsWritten[index] || mTensors[index].hasData || mTensors[index].isVariable;
}

Status GraphTensors::reshape(const std::map<std::string, Dimensions>& shapes,
                             std::span<const uint32_t> inputs) {
    bool isChanged = false;
    std::vector<bool> isInput(mTensors.size(), false);
    std::vector<std::string_view> names;
    for (const uint32_t input : inputs) {
        isInput[input] = true;
        names.push_back(mTensors[input].name);
    }
    for (const auto& [name, dimensions] : shapes) {
        const auto named = absl::c_find(names, name);
        if (named == names.end()) {
            return makeError(ErrorStatus::INVALID_ARGUMENT,
                             fmt::format("the file has no input {}{}", inQuotes(name),
                                         didYouMean(name, names)));
        }
        FileTensor& tensor = mTensors[inputs[named - names.begin()]];
        if (tensor.dimensions.size() != dimensions.size()) {
            return makeError(ErrorStatus::INVALID_ARGUMENT,
                             fmt::format("input {} has rank {}, and cannot get dimensions {}",
                                         inQuotes(name), tensor.dimensions.size(),
                                         DimensionList{dimensions}));
        }
        isChanged |= tensor.dimensions != dimensions;
        tensor.dimensions = dimensions;
        tensor.hasUnknownDimension = absl::c_linear_search(dimensions, 0u);
    }
    const bool hasOpen = absl::c_any_of(
            mTensors, [](const FileTensor& tensor) { return tensor.hasUnknownDimension; });
    if (!isChanged || hasOpen) return absl::OkStatus();
    for (size_t i = 0; i < mTensors.size(); ++i) {
        FileTensor& tensor = mTensors[i];
        if (isInput[i] || tensor.hasData || tensor.isVariable || tensor.dimensions.empty())
            continue;
        std::fill(tensor.dimensions.begin(), tensor.dimensions.end() - 1, 0);
        tensor.hasUnknownDimension = true;
    }
    return absl::OkStatus();
}

std::string GraphTensors::nameOf(uint32_t tensor) const {
    const std::string_view name = mTensors[tensor].name;
    return name.empty() ? fmt::format("#{}", tensor) : std::string(name);
}

Result<std::optional<std::span<const uint8_t>>> GraphTensors::dataOf(uint32_t index) {
    using Data = std::optional<std::span<const uint8_t>>;
    if (const auto folded = mFolded.find(index); folded != mFolded.end()) {
        return Data(folded->second);
    }
    const FileTensor& tensor = mTensors[index];
    if (!tensor.hasData || tensor.isVariable) return Data();
    if (tensor.sparsity == nullptr) return Data(tensor.data);
    if (const auto failed = mUnreadable.find(index); failed != mUnreadable.end()) {
        return failed->second;
    }
    auto dense = expand(tensor);
    if (!dense.ok()) {
        mUnreadable.emplace(index, dense.status());
        return dense.status();
    }
    const auto [made, isNew] = mFolded.emplace(index, *std::move(dense));
    return Data(made->second);
}

Result<std::vector<uint8_t>> GraphTensors::expand(const FileTensor& tensor) {
    NNAPI_ASSIGN_OR_RETURN(bytes, denseSizeOf(tensor));
    if (!mConstants.mayMake(bytes)) {
        return makeError(ErrorStatus::RESOURCE_EXHAUSTED_PERSISTENT, kOutOfProportion);
    }
    return denseOf(tensor);
}

std::variant<Operand, ImportRefusal> GraphTensors::describe(uint32_t index) const {
    const FileTensor& tensor = mTensors[index];
    Operand operand;
    operand.dimensions = tensor.dimensions;
    if (operand.dimensions.empty()) operand.dimensions = {1};
    const std::optional<OperandType> type = typeOf(tensor);
    if (!type) {
        return ImportRefusal{.tensor = nameOf(index),
                             .found = "is " + tflite::nameOf(tensor.type),
                             .allowed = std::string(kAllowedTypes)};
    }
    operand.type = *type;
    if (isOfQuantizedType(tensor.type)) {
        const std::string wrong = quantize(tensor, operand);
        if (!wrong.empty()) return ImportRefusal{.tensor = nameOf(index), .found = wrong};
    }
    return operand;
}

std::variant<uint32_t, ImportRefusal> GraphTensors::operandOf(uint32_t index) {
    if (mOperands[index]) return *mOperands[index];
    if (!mPacked[index]) return makeOperand(index, mOperands);
    auto described = describe(index);
    if (auto* refusal = std::get_if<ImportRefusal>(&described)) return std::move(*refusal);
    const uint32_t made = mBuilder.add(std::get<Operand>(std::move(described)),
                                       std::string(mTensors[index].name));
    if (!emitReshape(*mPacked[index], made)) {
        return ImportRefusal{.tensor = nameOf(index), .found = std::string(kOutOfProportion)};
    }
    set(mOperands, index, made);
    return made;
}

// BOOL is reshaped by constants of as many floats, twice.
bool GraphTensors::emitReshape(uint32_t from, uint32_t to) {
    const Operand& source = mBuilder.operand(from);
    if (source.type == OperandType::TENSOR_BOOL8) {
        const auto bytes = checkedMul<uint64_t>(checkedProduct<uint64_t>(source.dimensions),
                                                uint64_t{2 * sizeof(float)});
        if (!bytes || !mConstants.mayMake(*bytes)) return false;
    }
    importing::composeReshape(mBuilder, from, to);
    return true;
}

// RESHAPE has no input of as many axes: an operand that has them stays as it is.
bool GraphTensors::isPackable(uint32_t index) const {
    const FileTensor& tensor = mTensors[index];
    if (mPacked[index]) return true;
    if (mOperands[index] && !tensor.hasData) return false;
    return tensor.dimensions.size() > importing::kMaxAxes && !tensor.hasUnknownDimension &&
           tensor.channelScales.empty() &&
           checkedProduct<int32_t>(tensor.dimensions).value_or(0) > 0;
}

std::variant<uint32_t, ImportRefusal> GraphTensors::packedOperandOf(uint32_t index) {
    if (mPacked[index]) return *mPacked[index];
    if (!isPackable(index)) return operandOf(index);
    return makeOperand(index, mPacked);
}

std::variant<uint32_t, ImportRefusal> GraphTensors::makeOperand(uint32_t index, Slots& slots) {
    const FileTensor& tensor = mTensors[index];
    const auto data = dataOf(index);
    if (!data.ok()) {
        return ImportRefusal{.tensor = nameOf(index), .found = data.error().message};
    }
    if (*data && tensor.type == TensorType::INT64) {
        if (!mConstants.mayMake((*data)->size())) {
            return ImportRefusal{.tensor = nameOf(index), .found = std::string(kOutOfProportion)};
        }
        const auto ints = intsOf(tensor.type, **data);
        if (!ints) {
            return ImportRefusal{.tensor = nameOf(index),
                                 .found = "is INT64 with a value of more than 32 bits",
                                 .allowed = "values of 32 bits"};
        }
        std::vector<uint8_t> bytes(ints->size() * sizeof(int32_t));
        if (!ints->empty()) std::memcpy(bytes.data(), ints->data(), bytes.size());
        fold(index, TensorType::INT32, std::move(bytes));
        return makeOperand(index, slots);
    }
    auto described = describe(index);
    if (auto* refusal = std::get_if<ImportRefusal>(&described)) return std::move(*refusal);
    Operand& operand = std::get<Operand>(described);
    if (&slots == &mPacked) {
        operand.dimensions = {checkedProduct<uint32_t>(tensor.dimensions).value_or(0)};
    }
    if (*data) return constantOperandOf(index, std::move(operand), **data, slots);
    if (!isWritten(index)) {
        const bool isEmpty =
                absl::c_linear_search(tensor.dimensions, 0u) && !tensor.hasUnknownDimension;
        return ImportRefusal{
                .tensor = nameOf(index),
                .found = isEmpty ? fmt::format("has the dimensions {}",
                                               DimensionList{tensor.dimensions})
                                 : "is read, but neither computed before nor a constant",
                .allowed = isEmpty ? "dimensions above 0" : ""};
    }
    set(slots, index, mBuilder.add(std::move(operand), std::string(tensor.name)));
    return *slots[index];
}

std::variant<uint32_t, ImportRefusal> GraphTensors::constantOperandOf(uint32_t index,
                                                                      Operand operand,
                                                                      std::span<const uint8_t> data,
                                                                      Slots& slots) {
    const auto elements = checkedProduct<uint64_t>(operand.dimensions);
    const auto bytes = checkedMul<uint64_t>(elements, uint64_t{elementSize(operand.type)});
    if (!bytes || *bytes != data.size()) {
        return ImportRefusal{
                .tensor = nameOf(index),
                .found = fmt::format("has {} for dimensions {}", Plural{data.size(), "bytes"},
                                     DimensionList{operand.dimensions}),
                .allowed = bytes ? fmt::format("{}", *bytes) : "less than 2^64"};
    }
    std::string name(mTensors[index].name);
    const bool isChanged =
            mBuilder.makesUnsigned() && operand.type == OperandType::TENSOR_QUANT8_ASYMM_SIGNED;
    if (isChanged ? !mConstants.mayMake(data.size()) : !mConstants.assign(data, operand)) {
        return ImportRefusal{.tensor = nameOf(index), .found = std::string(kOutOfProportion)};
    }
    set(slots, index,
        isChanged ? mBuilder.constant(std::move(operand), data, std::move(name))
                  : mBuilder.add(std::move(operand), std::move(name)));
    return *slots[index];
}

void GraphTensors::set(Slots& slots, uint32_t tensor, uint32_t operand) {
    mChanges.push_back({.slots = &slots, .tensor = tensor, .before = slots[tensor]});
    slots[tensor] = operand;
}

void GraphTensors::setOperand(uint32_t tensor, uint32_t operand) {
    set(mOperands, tensor, operand);
}

void GraphTensors::setDimensions(uint32_t index, Dimensions dimensions) {
    FileTensor& tensor = mTensors[index];
    tensor.hasUnknownDimension = !tensor.hasData && absl::c_linear_search(dimensions, 0u);
    tensor.dimensions = std::move(dimensions);
}

void GraphTensors::fold(uint32_t tensor, TensorType type, std::vector<uint8_t> data) {
    FileTensor& made = mTensors[tensor];
    made.type = type;
    made.hasData = true;
    made.hasUnknownDimension = false;
    made.sparsity = nullptr;
    mFolded[tensor] = std::move(data);
}

void GraphTensors::begin() {
    mChanges.clear();
    mBuilder.begin();
}

void GraphTensors::rollBack() {
    while (!mChanges.empty()) {
        const Change& change = mChanges.back();
        (*change.slots)[change.tensor] = change.before;
        mChanges.pop_back();
    }
    mBuilder.rollBack();
}

}  // namespace nn::tflite
