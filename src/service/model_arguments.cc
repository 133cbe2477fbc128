#include "service/model_arguments.h"

#include <algorithm>

#include "nnapi/checked_math.h"
#include "nnapi/type_utils.h"

namespace nn::service {
namespace {

uint64_t sizeOf(const Memory& memory) {
    return std::visit([](const auto& kind) -> uint64_t { return kind.size; }, memory.handle);
}

std::vector<ModelArguments::Argument> argumentsAt(const Model& model,
                                                  const std::vector<uint32_t>& indexes) {
    std::vector<ModelArguments::Argument> arguments;
    for (const uint32_t index : indexes) {
        auto& argument = arguments.emplace_back();
        if (index >= model.main.operands.size()) continue;
        const Operand& operand = model.main.operands[index];
        argument = {.type = operand.type, .dimensions = operand.dimensions};
    }
    return arguments;
}

// Assumed for a buffer whose size only the driver can determine, because its model came from a
// cache.
constexpr uint64_t kUnknownBuffer = uint64_t{64} << 20;

// The size of the argument, refined by the buffer's description; 0 if that does not determine it.
// Elements of unknown types count as 8 bytes.
uint64_t argumentBytes(const ModelArguments::Argument& argument, const Dimensions& described) {
    const auto dimensions = combineDimensions(argument.dimensions, described);
    if (!dimensions || dimensions->empty()) return 0;
    const uint32_t element = elementSize(argument.type);
    return checkedMul<uint64_t>(checkedProduct<uint64_t>(*dimensions), element == 0 ? 8 : element)
            .value_or(UINT64_MAX);
}

}  // namespace

ModelArguments argumentsOf(const Model& model) {
    return {.inputs = argumentsAt(model, model.main.inputIndexes),
            .outputs = argumentsAt(model, model.main.outputIndexes)};
}

uint64_t constantBytes(const Model& model) {
    std::vector<uint64_t> pools(model.pools.size());
    const auto add = [&](const Model::Subgraph& graph) {
        for (const Operand& operand : graph.operands) {
            const DataLocation& at = operand.location;
            if (operand.lifetime != Operand::LifeTime::CONSTANT_REFERENCE) continue;
            if (at.poolIndex >= pools.size()) continue;
            uint64_t& sum = pools[at.poolIndex];
            sum = checkedAdd<uint64_t>(sum, at.length).value_or(UINT64_MAX);
        }
    };
    add(model.main);
    for (const Model::Subgraph& graph : model.referenced) add(graph);
    uint64_t bytes = model.operandValues.size();
    for (size_t i = 0; i < pools.size(); ++i) {
        const uint64_t most = model.pools[i] == nullptr ? 0 : sizeOf(*model.pools[i]);
        bytes = checkedAdd<uint64_t>(bytes, std::min(pools[i], most)).value_or(UINT64_MAX);
    }
    return bytes;
}

uint64_t bufferBytes(const Dimensions& dimensions,
                     std::span<const std::shared_ptr<const ModelArguments>> models,
                     std::span<const BufferRole> inputRoles,
                     std::span<const BufferRole> outputRoles) {
    uint64_t most = 0;
    const auto add = [&](const BufferRole& role, auto arguments) {
        if (role.modelIndex >= models.size() || models[role.modelIndex] == nullptr) {
            const uint64_t known = argumentBytes({.type = OperandType::TENSOR_FLOAT32}, dimensions);
            most = std::max(most, known == 0 ? kUnknownBuffer : known);
            return;
        }
        const auto& all = (*models[role.modelIndex]).*arguments;
        if (role.ioIndex < all.size())
            most = std::max(most, argumentBytes(all[role.ioIndex], dimensions));
    };
    for (const BufferRole& role : inputRoles) add(role, &ModelArguments::inputs);
    for (const BufferRole& role : outputRoles) add(role, &ModelArguments::outputs);
    return most;
}

}  // namespace nn::service
