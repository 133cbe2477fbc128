// How many bytes values have, those of extension types among them.
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
    // The devices that describe the extensions of the model; the first that has one counts.
    Sizes(const Model& model, std::span<const SharedDevice> devices);

    // 0 while a dimension or the rank is unknown, and for types of no known size. Empty where the
    // number does not fit 32 bits, as lengths in requests do.
    std::optional<uint32_t> bytes(OperandType type, std::span<const uint32_t> dimensions) const;
    std::optional<uint32_t> bytes(const Operand& operand) const {
        return bytes(operand.type, operand.dimensions);
    }

    // True where the size is not known before the execution.
    bool isUnknown(const Operand& operand) const { return bytes(operand) == 0u; }

    // Of a tensor, and of an extension type that nobody describes.
    bool canHaveDimensions(OperandType type) const;

   private:
    std::map<OperandType, Extension::OperandTypeInformation> mExtensions{};
};

}  // namespace nn::runtime
