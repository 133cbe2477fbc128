// nnapi/type_utils.h -- facts about types: sizes, shapes, extensions, quantisation.
//
//   std::optional<uint64_t> bytes = nn::operandSize(operand);   // empty: overflows
//   if (nn::isExtension(operation.type)) ...
//
// Thread-safe, no allocation except where a vector is returned.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "nnapi/types.h"

namespace nn {

// What Operand::scale may be for a type.
enum class ScaleRule : uint8_t { ZERO, NON_NEGATIVE, POSITIVE, ANY };

// One row of operand_types.def.
struct OperandTypeInfo {
    OperandType type;
    std::string_view name;
    Version since;
    bool isTensor;
    uint32_t elementSize;
    ScaleRule scale;
    int32_t zeroPointMin;
    int32_t zeroPointMax;
};

// One row of operations.def.
struct OperationTypeInfo {
    OperationType type;
    std::string_view name;
    Version since;
    std::string_view stem;
};

// All rows, in the order of the files.
std::span<const OperandTypeInfo> operandTypes();
std::span<const OperationTypeInfo> operationTypes();

// The row of a type; null for a value without a name, extension types among them.
const OperandTypeInfo* operandTypeInfo(OperandType type);
const OperationTypeInfo* operationTypeInfo(OperationType type);

constexpr bool isExtension(OperandType type) {
    return (static_cast<uint32_t>(type) >> kExtensionTypeBits) != 0;
}
constexpr bool isExtension(OperationType type) {
    return (static_cast<uint32_t>(type) >> kExtensionTypeBits) != 0;
}

constexpr uint16_t getExtensionPrefix(uint32_t type) {
    return static_cast<uint16_t>(type >> kExtensionTypeBits);
}
constexpr uint16_t getTypeWithinExtension(uint32_t type) {
    return static_cast<uint16_t>(type & kTypeWithinExtensionMask);
}

// True for a listed tensor type. Of an extension type only its extension knows whether it is one.
bool isNonExtensionTensor(OperandType type);
bool isNonExtensionScalar(OperandType type);

// Bytes of one element; 0 where the size is not defined (OEM, SUBGRAPH, extensions, unknown
// values).
uint32_t elementSize(OperandType type);

// Element size times dimensions in bytes; 0 while a dimension, the rank or the element size is
// unknown; empty when the product does not fit.
std::optional<uint64_t> operandSize(OperandType type, std::span<const uint32_t> dimensions);
std::optional<uint64_t> operandSize(const Operand& operand);

// True for a tensor of unknown rank or with an unknown dimension.
bool hasUnspecifiedDimensions(OperandType type, std::span<const uint32_t> dimensions);

// The dimensions known from two sides: where one side has 0 or an empty vector, the other side
// counts. Empty when two known ranks or dimensions differ.
std::optional<std::vector<uint32_t>> combineDimensions(std::span<const uint32_t> a,
                                                       std::span<const uint32_t> b);

// Operand::LifeTime CONSTANT_COPY, CONSTANT_REFERENCE or POINTER: the value is part of the model.
constexpr bool isConstant(Operand::LifeTime lifetime) {
    return lifetime == Operand::LifeTime::CONSTANT_COPY ||
           lifetime == Operand::LifeTime::CONSTANT_REFERENCE ||
           lifetime == Operand::LifeTime::POINTER;
}

// How often each operand of a subgraph is an input of an operation. Indexes out of range are
// skipped.
std::vector<uint32_t> countNumberOfConsumers(const Model::Subgraph& subgraph);

}  // namespace nn
