// Sizes of values in bytes, extension types included.
#pragma once

#include <map>
#include <optional>
#include <span>
#include <vector>

#include "nnapi/driver/interfaces.h"
#include "nnapi/types.h"

namespace nn::runtime {

class Sizes {
   public:
    // The first device that has an extension describes its types.
    Sizes(const Model& model, std::span<const SharedDevice> devices);

    // 0 if a dimension or the rank is unknown, and for types of unknown size. Empty if the size
    // exceeds 32 bits, as lengths in requests have.
    std::optional<uint32_t> bytes(OperandType type, std::span<const uint32_t> dimensions) const;
    std::optional<uint32_t> bytes(const Operand& operand) const {
        return bytes(operand.type, operand.dimensions);
    }

    // True if the size is not known before the execution.
    bool isUnknown(const Operand& operand) const { return bytes(operand) == 0u; }

    // True for tensors, and for extension types that no device describes.
    bool canHaveDimensions(OperandType type) const;

   private:
    std::map<OperandType, Extension::OperandTypeInformation> mExtensions{};
};

}  // namespace nn::runtime
