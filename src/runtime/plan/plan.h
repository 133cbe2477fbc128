// Divides a model among devices, and executes it on all of them as if it were one.
//
//   auto plan = nn::runtime::makePlan(model, {{npu}, {reference, true}},
//                                     {.preference = nn::ExecutionPreference::LOW_POWER});
//   if (!plan.has_value()) return plan.status();
//   auto executed = (*plan)->preparedModel()->execute(request, ...);
//
// Each operation goes to the device that says it is best at it; docs/partitioning.md has the rules.
// Devices are peers: what they answer is checked, exceptions are failures, and no lock is held
// while they are called.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "nnapi/checked_model.h"
#include "nnapi/driver/interfaces.h"
#include "nnapi/types.h"

namespace nn::runtime {

// In the order of registration; the CPU comes last. The CPU is taken to support every operation but
// those of extensions and OEM_OPERATION, and is what executions fall back to.
struct PlanDevice {
    SharedDevice device{};
    bool isCpu = false;
    // Does it write outputs when all are computed, so that they may lie over other arguments, as
    // the CPU does? Other devices never see such requests.
    bool takesOverlaps = false;
};

// Told on the thread that prepares or executes: what this device failed with, so that the CPU is
// used in its place; "npu, nnapi-reference" where the CPU failed at the step of another, and the
// whole model goes there. The name is empty where no device is the reason. It must not throw.
using FallbackListener = std::function<void(std::string_view device, const Status& why)>;

// Files that are open: as many as the device needs of each kind.
struct CacheHandles {
    std::vector<SharedHandle> model{};
    std::vector<SharedHandle> data{};
};

struct PlanOptions {
    enum class Partitioning {
        NO = 0,  // the whole model on the CPU
        WITH_FALLBACK = 1,
        WITHOUT_FALLBACK = 2,
    };

    ExecutionPreference preference = ExecutionPreference::DEFAULT;
    Priority priority = Priority::DEFAULT;
    OptionalTimePoint deadline{};
    std::vector<TokenValuePair> hints{};
    std::vector<ExtensionNameAndPrefix> prefixes{};  // of the tokens of the hints
    Partitioning partitioning = Partitioning::WITH_FALLBACK;
    // The application chose the devices: these alone are used, and nothing falls back.
    bool isExplicit = false;
    // A model that the CPU refuses to prepare has a plan all the same, whose executions fail with
    // the reason. What other devices refuse, and what memory and time refuse, fails as ever.
    bool refusesLate = false;
    // Of the application. Without one, or without a folder, nothing is cached.
    std::optional<CacheToken> token{};
    std::string cacheDirectory{};
    // In place of a folder, for a plan that is simple.
    std::optional<CacheHandles> cacheFiles{};
    FallbackListener onFallback{};
    // Told why a device has no cache. It must not throw.
    std::function<void(std::string_view device, const Status& why)> onCacheFailure{};
};

// An input or output of the main graph, by its place in the list.
struct Role {
    size_t ioIndex = 0;
    bool isInput = false;
    bool operator==(const Role&) const = default;
};

struct PlanStep {
    SharedDevice device{};                // null: interpreted by the plan
    std::vector<uint32_t> operations{};   // of the graph, in the order of the model
    SharedPreparedModel preparedModel{};  // null: interpreted by the plan
    std::optional<uint32_t> graph{};      // in Model::referenced; empty: the main graph
    bool isFromCache = false;
};

// An input or output of one step's prepared model.
struct StepRole {
    SharedDevice device{};
    SharedPreparedModel preparedModel{};
    uint32_t ioIndex = 0;
    bool isInput = false;
    bool operator==(const StepRole&) const = default;
};

// Of the memory of an argument, in bytes.
struct MemoryPreference {
    uint32_t alignment = 0;
    uint32_t padding = 0;
    bool operator==(const MemoryPreference&) const = default;
};

class PlanParts;

// Immutable and thread-safe. What it gives out may outlive it.
class Plan {
   public:
    explicit Plan(std::shared_ptr<const PlanParts> parts) : mParts(std::move(parts)) {}

    // Executes the whole model, in every way that a prepared model can: execute, executeFenced,
    // reusable executions, bursts. Outputs of a request may lie over inputs and over each other
    // (docs/overlapping_arguments.md).
    SharedPreparedModel preparedModel() const;

    // In the order in which they are first executed; steps inside a graph come behind the IF or
    // WHILE. A simple plan has one step.
    const std::vector<PlanStep>& steps() const;

    // Which inputs and outputs of steps an argument becomes; a buffer that has all these roles can
    // be that argument. Empty where the plan itself reads or writes the argument, which memory of
    // a device does not allow, and where nobody uses it.
    std::vector<StepRole> rolesOf(const Role& role) const;

    // What the steps that use the argument prefer; the least demands where nobody does.
    MemoryPreference memoryPreference(const Role& role) const;

    // Why the CPU has refused the model or a step, and each execution will fail; success where none
    // was refused (PlanOptions::refusesLate).
    const Status& refusal() const;

    bool isSimple() const { return steps().size() == 1 && steps().front().device != nullptr; }
    // True where the plan itself executes an IF or a WHILE.
    bool interpretsControlFlow() const;
    // True where values of unknown size go from one step to another.
    bool hasDynamicTemporaries() const;

   private:
    std::shared_ptr<const PlanParts> mParts;
};

// The devices are not null. Fails with INVALID_ARGUMENT for a model that is not legal and for an
// operation that no device supports; with what a device fails with where the plan may not fall
// back; with MISSED_DEADLINE_* where the deadline passes.
GeneralResult<std::shared_ptr<const Plan>> makePlan(const Model& model,
                                                    const std::vector<PlanDevice>& devices,
                                                    const PlanOptions& options);

// The same for a model that is known to be legal, which the plan shares. It need not be the only
// owner, but what it points at must live as long as what was prepared.
GeneralResult<std::shared_ptr<const Plan>> makePlan(const CheckedModel& model,
                                                    const std::vector<PlanDevice>& devices,
                                                    const PlanOptions& options);

// What a driver prefers by its version, as the C API tells it.
MemoryPreference memoryPreferenceOf(const PlanDevice& device);

}  // namespace nn::runtime
