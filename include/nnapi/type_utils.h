// nnapi/type_utils.h -- Properties of operand and operation types: sizes, shapes, extensions.
//
//   std::optional<uint64_t> bytes = nn::operandSize(operand);   // empty: overflows
//   if (nn::isExtension(operation.type)) ...
//
// Thread-safe. Allocates only if a vector is returned.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "nnapi/types.h"

namespace nn {

// Values that Operand::scale may have for a type.
enum class ScaleRule : uint8_t { ZERO, NON_NEGATIVE, POSITIVE, ANY };

// One row of operand_types.def.
struct OperandTypeInfo {
    OperandType type;       // with an enumerator
    std::string_view name;  // as in the HAL: "TENSOR_FLOAT32"
    Version since;          // the first that has the type
    bool isTensor;          // false: a scalar
    uint32_t elementSize;   // bytes; 0 if undefined
    ScaleRule scale;        // allowed values of Operand::scale
    int32_t zeroPointMin;   // inclusive
    int32_t zeroPointMax;   // inclusive
};

// One row of operations.def.
struct OperationTypeInfo {
    OperationType type;     // with an enumerator
    std::string_view name;  // as in the HAL: "CONV_2D"
    Version since;          // the first that has the operation, in any form
    std::string_view stem;  // of its folder in src/ops and its page in docs/ops
};

// All rows, in the order of the .def files.
std::span<const OperandTypeInfo> operandTypes();
std::span<const OperationTypeInfo> operationTypes();

// The row of a type; null for values without an enumerator, including extension types.
const OperandTypeInfo* operandTypeInfo(OperandType type);
const OperationTypeInfo* operationTypeInfo(OperationType type);

// True if the type has an extension's prefix.
constexpr bool isExtension(OperandType type) {
    return (static_cast<uint32_t>(type) >> kExtensionTypeBits) != 0;
}
constexpr bool isExtension(OperationType type) {
    return (static_cast<uint32_t>(type) >> kExtensionTypeBits) != 0;
}

// The two halves of an extension type or operation.
constexpr uint16_t getExtensionPrefix(uint32_t type) {
    return static_cast<uint16_t>(type >> kExtensionTypeBits);
}
constexpr uint16_t getTypeWithinExtension(uint32_t type) {
    return static_cast<uint16_t>(type & kTypeWithinExtensionMask);
}

// True for a tensor or scalar type of the HAL. False for extension types, which only their
// extension defines.
bool isNonExtensionTensor(OperandType type);
bool isNonExtensionScalar(OperandType type);

// Bytes of one element; 0 if undefined (OEM, SUBGRAPH, extension types, values without an
// enumerator).
uint32_t elementSize(OperandType type);

// Element size times dimensions in bytes; 0 if a dimension, the rank or the element size is
// unknown; empty if the product overflows.
std::optional<uint64_t> operandSize(OperandType type, std::span<const uint32_t> dimensions);
std::optional<uint64_t> operandSize(const Operand& operand);

// True for a tensor of unknown rank or with an unknown dimension.
bool hasUnspecifiedDimensions(OperandType type, std::span<const uint32_t> dimensions);

// Merges two partly known lists of dimensions: if one has 0 or is empty, the other counts. Empty if
// known ranks or dimensions differ.
std::optional<std::vector<uint32_t>> combineDimensions(std::span<const uint32_t> a,
                                                       std::span<const uint32_t> b);

// True if the value is part of the model: CONSTANT_COPY, CONSTANT_REFERENCE or POINTER.
constexpr bool isConstant(Operand::LifeTime lifetime) {
    return lifetime == Operand::LifeTime::CONSTANT_COPY ||
           lifetime == Operand::LifeTime::CONSTANT_REFERENCE ||
           lifetime == Operand::LifeTime::POINTER;
}

// For each operand of a subgraph, how often operations read it. Indexes out of range are skipped.
std::vector<uint32_t> countNumberOfConsumers(const Model::Subgraph& subgraph);

}  // namespace nn
