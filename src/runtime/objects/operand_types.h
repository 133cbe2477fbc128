// Types of operands, as applications give them.
#pragma once

#include <cstdint>
#include <optional>
#include <span>

#include "nnapi/c/NeuralNetworks.h"
#include "nnapi/types.h"
#include "runtime/objects/codes.h"

namespace nn::runtime {

// An array of the application: null for none, and of no more entries than a tensor may have
// dimensions.
Answer readDimensions(uint32_t count, const uint32_t* dimensions, Dimensions& read);

// The operand of a type. allowPartial: a tensor may have an unknown rank and unknown dimensions.
Answer readOperandType(const ANeuralNetworksOperandType& type, bool allowPartial, Operand& operand);

bool isTensor(OperandType type);

// Is its size open, because of a dimension or the rank?
bool isOpen(OperandType type, std::span<const uint32_t> dimensions);

// Bytes; empty where they are open or no type of a known size has them.
std::optional<uint64_t> bytesOf(OperandType type, std::span<const uint32_t> dimensions);

}  // namespace nn::runtime
