#include "runtime/plan/execution_state.h"

#include <algorithm>

#include "nnapi/checked_math.h"

namespace nn::runtime {
namespace {

// The assumed size of an unknown dimension.
constexpr uint32_t kGuessedExtent = 16;
constexpr uint32_t kMinGuess = 4096;
constexpr uint32_t kMaxGuess = 1 << 20;

uint32_t guess(const DynamicTemporary& temporary, const Sizes& sizes) {
    Dimensions dimensions = temporary.dimensions;
    std::replace(dimensions.begin(), dimensions.end(), 0u, kGuessedExtent);
    return std::clamp(sizes.bytes(temporary.type, dimensions).value_or(0), kMinGuess, kMaxGuess);
}

Value initialValue(const Operand& operand, const ValuePlace& place) {
    switch (place.kind) {
        case ValuePlace::Kind::REGION:
            return {.kind = Value::Kind::REGION, .region = place.region};
        case ValuePlace::Kind::DYNAMIC:
            return {.kind = Value::Kind::DYNAMIC, .index = place.dynamic};
        case ValuePlace::Kind::NONE:
            break;
    }
    const bool isOmitted = operand.lifetime == Operand::LifeTime::NO_VALUE;
    return {.kind = isOmitted ? Value::Kind::OMITTED : Value::Kind::NONE};
}

Result<SharedMemory> copyOf(const SharedMemory& memory) {
    NNAPI_ASSIGN_OR_RETURN(from, map(memory));
    NNAPI_ASSIGN_OR_RETURN(copy, createSharedMemory(from.size()));
    NNAPI_RETURN_IF_ERROR(writeMemory(copy, 0, {from.data(), from.size()}));
    return copy;
}

}  // namespace

Result<std::unique_ptr<State>> State::make(const CompiledPlan& plan) {
    auto state = std::make_unique<State>();
    for (const GraphPlan& graph : plan.graphs) {
        std::vector<Value>& values = state->values.emplace_back();
        if (graph.graph == nullptr) continue;
        for (size_t i = 0; i < graph.places.size(); ++i) {
            values.push_back(initialValue(graph.graph->operands[i], graph.places[i]));
        }
    }
    if (plan.memorySize != 0) {
        NNAPI_ASSIGN_OR_RETURN(memory, createSharedMemory(plan.memorySize));
        NNAPI_ASSIGN_OR_RETURN(bytes, map(memory));
        state->memory = std::move(memory);
        state->mBytes = std::move(bytes);
    }
    for (const DynamicTemporary& temporary : plan.dynamics) {
        state->dynamics.emplace_back();
        NNAPI_RETURN_IF_ERROR(state->grow(static_cast<uint32_t>(state->dynamics.size() - 1),
                                          guess(temporary, plan.sizes)));
    }
    return state;
}

Status State::grow(uint32_t dynamic, uint32_t bytes) {
    // A fifth more than needed, at most.
    const auto padded = checkedRoundUp<uint32_t>(bytes, kDefaultRequestMemoryPadding);
    const auto roomy = checkedAdd<uint32_t>(padded, bytes / 8);
    const auto capacity = checkedRoundUp<uint32_t>(roomy.value_or(bytes), 64).value_or(bytes);
    NNAPI_ASSIGN_OR_RETURN(memory, createSharedMemory(std::max(capacity, 1u)));
    dynamics[dynamic] = {.memory = std::move(memory), .capacity = capacity};
    return {};
}

Status State::move() {
    if (memory != nullptr) {
        NNAPI_ASSIGN_OR_RETURN(copy, copyOf(memory));
        NNAPI_ASSIGN_OR_RETURN(bytes, map(copy));
        memory = std::move(copy);
        mBytes = std::move(bytes);
    }
    for (Dynamic& dynamic : dynamics) {
        NNAPI_ASSIGN_OR_RETURN(copy, copyOf(dynamic.memory));
        dynamic.memory = std::move(copy);
    }
    return {};
}

}  // namespace nn::runtime
