// The result of preparing a model, computed once for all executions: where constants lie, the
// kernel of each operation, the known shapes, and the places of temporaries in an arena, where
// values that live at different times share memory. Immutable and shared by concurrent executions.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include "interpreter/constants.h"
#include "nnapi/checked_model.h"
#include "nnapi/interpreter.h"
#include "opkit/kernels/kernel_call.h"
#include "types/limits.h"
#include "types/watched.h"
#include "validate/preparation.h"
#include "validate/report.h"

namespace nn {

struct PlannedOperand : KnownOperand {
    std::optional<uint32_t> neededBy{};  // an operation that needs its value
    std::optional<uint32_t> output{};    // position among the outputs of its graph
    std::optional<uint64_t> offset{};    // in the arena of its graph
    uint64_t size = 0;                   // bytes there
};

struct PlannedOperation : KnownOperation {
    ops::Kernel kernel = nullptr;  // null for IF, WHILE and extensions

    bool takesZeroSizedInputs() const {
        return extension == nullptr ? spec->allowsZeroSizedInputs : extension->takesZeroSizedInputs;
    }

    // Temporaries that no later operation reads.
    std::vector<uint32_t> lastUses{};
};

struct GraphPlan {
    const Model::Subgraph* graph = nullptr;
    std::vector<PlannedOperand> operands{};
    std::vector<PlannedOperation> operations{};
    std::vector<ops::Value> values{};  // each operand, as far as it is known
    uint64_t arenaSize = 0;
};

struct Plan {
    explicit Plan(const CheckedModel& legal) : checked(legal) {}

    CheckedModel checked;
    const Model& model = checked.model();
    Limits limits{};
    Extensions extensions{};
    Constants constants{};
    std::vector<GraphPlan> graphs{};  // the main one, then the referenced ones
};

// The index of the plan of the graph that an operand of type SUBGRAPH names.
size_t referencedGraph(const Operand& operand);

// nn::prepare describes the failures.
Result<std::unique_ptr<const Plan>> makePlan(Model model, const PrepareOptions& options);
Result<std::unique_ptr<const Plan>> makePlan(const CheckedModel& model,
                                             const PrepareOptions& options);

// True where each known dimension equals the declared one or has none declared.
bool agree(std::span<const uint32_t> dimensions, std::span<const uint32_t> declared);

bool hasPassed(const OptionalTimePoint& deadline);

}  // namespace nn
