// Operands of values: constants, inputs and results.
#include <absl/algorithm/container.h>
#include <fmt/format.h>

#include <algorithm>
#include <cstring>

#include "importers/common/compositions.h"
#include "importers/onnx/lowering.h"
#include "importers/onnx/patterns.h"
#include "nnapi/half.h"
#include "nnapi/type_utils.h"

namespace nn::onnx {
namespace {

using enum OperandType;
using enum OperationType;

// The type of the operand for elements of a type, quantized or not.
std::optional<OperandType> typeFor(ElementType type) {
    switch (type) {
        case ElementType::FLOAT:
            return TENSOR_FLOAT32;
        case ElementType::FLOAT16:
            return TENSOR_FLOAT16;
        case ElementType::INT32:
        case ElementType::INT64:
            return TENSOR_INT32;
        case ElementType::BOOL:
            return TENSOR_BOOL8;
        case ElementType::UINT8:
            return TENSOR_QUANT8_ASYMM;
        case ElementType::INT8:
            return TENSOR_QUANT8_ASYMM_SIGNED;
        default:
            return std::nullopt;
    }
}

// Without a quantization, 8 bits stand for themselves.
void setQuantization(Operand& operand, const std::optional<Quantization>& quantization) {
    if (operand.type == TENSOR_INT32 && quantization && !quantization->isPerChannel()) {
        operand.scale = quantization->scale;  // of a bias
        return;
    }
    if (operand.type != TENSOR_QUANT8_ASYMM && operand.type != TENSOR_QUANT8_ASYMM_SIGNED) return;
    if (quantization && quantization->isPerChannel()) {
        operand.type = TENSOR_QUANT8_SYMM_PER_CHANNEL;
        operand.extraParams = Operand::SymmPerChannelQuantParams{
                .scales = quantization->channelScales, .channelDim = quantization->channelAxis};
        return;
    }
    operand.scale = quantization ? quantization->scale : 1;
    operand.zeroPoint = quantization ? quantization->zeroPoint : 0;
}

}  // namespace

std::optional<OperandType> Lowering::operandType(const Value& value) {
    const std::optional<OperandType> type = typeFor(value.type);
    if (!type) {
        refuse(value.name, "is of " + toString(value.type),
               "float, float16, int32, int64, uint8, int8 and bool");
    }
    return type;
}

uint32_t Lowering::constantOperand(const Constant& constant,
                                   const std::optional<Quantization>& quantization,
                                   std::string name) {
    const std::optional<OperandType> type = typeFor(constant.type);
    if (!type || constant.bytes.empty()) {
        refuse(name,
               fmt::format("is of {} with the dimensions {}", toString(constant.type),
                           shapeText(constant.dimensions)),
               "float, float16, int32, int64, uint8, int8 and bool, with dimensions above 0");
        return mBuilder.noValue(TENSOR_FLOAT32, operandDimensions(constant.dimensions));
    }
    Operand operand{.type = *type, .dimensions = operandDimensions(constant.dimensions)};
    setQuantization(operand, quantization);
    if (constant.type != ElementType::INT64) {
        return mBuilder.constant(std::move(operand), constant.bytes, std::move(name));
    }
    std::vector<int32_t> narrow;
    bool isNarrow = true;
    if (fitsModel(constant.count(), sizeof(int32_t))) {
        narrow.reserve(constant.count());
        constant.forEachInteger([&](int64_t value) {
            isNarrow &= std::in_range<int32_t>(value);
            narrow.push_back(static_cast<int32_t>(value));
        });
    }
    if (!isNarrow) refuse(name, "has elements of more than 32 bits", "elements of 32 bits");
    return mBuilder.constant(std::move(operand), importing::bytesOf(narrow), std::move(name));
}

uint32_t Lowering::reals(uint32_t like, std::span<const float> values, Dimensions dimensions) {
    if (dimensions.empty()) dimensions = {static_cast<uint32_t>(values.size())};
    if (mBuilder.operand(like).type != TENSOR_FLOAT16) {
        return constantOperand(makeFloats(std::move(dimensions), values));
    }
    std::vector<uint16_t> halves;
    for (const float value : values) halves.push_back(floatToHalf(value));
    return mBuilder.constant({.type = TENSOR_FLOAT16, .dimensions = std::move(dimensions)},
                             importing::bytesOf(halves));
}

uint32_t Lowering::realScalar(uint32_t like, float value) {
    return mBuilder.operand(like).type == TENSOR_FLOAT16 ? mBuilder.halfScalar(value)
                                                         : mBuilder.scalar(value);
}

uint32_t Lowering::operandOf(ValueId id) {
    if (id == kNoValue) return packedOperandOf(id);
    const uint32_t operand = packedOperandOf(id);
    const Dimensions& dimensions = mGraph[id].dimensions;
    return dimensions.size() > kMaxAxes ? reshaped(operand, dimensions) : operand;
}

uint32_t Lowering::packedOperandOf(ValueId id) {
    if (id == kNoValue) {
        refuse("", "omits an input that the operation needs");
        return mBuilder.noValue(TENSOR_FLOAT32, {1});
    }
    Value& value = mGraph[id];
    if (!value.operand) {
        value.operand = materialize(id);
        mTouched.push_back(id);
    }
    return *value.operand;
}

uint32_t Lowering::materialize(ValueId id) {
    const Value& value = mGraph[id];
    if (value.constant) {
        return constantOperand(*value.constant, value.quantization, std::string(value.name));
    }
    if (value.dequantizes != kNoValue) return dequantize(value.dequantizes, value.name);
    // An output of a refused operator is an input.
    const std::optional<OperandType> type = operandType(value);
    if (!type) return mBuilder.noValue(TENSOR_FLOAT32, operandDimensions(value.dimensions));
    Operand operand{.type = *type,
                    .dimensions = operandDimensions(value.dimensions),
                    .lifetime = Operand::LifeTime::SUBGRAPH_INPUT};
    setQuantization(operand, value.quantization ? value.quantization
                                                : quantizationFromUse(mGraph, id, mBudget));
    return mBuilder.add(std::move(operand), std::string(value.name));
}

uint32_t Lowering::dequantize(ValueId source, std::string_view name) {
    const Value& quantized = mGraph[source];
    const Quantization quantization = quantized.quantization.value_or(Quantization());
    if (quantized.constant) {
        const Constant& constant = *quantized.constant;
        if (!fitsModel(constant.count(), sizeof(float))) {
            return mBuilder.noValue(TENSOR_FLOAT32, operandDimensions(quantized.dimensions));
        }
        const auto reals = dequantized(constant, quantization);
        if (!reals) {
            refuse(quantized.name, "is of " + toString(quantized.type), "integers");
            return mBuilder.noValue(TENSOR_FLOAT32, operandDimensions(quantized.dimensions));
        }
        return constantOperand(*reals, {}, std::string(name));
    }
    const uint32_t from = operandOf(source);
    const uint32_t to = mBuilder.add({.type = TENSOR_FLOAT32, .dimensions = operandDims(from)},
                                     std::string(name));
    emit({DEQUANTIZE, {from}, {to}});
    return to;
}

std::optional<Constant> Lowering::constantOf(size_t input) {
    const Value& value = in(input);
    if (value.constant || value.dequantizes == kNoValue) return value.constant;
    const Value& source = mGraph[value.dequantizes];
    if (!source.constant || !fitsModel(source.constant->count(), sizeof(float))) return {};
    return dequantized(*source.constant, source.quantization.value_or(Quantization()));
}

uint32_t Lowering::define(size_t output, ElementType type, Dimensions dimensions,
                          const std::optional<Quantization>& quantization) {
    const ValueId id = output < mOutputs.size() ? mOutputs[output] : kNoValue;
    const std::optional<OperandType> operandType = typeFor(type);
    if (!operandType) {
        refuse(id == kNoValue ? "" : mGraph[id].name, "is of " + toString(type),
               "float, float16, int32, int64, uint8, int8 and bool");
        return mBuilder.noValue(TENSOR_FLOAT32, operandDimensions(dimensions));
    }
    Operand operand{.type = *operandType, .dimensions = operandDimensions(dimensions)};
    setQuantization(operand, quantization);
    if (id == kNoValue) return mBuilder.add(std::move(operand));
    Value& value = mGraph[id];
    if (absl::c_linear_search(dimensions, 0u)) {
        refuse(value.name, fmt::format("has the dimensions {}", shapeText(dimensions)),
               "dimensions above 0");
    } else {
        requireShape(value.name, dimensions);
    }
    value.describe(type, std::move(dimensions));
    value.quantization = quantization;
    value.operand = mBuilder.add(std::move(operand), std::string(value.name));
    mTouched.push_back(id);
    return *value.operand;
}

void Lowering::requireShape(std::string_view name, const Dimensions& dimensions) {
    if (Shape::isCountable(dimensions, maxRank())) return;
    refuse(name, fmt::format("has the dimensions {}", shapeText(dimensions)),
           fmt::format("at most {} dimensions, and a number of elements below 2^64", maxRank()));
}

uint32_t Lowering::defineLike(size_t output, size_t input, Dimensions dimensions) {
    const Value& like = in(input);
    const auto quantization = mOutputQuantization ? mOutputQuantization : like.quantization;
    return define(output, like.type, std::move(dimensions), quantization);
}

void Lowering::alias(size_t output, ValueId id) {
    if (!hasOutput(output) || id == kNoValue) return;
    Value& to = mGraph[mOutputs[output]];
    const Value& from = mGraph[id];
    if (!from.constant && from.dequantizes == kNoValue) to.operand = packedOperandOf(id);
    to.describe(from.type, from.dimensions);
    to.constant = from.constant;
    to.quantization = from.quantization;
    to.dequantizes = from.dequantizes;
    mTouched.push_back(mOutputs[output]);
}

void Lowering::defineConstant(size_t output, Constant constant) {
    if (!hasOutput(output)) return;
    mGraph[mOutputs[output]].setConstant(std::move(constant));
}

void Lowering::adopt(size_t output, size_t input, uint32_t operand, Dimensions dimensions) {
    if (!hasOutput(output)) return;
    requireShape(outputName(output), dimensions);
    Value& value = mGraph[mOutputs[output]];
    value.describe(in(input).type, std::move(dimensions));
    value.quantization = in(input).quantization;
    value.operand = operand;
    mTouched.push_back(mOutputs[output]);
    std::string& name = mBuilder.name(operand);
    if (name.empty()) name = value.name;
}

void Lowering::adoptPacked(size_t output, size_t input, uint32_t operand, Dimensions dimensions) {
    const bool isPacked = dimensions.size() > kMaxAxes;
    const uint32_t shaped = isPacked ? operand : reshaped(operand, operandDimensions(dimensions));
    adopt(output, input, shaped, std::move(dimensions));
}

void Lowering::dequantizeInto(size_t output, ValueId id) {
    if (!hasOutput(output)) return;
    Value& value = mGraph[mOutputs[output]];
    value.describe(ElementType::FLOAT, mGraph[id].dimensions);
    value.dequantizes = id;
}

void Lowering::setDimensions(size_t output, Dimensions dimensions) {
    if (!hasOutput(output)) return;
    Value& value = mGraph[mOutputs[output]];
    if (value.constant) value.constant->dimensions = dimensions;
    value.dimensions = std::move(dimensions);
}

void Lowering::retype(size_t output, ElementType type) {
    if (hasOutput(output)) mGraph[mOutputs[output]].type = type;
}

// ---------------------------------------------------------------------------------------------
// Operations

uint32_t Lowering::temporary(uint32_t like, Dimensions dimensions) {
    Operand operand = mBuilder.operand(like);
    operand.dimensions = std::move(dimensions);
    operand.lifetime = Operand::LifeTime::TEMPORARY_VARIABLE;
    operand.location = {};
    return mBuilder.add(std::move(operand));
}

uint32_t Lowering::apply(OperationType type, std::vector<uint32_t> inputs, uint32_t like,
                         Dimensions dimensions) {
    const uint32_t output = temporary(like, std::move(dimensions));
    emit({type, std::move(inputs), {output}});
    return output;
}

void Lowering::reshape(uint32_t operand, const Dimensions& dimensions, uint32_t to) {
    if (mBuilder.operand(operand).type == TENSOR_BOOL8) {
        return importing::composeReshape(mBuilder, operand, to);
    }
    emit({RESHAPE, {operand, mBuilder.vector(dimensions)}, {to}});
}

uint32_t Lowering::reshaped(uint32_t operand, const Dimensions& dimensions) {
    if (operandDims(operand) == dimensions) return operand;
    const uint32_t to = temporary(operand, dimensions);
    reshape(operand, dimensions, to);
    return to;
}

uint32_t Lowering::transposed(uint32_t operand, std::span<const uint32_t> axes) {
    Dimensions dimensions;
    for (const uint32_t axis : axes) dimensions.push_back(operandDims(operand)[axis]);
    return apply(TRANSPOSE, {operand, mBuilder.vector(axes)}, operand, std::move(dimensions));
}

// ---------------------------------------------------------------------------------------------
// Inputs and outputs of the graph

void Lowering::addInputs() {
    for (const ValueId id : mGraph.inputs) {
        Value& value = mGraph[id];
        const std::optional<OperandType> type = typeFor(value.type);
        if (!value.isKnown || !type || absl::c_linear_search(value.dimensions, 0u)) continue;
        const bool isByte = *type == TENSOR_QUANT8_ASYMM || *type == TENSOR_QUANT8_ASYMM_SIGNED;
        if (isByte && !value.quantization)
            value.quantization = quantizationFromUse(mGraph, id, mBudget);
        if (value.type == ElementType::INT64 && value.isInput) {
            lose(value.name, "int64", "TENSOR_INT32", "NNAPI has no integers of 64 bits");
        }
        value.operand = materialize(id);
        tellMadeUnsigned("input", id);
    }
}

void Lowering::tellMadeUnsigned(std::string_view kind, ValueId id) {
    const Value& value = mGraph[id];
    const bool isUnsigned = mBuilder.makesUnsigned() && value.type == ElementType::INT8;
    if (!isUnsigned || !(value.isInput || value.isOutput)) return;
    mLosses.push_back(
            importing::unsignedInPlaceOfSigned(fmt::format("{} '{}'", kind, value.name.raw)));
}

uint32_t Lowering::outputOperand(ValueId id) {
    const uint32_t operand = operandOf(id);
    const Operand::LifeTime lifetime = mBuilder.operand(operand).lifetime;
    const Value& value = mGraph[id];
    // It is dequantized, or only gets another shape.
    const Dimensions dimensions = operandDimensions(value.dimensions);
    if (lifetime == Operand::LifeTime::TEMPORARY_VARIABLE && operandDims(operand) == dimensions) {
        mBuilder.name(operand) = value.name;
        return operand;
    }
    const uint32_t copy = temporary(operand, dimensions);
    mBuilder.name(copy) = value.name;
    importing::composeCopy(mBuilder, operand, copy);
    return copy;
}

void Lowering::addOutput(ValueId id) {
    mRefusals.clear();
    const uint32_t operand = outputOperand(id);
    mBuilder.operand(operand).lifetime = Operand::LifeTime::SUBGRAPH_OUTPUT;
    mBuilder.graph().outputIndexes.push_back(operand);
    tellMadeUnsigned("output", id);
}

}  // namespace nn::onnx
