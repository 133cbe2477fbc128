// Converts operand types of the C API.
#pragma once

#include <cstdint>
#include <optional>
#include <span>

#include "nnapi/c/NeuralNetworks.h"
#include "nnapi/types.h"
#include "runtime/objects/codes.h"

namespace nn::runtime {

// Checks an application's array of dimensions: null for none, and no longer than the rank limit.
ApiStatus readDimensions(uint32_t count, const uint32_t* dimensions, Dimensions& read);

// Makes an operand of a type. allowPartial: a tensor may have an unknown rank and unknown
// dimensions.
ApiStatus readOperandType(const ANeuralNetworksOperandType& type, bool allowPartial,
                          Operand& operand);

bool isTensor(OperandType type);

// True if a dimension or the rank is unknown.
bool isOpen(OperandType type, std::span<const uint32_t> dimensions);

// The size in bytes; empty if it is unknown.
std::optional<uint64_t> bytesOf(OperandType type, std::span<const uint32_t> dimensions);

}  // namespace nn::runtime
