#include "backends/xnnpack/fused_activations.h"

#include <absl/algorithm/container.h>

namespace nn::xnnpack {
namespace {

// 0 for other operations.
int32_t activationOf(OperationType type) {
    switch (type) {
        case OperationType::RELU:
            return 1;
        case OperationType::RELU1:
            return 2;
        case OperationType::RELU6:
            return 3;
        default:
            return 0;
    }
}

// The position of an activation that is NONE.
std::optional<size_t> openActivation(const Operation& operation, const KnownOperation& known,
                                     std::span<const ops::Value> values) {
    if (known.form == nullptr) return std::nullopt;
    const auto& inputs = known.form->inputs;
    const auto param =
            absl::c_find_if(inputs, [](const auto& p) { return p.name == "activation"; });
    const auto at = static_cast<size_t>(param - inputs.begin());
    if (at >= operation.inputs.size()) return std::nullopt;
    const auto given = values[operation.inputs[at]].as<int32_t>();
    if (given.size() != 1 || given[0] != 0) return std::nullopt;
    return at;
}

}  // namespace

std::vector<std::optional<FusedActivation>> fusedActivations(
        const Model::Subgraph& graph, std::span<const ops::Value> values,
        std::span<const KnownOperation> known) {
    constexpr size_t kNobody = SIZE_MAX;
    std::vector<size_t> readers(graph.operands.size()), writer(graph.operands.size(), kNobody);
    for (size_t k = 0; k < graph.operations.size(); ++k) {
        for (const uint32_t input : graph.operations[k].inputs) ++readers[input];
        if (graph.operations[k].outputs.size() == 1) writer[graph.operations[k].outputs[0]] = k;
    }
    std::vector<std::optional<FusedActivation>> fused(graph.operations.size());
    for (size_t k = 0; k < graph.operations.size(); ++k) {
        const Operation& relu = graph.operations[k];
        const int32_t activation = activationOf(relu.type);
        if (activation == 0) continue;
        const uint32_t between = relu.inputs[0];
        const ops::Value &before = values[between], &after = values[relu.outputs[0]];
        if (graph.operands[between].lifetime != Operand::LifeTime::TEMPORARY_VARIABLE ||
            writer[between] == kNobody || readers[between] != 1 || before.type != after.type ||
            before.scale != after.scale || before.zeroPoint != after.zeroPoint) {
            continue;
        }
        const size_t first = writer[between];
        const auto input = openActivation(graph.operations[first], known[first], values);
        if (!input) continue;
        fused[first] = {.operation = k, .input = *input, .activation = activation};
    }
    return fused;
}

}  // namespace nn::xnnpack
