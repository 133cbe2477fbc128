// The result of preparing a model, computed once for all executions: the storage of constants, the
// kernel of each operation, the known shapes, and the places of temporaries in an arena, where
// values with disjoint lifetimes share memory. Immutable and shared by concurrent executions.
#pragma once

#include <absl/container/inlined_vector.h>

#include <algorithm>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include "base/limits.h"
#include "interpreter/constants.h"
#include "nnapi/interpreter.h"
#include "nnapi/validated_model.h"
#include "op_support/kernels/kernel_call.h"
#include "types/work_budget.h"
#include "validate/preparation.h"
#include "validate/report.h"

namespace nn {

// The storage of a value, and its readers.
struct Placement {
    static constexpr uint32_t kNone = UINT32_MAX;
    static constexpr uint64_t kNowhere = UINT64_MAX;

    uint64_t offset = kNowhere;  // in the arena of its graph
    uint64_t size = 0;           // bytes of its value, where its dimensions are known
    uint32_t output = kNone;     // position among the outputs of its graph
    uint32_t neededBy = kNone;   // an operation that needs its value
};

// The base cost of any operation in steps, in addition to the elements of its inputs.
inline constexpr uint64_t kStepsOfAny = uint64_t{1} << 16;

struct GraphPlan {
    const Model::Subgraph* graph = nullptr;

    // By operand and by operation.
    std::vector<KnownOperand> operands{};
    std::vector<KnownOperation> operations{};
    std::vector<ops::Value> values{};  // as far as they are known
    std::vector<Placement> placements{};

    uint64_t arenaSize = 0;

    // Temporaries that no operation after the k-th reads.
    std::span<const uint32_t> lastUses(size_t k) const {
        if (temporaries.empty()) return {};
        return std::span(temporaries)
                .subspan(firstLastUse[k], firstLastUse[k + 1] - firstLastUse[k]);
    }
    // The cost of the k-th operation in steps if it is settled and its inputs have sizes that it
    // accepts; else 0.
    absl::InlinedVector<uint64_t, 6> settledSteps{};

    using Indexes = absl::InlinedVector<uint32_t, 6>;
    Indexes temporaries{};   // by the operation that reads them last
    Indexes firstLastUse{};  // among them, of each operation; and their number
};

struct Plan {
    explicit Plan(const ValidatedModel& legal) : checked(legal) {}

    ValidatedModel checked;
    const Model& model = checked.model();
    Limits limits{};
    Extensions extensions{};
    Constants constants{};
    absl::InlinedVector<GraphPlan, 1> graphs{};  // the main one, then the referenced ones
};

// The index of the plan of the graph that an operand of type SUBGRAPH names.
size_t referencedGraph(const Operand& operand);

// nn::prepare describes the failures.
Result<std::unique_ptr<const Plan>> makePlan(Model model, const PrepareOptions& options);
Result<std::unique_ptr<const Plan>> makePlan(const ValidatedModel& model,
                                             const PrepareOptions& options);

// True if each known dimension equals the declared one or has none declared.
inline bool agree(std::span<const uint32_t> dimensions, std::span<const uint32_t> declared) {
    if (declared.empty() || declared.data() == dimensions.data()) return true;
    return std::equal(dimensions.begin(), dimensions.end(), declared.begin(), declared.end(),
                      [](uint32_t d, uint32_t known) { return known == 0 || d == known; });
}

bool hasPassed(const OptionalTimePoint& deadline);

}  // namespace nn
