#include "importers/common/constant_reader.h"

#include <utility>
#include <variant>

namespace nn::importing {

Result<ConstantReader> ConstantReader::of(const Model& model) {
    ConstantReader reader;
    reader.mModel = &model;
    for (const SharedMemory& pool : model.pools) {
        NNAPI_ASSIGN_OR_RETURN(mapping, map(pool));
        reader.mPools.push_back(std::move(mapping));
    }
    return reader;
}

std::optional<std::span<const uint8_t>> ConstantReader::bytesOf(const Operand& operand) const {
    using LifeTime = Operand::LifeTime;
    const DataLocation& at = operand.location;
    switch (operand.lifetime) {
        case LifeTime::CONSTANT_COPY:
            return std::span(mModel->operandValues.bytes()).subspan(at.offset, at.length);
        case LifeTime::CONSTANT_REFERENCE:
            return std::span(mPools[at.poolIndex].data() + at.offset, at.length);
        case LifeTime::POINTER: {
            const auto* bytes = std::visit(
                    [](auto* pointer) { return static_cast<const uint8_t*>(pointer); }, at.pointer);
            return std::span(bytes, at.length);
        }
        default:
            return std::nullopt;
    }
}

}  // namespace nn::importing
