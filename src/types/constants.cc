#include "types/constants.h"

#include <fmt/format.h>

#include <cstring>

#include "nnapi/checked_math.h"
#include "nnapi/half.h"
#include "nnapi/memory.h"
#include "nnapi/type_utils.h"

namespace nn {
namespace {

template <class E>
E read(const uint8_t* data) {
    E value{};
    std::memcpy(&value, data, sizeof(E));
    return value;
}

std::string elementText(OperandType type, const uint8_t* data) {
    switch (type) {
        case OperandType::FLOAT32:
        case OperandType::TENSOR_FLOAT32:
            return fmt::format("{}", read<float>(data));
        case OperandType::FLOAT16:
        case OperandType::TENSOR_FLOAT16:
            return fmt::format("{}", halfToFloat(read<uint16_t>(data)));
        case OperandType::INT32:
        case OperandType::TENSOR_INT32:
            return fmt::format("{}", read<int32_t>(data));
        case OperandType::UINT32:
            return fmt::format("{}", read<uint32_t>(data));
        case OperandType::BOOL:
        case OperandType::TENSOR_BOOL8:
            return *data != 0 ? "true" : "false";
        case OperandType::TENSOR_QUANT8_ASYMM:
            return fmt::format("{}", *data);
        case OperandType::TENSOR_QUANT16_ASYMM:
            return fmt::format("{}", read<uint16_t>(data));
        case OperandType::TENSOR_QUANT16_SYMM:
            return fmt::format("{}", read<int16_t>(data));
        case OperandType::TENSOR_QUANT8_SYMM:
        case OperandType::TENSOR_QUANT8_SYMM_PER_CHANNEL:
        case OperandType::TENSOR_QUANT8_ASYMM_SIGNED:
            return fmt::format("{}", read<int8_t>(data));
        default:
            return "";  // a type without elements
    }
}

}  // namespace

std::span<const uint8_t> ConstantReader::bytesOf(const Operand& operand) {
    const DataLocation& location = operand.location;
    switch (operand.lifetime) {
        case Operand::LifeTime::CONSTANT_COPY: {
            const std::span<const uint8_t> bytes = mModel.operandValues.bytes();
            if (!fits(location.offset, location.length, bytes.size())) return {};
            return bytes.subspan(location.offset, location.length);
        }
        case Operand::LifeTime::CONSTANT_REFERENCE:
            return inPool(location);
        case Operand::LifeTime::POINTER:
            if (!hasPointer(location)) return {};
            return {std::visit([](const void* p) { return static_cast<const uint8_t*>(p); },
                               location.pointer),
                    location.length};
        default:
            return {};
    }
}

std::span<const uint8_t> ConstantReader::inPool(const DataLocation& location) {
    if (location.poolIndex >= mModel.pools.size() || location.length > mCopy.size()) return {};
    const std::span<uint8_t> bytes = std::span(mCopy).first(location.length);
    const SharedMemory& pool = mModel.pools[location.poolIndex];
    if (!readMemory(pool, location.offset, bytes).ok()) return {};
    return bytes;
}

std::string elementsText(OperandType type, std::span<const uint8_t> bytes, size_t most) {
    const size_t size = elementSize(type);
    if (size == 0 || bytes.size() % size != 0 || bytes.size() / size > most) return "";
    std::string text;
    for (size_t i = 0; i < bytes.size(); i += size) {
        if (i != 0) text += ", ";
        text += elementText(type, bytes.data() + i);
    }
    return text;
}

}  // namespace nn
