// Reads the values of a model's constants, wherever they are stored.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <string>

#include "nnapi/types.h"

namespace nn {

// Reads constants of any model, also one that is not legal.
class ConstantReader {
   public:
    explicit ConstantReader(const Model& model) : mModel(model) {}

    // The bytes of a constant. Empty for other operands, and where the bytes do not exist. From
    // pools only small values are read, into memory that stays until the next call.
    std::span<const uint8_t> bytesOf(const Operand& operand);

   private:
    std::span<const uint8_t> inPool(const DataLocation& location);

    const Model& mModel;
    std::array<uint8_t, 64> mCopy{};
};

// The elements of a type as numbers: "1", "0.5, -1", "true". Empty for no bytes, for a number of
// bytes that is not a whole number of elements, for more than `most` elements, and for types
// without elements.
std::string elementsText(OperandType type, std::span<const uint8_t> bytes, size_t most);

}  // namespace nn
