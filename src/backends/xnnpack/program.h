// A prepared model: operators in the order of the model and the places of their values; and the
// state of each execution.
//
// Operators keep the addresses of their values, so that concurrent executions cannot share them.
// Each execution uses an instance: operators, an arena and the state of a request. Instances are
// created on demand, at most as many as there may be concurrent executions, and kept for the next
// executions. Each instance packs its own copy of the weights.
//
// XNNPACK reads up to XNN_EXTRA_BYTES past a value. So inputs are copied to the arena, and
// constants that operators read while they run to a block of their own; behind every value there
// are as many bytes.
#pragma once

#include <absl/container/inlined_vector.h>
#include <pthreadpool.h>

#include <condition_variable>
#include <cstdint>
#include <memory>
#include <mutex>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "backends/xnnpack/fused_activations.h"
#include "backends/xnnpack/lowering.h"
#include "base/per_process.h"
#include "interpreter/plan.h"
#include "interpreter/run.h"
#include "nnapi/stop_condition.h"

namespace nn::xnnpack {

// The threads of a process that work on one operator; none if only the calling thread works.
class Workers {
   public:
    explicit Workers(size_t count)
        : mPool([count]() -> std::shared_ptr<pthreadpool> {
              if (count <= 1) return nullptr;
              return {pthreadpool_create(count),
                      [](pthreadpool_t threads) { pthreadpool_destroy(threads); }};
          }) {}
    pthreadpool_t get() const { return mPool.get().get(); }

   private:
    PerProcess<pthreadpool> mPool;
};
using SharedWorkers = std::shared_ptr<const Workers>;

// Success where XNNPACK can work on this processor.
Status initialize();

// Creates the operator of a lowering; leaves `made` null if the lowering has none. Fails with the
// reason why XNNPACK does not support it.
std::optional<Refusal> make(const Lowering& lowering, Operator& made);

// The XNNPACK operator of each operation of a graph; `values` has the known values.
class Lowerings {
   public:
    Lowerings(const Model::Subgraph& graph, std::span<const ops::Value> values,
              std::span<const KnownOperation> known);

    // Operations are lowered in their order. The outputs of an operation that is skipped or not
    // supported count as stored as in the model. With a fused activation, the outputs are those of
    // the activation.
    std::optional<Refusal> lower(size_t operation, Lowering& lowering,
                                 const FusedActivation* fused = nullptr);

    // How values are stored, by operand.
    const std::vector<bool>& isStoredSigned() const { return mIsStoredSigned; }

   private:
    const Model::Subgraph& mGraph;
    std::span<const ops::Value> mValues;
    std::span<const KnownOperation> mKnown;
    std::vector<bool> mIsStoredSigned;
};

// The place of a value.
struct Location {
    bool isConstant = false;  // in the block of constants, else in an arena
    uint64_t offset = 0;
};

// An operator; rows or a copy if it has none.
struct Step {
    size_t operation = 0;
    Lowering lowering{};
    Rows rows{};
    absl::InlinedVector<Location, 2> inputs{};
    Location output{};
    uint64_t bytes = 0;      // of a copy
    bool isFlipped = false;  // a copy to the other kind of 8-bit values
};

class Program {
   public:
    // Fails with INVALID_ARGUMENT if an operation is not supported, and with the errors of
    // StopCondition.
    static Result<std::shared_ptr<const Program>> create(std::unique_ptr<const Plan> plan,
                                                         const StopCondition& until,
                                                         SharedWorkers workers,
                                                         size_t maxInstances);

    const Plan& plan() const { return *mPlan; }

    // The computation of each step: the index of its operation, and the name of the operator or
    // loops; "copy" if bytes are copied.
    std::vector<std::pair<size_t, std::string_view>> steps() const;

    // Executes; waits for other executions if their number is at its maximum. Fails as
    // PreparedModel::execute does.
    ExecutionOutcome execute(const Request& request, MeasureTiming measure,
                             const OptionalTimePoint& deadline) const;

   private:
    struct Instance {
        std::vector<Operator> operators{};  // by step; null for copies and rows
        AlignedMemory arena{};
        std::vector<ops::Value> outputs{};
        std::unique_ptr<ExecutionState> state{};
    };
    // The instances of one process: a forked process has its own.
    struct Instances {
        std::mutex mutex{};
        std::condition_variable returned{};
        std::vector<std::unique_ptr<Instance>> idle{};
        size_t count = 0;  // idle and busy
    };
    class Planner;
    class Turn;

    Program(std::unique_ptr<const Plan> plan, SharedWorkers workers, size_t maxInstances)
        : mPlan(std::move(plan)), mWorkers(std::move(workers)), mMaxInstances(maxInstances) {}

    Result<std::unique_ptr<Instance>> makeInstance(const StopCondition& until) const;
    // An instance that is not in use; null if one must be created.
    Result<std::unique_ptr<Instance>> takeInstance(Instances& instances,
                                                   const OptionalTimePoint& deadline) const;
    // Wakes one waiting execution. `instance` is null if it could not be created.
    static void giveBack(Instances& instances, std::unique_ptr<Instance> instance);

    Status executeInTurn(const Request& request, MeasureTiming measure,
                         const OptionalTimePoint& deadline, ExecutionOutcome& outcome) const;
    Status executeIn(Instance& instance, const Request& request, MeasureTiming measure,
                     const OptionalTimePoint& deadline, ExecutionOutcome& outcome) const;
    Status run(Instance& instance, const OptionalTimePoint& deadline) const;

    uint8_t* at(const Location& location, const Instance& instance) const;

    // A value of the main graph's inputs or outputs.
    struct Port {
        Location location{};
        uint64_t size = 0;
        bool isUsed = false;
        bool isFlipped = false;
    };

    std::unique_ptr<const Plan> mPlan;
    SharedWorkers mWorkers;
    std::vector<Step> mSteps{};
    std::vector<Port> mInputs{}, mOutputs{};
    AlignedMemory mConstants{};
    uint64_t mArenaSize = 0;

    size_t mMaxInstances;
    PerProcess<Instances> mInstances{[max = mMaxInstances] {
        auto instances = std::make_shared<Instances>();
        instances->idle.reserve(max);  // giving back cannot fail
        return instances;
    }};
};

}  // namespace nn::xnnpack
