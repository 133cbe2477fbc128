// Writes the tensors of a graph.
#include <fmt/format.h>

#include <cstring>

#include "importers/tflite/file_writer.h"
#include "nnapi/half.h"
#include "nnapi/type_utils.h"

namespace nn::tflite {

std::optional<TensorType> tensorTypeOf(OperandType type) {
    switch (type) {
        case OperandType::TENSOR_FLOAT32:
            return TensorType::FLOAT32;
        case OperandType::TENSOR_FLOAT16:
            return TensorType::FLOAT16;
        case OperandType::TENSOR_INT32:
            return TensorType::INT32;
        case OperandType::TENSOR_BOOL8:
            return TensorType::BOOL;
        case OperandType::TENSOR_QUANT8_ASYMM:
            return TensorType::UINT8;
        case OperandType::TENSOR_QUANT8_ASYMM_SIGNED:
        case OperandType::TENSOR_QUANT8_SYMM:
        case OperandType::TENSOR_QUANT8_SYMM_PER_CHANNEL:
            return TensorType::INT8;
        case OperandType::TENSOR_QUANT16_SYMM:
            return TensorType::INT16;
        default:
            return std::nullopt;
    }
}

std::optional<int32_t> GraphWriter::intOf(uint32_t operand) const {
    const auto bytes = mFile.constants().bytesOf(mGraph.operands[operand]);
    if (bytes && bytes->size() == 1) return bytes->front();
    if (!bytes || bytes->size() != sizeof(int32_t)) return std::nullopt;
    int32_t value = 0;
    std::memcpy(&value, bytes->data(), sizeof(value));
    return value;
}

std::optional<float> GraphWriter::floatOf(uint32_t operand) const {
    const auto bytes = mFile.constants().bytesOf(mGraph.operands[operand]);
    if (bytes && bytes->size() == sizeof(uint16_t)) {
        uint16_t half = 0;
        std::memcpy(&half, bytes->data(), sizeof(half));
        return halfToFloat(half);
    }
    if (!bytes || bytes->size() != sizeof(float)) return std::nullopt;
    float value = 0;
    std::memcpy(&value, bytes->data(), sizeof(value));
    return value;
}

std::optional<std::vector<int32_t>> GraphWriter::intsOf(uint32_t operand) const {
    const auto bytes = mFile.constants().bytesOf(mGraph.operands[operand]);
    if (!bytes) return std::nullopt;
    std::vector<int32_t> values(bytes->size() / sizeof(int32_t));
    if (!values.empty()) std::memcpy(values.data(), bytes->data(), values.size() * sizeof(int32_t));
    return values;
}

int32_t GraphWriter::constantTensor(TensorT tensor, std::span<const uint8_t> bytes) {
    tensor.buffer = mFile.bufferOf(bytes);
    const auto index = static_cast<int32_t>(mWritten->tensors.size());
    if (tensor.name.empty()) tensor.name = fmt::format("constant_{}", index);
    mWritten->tensors.push_back(std::make_unique<TensorT>(std::move(tensor)));
    return index;
}

int32_t GraphWriter::intTensor(const std::vector<int32_t>& values) {
    TensorT tensor;
    tensor.type = TensorType::INT32;
    tensor.shape = {static_cast<int32_t>(values.size())};
    return constantTensor(std::move(tensor), importing::bytesOf(values));
}

bool GraphWriter::describe(uint32_t index, TensorT& tensor) {
    const Operand& operand = mGraph.operands[index];
    const auto type = tensorTypeOf(operand.type);
    if (!type) {
        const OperandTypeInfo* info = operandTypeInfo(operand.type);
        refuse(fmt::format("operand {} is {}, which no tensor is", index,
                           info == nullptr ? std::string_view("of an extension") : info->name));
        return false;
    }
    tensor.type = *type;
    if (operand.dimensions.empty()) {
        refuse(fmt::format("operand {} has an unknown rank", index));
        return false;
    }
    const bool isOpen = hasUnspecifiedDimensions(operand.type, operand.dimensions);
    for (const uint32_t size : operand.dimensions) {
        if (size > INT32_MAX) {
            refuse(fmt::format("operand {} has a dimension of {}", index, size));
            return false;
        }
        // A reader without the signature computes with 1.
        tensor.shape.push_back(isOpen && size == 0 ? 1 : static_cast<int32_t>(size));
        if (isOpen) tensor.shape_signature.push_back(size == 0 ? -1 : static_cast<int32_t>(size));
    }
    const auto* channels = std::get_if<Operand::SymmPerChannelQuantParams>(&operand.extraParams);
    if (channels != nullptr || operand.scale != 0) {
        tensor.quantization = std::make_unique<QuantizationParametersT>();
        if (channels != nullptr) {
            tensor.quantization->scale = channels->scales;
            tensor.quantization->zero_point.resize(channels->scales.size(), 0);
            tensor.quantization->quantized_dimension = static_cast<int32_t>(channels->channelDim);
        } else {
            tensor.quantization->scale = {operand.scale};
            tensor.quantization->zero_point = {operand.zeroPoint};
        }
    }
    return true;
}

int32_t GraphWriter::tensorOf(uint32_t operand) {
    if (mTensors[operand]) return *mTensors[operand];
    mTensors[operand] = kMissingTensor;
    if (mGraph.operands[operand].lifetime == Operand::LifeTime::NO_VALUE) return kMissingTensor;
    TensorT tensor;
    if (!describe(operand, tensor)) return kMissingTensor;
    if (operand < mNames.size()) tensor.name = mNames[operand];
    if (tensor.name.empty()) tensor.name = fmt::format("operand_{}", operand);
    const auto bytes = mFile.constants().bytesOf(mGraph.operands[operand]);
    mTensors[operand] =
            constantTensor(std::move(tensor), bytes.value_or(std::span<const uint8_t>()));
    return *mTensors[operand];
}

}  // namespace nn::tflite
