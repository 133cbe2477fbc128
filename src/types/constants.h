// Reads the values of a model's constants, wherever they are stored.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <string>

#include "nnapi/types.h"

namespace nn {

// Reads constants of any model, even an illegal one.
class ConstantReader {
   public:
    explicit ConstantReader(const Model& model) : mModel(model) {}

    // The bytes of a constant. Empty for other operands, and if the bytes do not exist. Only small
    // values are read from pools, into a buffer that is valid until the next call.
    std::span<const uint8_t> bytesOf(const Operand& operand);

   private:
    std::span<const uint8_t> inPool(const DataLocation& location);

    const Model& mModel;
    std::array<uint8_t, 64> mCopy{};
};

// The elements of a type as numbers: "1", "0.5, -1", "true". Empty for no bytes, a partial element,
// more than `most` elements, and types without elements.
std::string elementsText(OperandType type, std::span<const uint8_t> bytes, size_t most);

}  // namespace nn
