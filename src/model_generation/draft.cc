#include "model_generation/draft.h"

#include <utility>

#include "model_generation/memories.h"
#include "nnapi/type_utils.h"
#include "nnapi/validate.h"
#include "validate/operation_check.h"

namespace nn::testing {

void Draft::rollBack(const Checkpoint& checkpoint) {
    graph.operands.resize(checkpoint.operands);
    mValues.resize(checkpoint.values);
    mPool.resize(checkpoint.pool);
}

bool Draft::isAvailable(OperandType type) const {
    const OperandTypeInfo* info = operandTypeInfo(type);
    return info != nullptr && isCompliantVersion(info->since, target);
}

std::vector<uint32_t> Draft::anyDimensions(bool mayBeUnknown) {
    if (mayBeUnknown && mayHaveUnknownRank() && source.oneIn(8)) return {};
    std::vector<uint32_t> dimensions(source.oneIn(3) ? 1 + source.below(4)
                                                     : 4 - 2 * source.below(2));
    for (uint32_t& dimension : dimensions) {
        dimension = static_cast<uint32_t>(1 + source.below(3));
        if (mayBeUnknown && source.oneIn(12)) dimension = 0;
    }
    return dimensions;
}

Operand Draft::newOperand(OperandType type, std::vector<uint32_t> dimensions,
                          const Quantization& quantization) {
    Operand operand{.type = type};
    const OperandTypeInfo* info = operandTypeInfo(type);
    if (info == nullptr) return operand;
    if (info->isTensor) operand.dimensions = std::move(dimensions);
    if (info->scale == ScaleRule::POSITIVE) {
        operand.scale = quantization.scale;
        operand.zeroPoint =
                std::clamp(quantization.zeroPoint, info->zeroPointMin, info->zeroPointMax);
    }
    if (type == OperandType::TENSOR_QUANT16_ASYMM || type == OperandType::TENSOR_QUANT16_SYMM) {
        operand.scale = kBoxScale;
        operand.zeroPoint = 0;
    }
    return operand;
}

void Draft::setChannelScales(Operand& operand, size_t dimension) {
    if (operand.type != OperandType::TENSOR_QUANT8_SYMM_PER_CHANNEL) return;
    std::vector<float> scales(operand.dimensions[dimension], 0.5f);
    if (options.varied) {
        const uint64_t powers = 1 + source.below(10);  // by which scales differ
        for (float& scale : scales) {
            scale = static_cast<float>(256 + source.below(256)) / 512 /
                    static_cast<float>(uint64_t{1} << source.below(powers));
        }
    } else if (source.coin()) {
        for (float& scale : scales) scale = static_cast<float>(1 + source.below(16)) / 16;
    }
    operand.extraParams = Operand::SymmPerChannelQuantParams{
            .scales = std::move(scales), .channelDim = static_cast<uint32_t>(dimension)};
}

Operand Draft::anyOperand(OperandType type, bool mayBeUnknown) {
    const bool isPerChannel = type == OperandType::TENSOR_QUANT8_SYMM_PER_CHANNEL;
    Operand operand =
            newOperand(type, anyDimensions(mayBeUnknown && !isPerChannel), anyQuantization(source));
    setChannelScales(operand, source.coin() || !isPerChannel ? 0 : operand.dimensions.size() - 1);
    return operand;
}

uint32_t Draft::add(Operand operand) {
    graph.operands.push_back(std::move(operand));
    return static_cast<uint32_t>(graph.operands.size() - 1);
}

uint32_t Draft::addConstant(Operand operand, std::span<const uint8_t> value) {
    const bool isInPool = options.varied ? source.oneIn(16) : source.coin();
    std::vector<uint8_t>& storage = isInPool ? mPool : mValues;
    operand.lifetime = &storage == &mPool ? LifeTime::CONSTANT_REFERENCE : LifeTime::CONSTANT_COPY;
    storage.resize((storage.size() + 3) / 4 * 4);
    operand.location = {.offset = static_cast<uint32_t>(storage.size()),
                        .length = static_cast<uint32_t>(value.size())};
    storage.insert(storage.end(), value.begin(), value.end());
    return add(std::move(operand));
}

uint32_t Draft::addInteger(OperandType type, std::vector<uint32_t> dimensions, int32_t value) {
    std::vector<uint8_t> bytes;
    append(bytes, type, static_cast<float>(value));
    return addConstant(newOperand(type, std::move(dimensions), {}), bytes);
}

uint32_t Draft::addTensor(OperandType type, std::vector<uint32_t> dimensions, LifeTime lifetime) {
    return add({.type = type, .dimensions = std::move(dimensions), .lifetime = lifetime});
}

uint32_t Draft::addFloats(LifeTime lifetime) {
    return addTensor(OperandType::TENSOR_FLOAT32, {2, 2}, lifetime);
}

uint32_t Draft::addOmitted(Operand operand) {
    operand.lifetime = LifeTime::NO_VALUE;
    return add(std::move(operand));
}

uint32_t Draft::addOutput(Operand operand) {
    const bool isTemporary = !options.varied && source.coin();
    operand.lifetime = isTemporary ? LifeTime::TEMPORARY_VARIABLE : LifeTime::SUBGRAPH_OUTPUT;
    return add(std::move(operand));
}

uint32_t Draft::addReadable(Operand operand) {
    const bool isParameter =
            isNonExtensionScalar(operand.type) || operand.type == OperandType::TENSOR_INT32;
    const bool hasSize = operandSize(operand).value_or(0) != 0;
    if (hasSize && !needsInput() && (isParameter ? source.below(8) != 0 : source.coin())) {
        const std::vector<uint8_t> value =
                options.varied ? variedValue(source, operand, spread) : anyValue(source, operand);
        return addConstant(std::move(operand), value);
    }
    operand.lifetime = LifeTime::SUBGRAPH_INPUT;
    return add(std::move(operand));
}

uint32_t Draft::addAnyInput(OperandType type) {
    const auto found = findReadable(type, [](const auto&) { return true; });
    return found ? *found : addReadable(anyOperand(type, /*mayBeUnknown=*/true));
}

bool Draft::hasOperand(LifeTime lifetime) const {
    return absl::c_any_of(graph.operands,
                          [&](const Operand& operand) { return operand.lifetime == lifetime; });
}

ops::Value Draft::valueOf(uint32_t index) const {
    const Operand& operand = graph.operands[index];
    ops::Value value = declaredValue(operand, index);
    const std::vector<uint8_t>& storage =
            operand.lifetime == LifeTime::CONSTANT_REFERENCE ? mPool : mValues;
    if (isConstant(operand.lifetime))
        value.data = ops::Bytes::entrusted(storage.data() + operand.location.offset);
    return value;
}

void Draft::listInputsAndOutputs() {
    for (uint32_t i = 0; i < graph.operands.size(); ++i) {
        const LifeTime lifetime = graph.operands[i].lifetime;
        if (lifetime == LifeTime::SUBGRAPH_INPUT) graph.inputIndexes.push_back(i);
        if (lifetime == LifeTime::SUBGRAPH_OUTPUT) graph.outputIndexes.push_back(i);
    }
}

Model Draft::finish() && {
    std::vector<Operand>& operands = graph.operands;
    if (!hasOperand(LifeTime::SUBGRAPH_OUTPUT)) {
        operands[graph.operations.back().outputs.front()].lifetime = LifeTime::SUBGRAPH_OUTPUT;
    }
    listInputsAndOutputs();
    if (source.coin()) absl::c_reverse(graph.inputIndexes);
    model.main = std::move(graph);
    model.operandValues = Model::OperandValues(std::move(mValues));
    if (!mPool.empty()) {
        model.pools.push_back(source.coin() ? memoryOf(mPool) : asFile(memoryOf(mPool)));
    }
    if (!options.executable && source.oneIn(4)) {  // adds an unused pool
        const auto version = static_cast<HalVersion>(featureLevel(target) - 1);
        model.pools.push_back(validMemory(source, version, 1 + source.below(64)));
    }
    model.relaxComputationFloat32toFloat16 = source.oneIn(4) && !options.varied;
    if (hasExtension)
        model.extensionNameToPrefix = {{.name = "com.example.extension", .prefix = kPrefix}};
    if (options.unknownDimensions) forgetDimensions();
    return std::move(model);
}

void Draft::forgetDimensions() {
    for (Operand& operand : model.main.operands) {
        const bool isWritten = operand.lifetime == LifeTime::TEMPORARY_VARIABLE ||
                               operand.lifetime == LifeTime::SUBGRAPH_OUTPUT;
        if (!isWritten || operand.dimensions.empty() || !source.oneIn(3)) continue;
        uint32_t& dimension = operand.dimensions[source.below(operand.dimensions.size())];
        const uint32_t known = std::exchange(dimension, 0);
        if (!validateFor(model, target).ok()) dimension = known;
    }
}

}  // namespace nn::testing
