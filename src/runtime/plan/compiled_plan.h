// The parts of a plan over several devices: regions, nodes and steps.
#pragma once

#include <array>
#include <atomic>
#include <memory>
#include <mutex>
#include <optional>
#include <vector>

#include "base/process_mutex.h"
#include "driver/threads/thread_pool.h"
#include "driver/wrap/output_shapes.h"
#include "runtime/plan/plan.h"
#include "runtime/plan/value_sizes.h"

namespace nn::runtime {

// A slice of the memory for values between steps.
struct Region {
    uint32_t offset = 0;
    uint32_t size = 0;  // bytes of the value
};

// The place of a value that one step computes and another reads.
struct ValuePlace {
    enum class Kind : uint8_t {
        NONE,     // in an argument, inside a step, or at a place that the graph's caller sets
        REGION,   // its size is known
        DYNAMIC,  // its size is known only when it is computed
    };
    Kind kind = Kind::NONE;
    Region region{};
    uint32_t dynamic = 0;  // in CompiledPlan::dynamics
};

// The memory of a WHILE. Iterations alternate between two places: each reads the values of the
// previous one. The condition has one place, since it is read before it is overwritten.
struct Loop {
    Region condition{};
    std::vector<std::array<Region, 2>> values{};  // for each output of the body
};

// A step, or an IF or WHILE that the plan executes itself. Graphs are numbered: main is 0,
// referenced[i] is i + 1.
struct Node {
    enum class Kind : uint8_t { STEP, IF, WHILE };
    Kind kind = Kind::STEP;
    size_t step = 0;                 // STEP
    bool isConcurrent = false;       // STEP: concurrent with the previous one
    uint32_t operation = 0;          // IF, WHILE: of the graph
    std::array<size_t, 2> graphs{};  // IF: then, else; WHILE: condition, body
    Loop loop{};                     // WHILE
};

// A prepared model that is created on first use. Thread-safe. No lock is held during preparation:
// two threads may both prepare one, and the first is kept.
class LazyPreparedModel {
   public:
    GeneralResult<SharedPreparedModel> get(const IDevice& cpu, const Model& model,
                                           const PlanOptions& options) const;

   private:
    mutable ProcessMutex mMutex{};
    mutable SharedPreparedModel mPrepared{};
};

struct Step {
    uint32_t graph = 0;
    std::vector<uint32_t> operations{};
    PlanDevice device{};
    Model model{};
    std::vector<uint32_t> inputs{};  // operands of the graph, in the order of the model
    std::vector<uint32_t> outputs{};
    std::vector<driver::OutputSignature> signature{};
    bool hasLoop = false;
    uint32_t padding = 1;  // preferred by the device
    SharedPreparedModel prepared{};
    bool isFromCache = false;
    std::unique_ptr<LazyPreparedModel> onCpu = std::make_unique<LazyPreparedModel>();
};

struct GraphPlan {
    const Model::Subgraph* graph = nullptr;  // null for one that the plan does not execute
    std::vector<Node> nodes{};
    std::vector<ValuePlace> places{};  // by operand
    // Constants that an IF or WHILE passes to its graphs, and where steps read them.
    std::vector<std::pair<uint32_t, Region>> constants{};
};

// A value of unknown size between two steps.
struct DynamicTemporary {
    OperandType type{};
    Dimensions dimensions{};  // as far as they are known
};

struct CompiledPlan {
    std::shared_ptr<const Model> model{};
    PlanOptions options{};
    std::optional<PlanDevice> cpu{};  // the fallback of steps; empty if there must be none
    Sizes sizes;
    std::vector<Step> steps{};
    std::vector<GraphPlan> graphs{};  // main, referenced[0], ...
    std::vector<DynamicTemporary> dynamics{};
    // True if an output of the model may be written before the last step has read and written
    // everything.
    bool hasEarlyOutputs = false;
    // True if outputs may overlap any argument: the last step writes them all, and its device
    // permits overlaps (PlanDevice::allowsAliasing).
    bool allowsAliasing = false;
    Status refusal{};  // of the first step that the CPU rejected
    uint32_t memorySize = 0;
    // Executes concurrent steps; null if there are none.
    std::unique_ptr<driver::ThreadPool> threads{};

    const GraphPlan& main() const { return graphs.front(); }
    const Operand& operand(size_t graph, uint32_t index) const {
        return graphs[graph].graph->operands[index];
    }
};

// True if the model has a WHILE.
bool hasLoop(const Model& model);

// Divides a model whose operations have these devices (assign.h), and prepares all steps.
// GENERAL_FAILURE for a step without inputs or without outputs, and for a device that is too old
// for a value of unknown size; INVALID_ARGUMENT if no device supports an operation of a branch.
GeneralResult<std::shared_ptr<const CompiledPlan>> makeCompound(
        const std::shared_ptr<const Model>& model, const std::vector<PlanDevice>& devices,
        const std::vector<size_t>& assignment, const Sizes& sizes, const PlanOptions& options,
        const std::optional<PlanDevice>& fallback);

}  // namespace nn::runtime
