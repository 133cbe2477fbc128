#include "runtime/plan/work.h"

#include "nnapi/checked_math.h"
#include "runtime/plan/control_flow.h"

namespace nn::runtime {
namespace {

constexpr uint64_t kEndless = UINT64_MAX;

uint64_t elementsOf(const Operand& operand) {
    return checkedProduct<uint64_t>(operand.dimensions).value_or(kEndless);
}

uint64_t times(uint64_t a, uint64_t b) { return checkedMul<uint64_t>(a, b).value_or(kEndless); }

// The elements of a tensor for each index of one of its dimensions.
uint64_t perIndex(const Operand& tensor, uint32_t extent) {
    return extent == 0 ? 0 : elementsOf(tensor) / extent;
}

}  // namespace

uint64_t workOf(const Model::Subgraph& graph, const Operation& operation) {
    if (isControlFlow(operation.type)) return 0;
    uint64_t computed = 0;
    for (const uint32_t output : operation.outputs) {
        computed = checkedAdd<uint64_t>(computed, elementsOf(graph.operands[output]))
                           .value_or(kEndless);
    }
    const auto input = [&](size_t i) -> const Operand& {
        return graph.operands[operation.inputs[i]];
    };
    switch (operation.type) {
        case OperationType::CONV_2D:
        case OperationType::GROUPED_CONV_2D:
        case OperationType::FULLY_CONNECTED: {
            const Operand& weights = input(1);
            if (weights.dimensions.empty()) return 0;
            return times(computed, perIndex(weights, weights.dimensions.front()));
        }
        case OperationType::DEPTHWISE_CONV_2D: {
            const Operand& filter = input(1);
            if (filter.dimensions.empty()) return 0;
            return times(computed, perIndex(filter, filter.dimensions.back()));
        }
        case OperationType::TRANSPOSE_CONV_2D: {
            const Operand& filter = input(1);
            if (filter.dimensions.empty()) return 0;
            return times(elementsOf(input(0)), perIndex(filter, filter.dimensions.back()));
        }
        case OperationType::BATCH_MATMUL:
            return input(0).dimensions.empty() ? 0 : times(computed, input(0).dimensions.back());
        default:
            return computed;
    }
}

}  // namespace nn::runtime
