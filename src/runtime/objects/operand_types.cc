#include "runtime/objects/operand_types.h"

#include <fmt/format.h>

#include "nnapi/limits.h"
#include "nnapi/type_utils.h"
#include "nnapi/validate.h"
#include "runtime/objects/runtime.h"

namespace nn::runtime {

ApiStatus readDimensions(uint32_t count, const uint32_t* dimensions, Dimensions& read) {
    if ((dimensions == nullptr) != (count == 0)) {
        return badData(fmt::format("there are {} dimensions at {}", count,
                                   dimensions == nullptr ? "null" : "an address"));
    }
    const uint64_t most = Limits().rank;
    if (count > most) {
        return badData(fmt::format("there are {} dimensions, allowed at most {}", count, most));
    }
    if (count != 0) read.assign(dimensions, dimensions + count);
    return {};
}

ApiStatus readOperandType(const ANeuralNetworksOperandType& type, bool allowPartial,
                          Operand& operand) {
    operand.type = static_cast<OperandType>(type.type);
    operand.scale = type.scale;
    operand.zeroPoint = type.zeroPoint;
    std::optional<Extension::OperandTypeInformation> info;
    if (isExtension(operand.type)) {
        const auto found = runtime().types().getExtensionOperandTypeInfo(operand.type);
        if (!found.has_value()) return badData(found.error().message);
        info = *found;
    }
    NNAPI_API_RETURN_IF_ERROR(
            readDimensions(type.dimensionCount, type.dimensions, operand.dimensions));
    const auto valid = validateOperandType(operand, info ? &*info : nullptr, allowPartial);
    if (!valid.ok()) return badData(std::string(valid.status().message()));
    return {};
}

bool isTensor(OperandType type) {
    if (!isExtension(type)) return isNonExtensionTensor(type);
    const auto result = runtime().types().isTensorType(type);
    return result.has_value() && *result;
}

bool isOpen(OperandType type, std::span<const uint32_t> dimensions) {
    if (!isTensor(type)) return false;
    if (dimensions.empty()) return true;
    for (const uint32_t dimension : dimensions) {
        if (dimension == 0) return true;
    }
    return false;
}

std::optional<uint64_t> bytesOf(OperandType type, std::span<const uint32_t> dimensions) {
    if (isOpen(type, dimensions)) return std::nullopt;
    if (!isExtension(type)) {
        const auto bytes = operandSize(type, dimensions);
        return bytes && *bytes != 0 ? bytes : std::nullopt;
    }
    const auto bytes = runtime().types().getSizeOfData(type, dimensions);
    return bytes.has_value() && *bytes != 0 ? std::optional(*bytes) : std::nullopt;
}

}  // namespace nn::runtime
