// Divides a model among devices, and executes it on all of them as if it were one.
//
//   auto plan = nn::runtime::makePlan(model, {{npu}, {reference, true}},
//                                     {.preference = nn::ExecutionPreference::LOW_POWER});
//   if (!plan.has_value()) return plan.status();
//   auto executed = (*plan)->preparedModel()->execute(request, ...);
//
// Each operation is assigned to the device that declares the best performance for it;
// docs/partitioning.md has the rules. Devices are not trusted: their results are checked,
// exceptions are failures, and no lock is held while they are called.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "nnapi/driver/interfaces.h"
#include "nnapi/types.h"

namespace nn::runtime {

// The CPU is last; the others are in registration order. The CPU supports every operation except
// those of extensions and OEM_OPERATION, and is the fallback of executions.
struct PlanDevice {
    SharedDevice device{};
    bool isCpu = false;
    // True if the device reads all inputs before it writes outputs, as the CPU does, so that they
    // may overlap. Other devices never see overlapping arguments.
    bool allowsAliasing = false;
};

// Reports a failure of a device for which the CPU is used instead, on the thread that prepares or
// executes. "npu, nnapi-reference": the CPU also failed at the step, and executes the whole model.
// The name is empty if no device is the reason. Must not throw.
using FallbackListener = std::function<void(std::string_view device, const Status& why)>;

// Open files, as many of each kind as the device needs.
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
    // Independent steps of different devices are executed at the same time if each has at least
    // this much work: multiplications, roughly (work.h), times the execution time that the device
    // declares, if that is below 1. Below that, a change of threads costs more time than it saves.
    uint64_t minConcurrentWork = 8'000'000;
    // The application chose the devices: only these are used, without fallback.
    bool isExplicit = false;
    // Makes a plan even of a model that the CPU cannot prepare; its executions fail with the
    // reason. Errors of other devices, and a lack of memory or time, still fail the preparation.
    bool defersErrors = false;
    // The application's token. Nothing is cached without a token and a folder.
    std::optional<CacheToken> token{};
    std::string cacheDirectory{};
    // Cache files instead of a folder, for a plan of one step.
    std::optional<CacheHandles> cacheFiles{};
    FallbackListener onFallback{};
    // Reports why a device has no cache. Must not throw.
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

// Alignment and padding of an argument's memory, in bytes.
struct MemoryPreference {
    uint32_t alignment = 0;
    uint32_t padding = 0;
    bool operator==(const MemoryPreference&) const = default;
};

class PlanParts;

// Immutable and thread-safe. Objects that it returns may outlive it.
class Plan {
   public:
    explicit Plan(std::shared_ptr<const PlanParts> parts) : mParts(std::move(parts)) {}

    // A prepared model of the whole plan, for execute, executeFenced, reusable executions and
    // bursts. Outputs of a request may overlap inputs and each other
    // (docs/overlapping_arguments.md).
    SharedPreparedModel preparedModel() const;

    // In order of first execution; steps inside a graph come after their IF or WHILE. A simple plan
    // has one step.
    const std::vector<PlanStep>& steps() const;

    // The inputs and outputs of steps that an argument becomes; a buffer with all these roles can
    // be that argument. Empty if no step uses the argument, or if the plan itself reads or writes
    // it, which device memory does not permit.
    std::vector<StepRole> rolesOf(const Role& role) const;

    // The combined preference of the steps that use the argument; the minimum if none does.
    MemoryPreference memoryPreference(const Role& role) const;

    // The reason why the CPU rejected the model or a step, so that each execution fails; OK if
    // there is none (PlanOptions::defersErrors).
    const Status& refusal() const;

    bool isSimple() const { return steps().size() == 1 && steps().front().device != nullptr; }
    // True if the plan executes an IF or WHILE itself.
    bool interpretsControlFlow() const;
    // True if values of unknown size are passed between steps.
    bool hasDynamicTemporaries() const;

   private:
    std::shared_ptr<const PlanParts> mParts;
};

// The devices must not be null. Fails with INVALID_ARGUMENT for an illegal model and for an
// operation that no device supports; with the device's failure if the plan must not fall back; with
// MISSED_DEADLINE_* if the deadline passes.
GeneralResult<std::shared_ptr<const Plan>> makePlan(const Model& model,
                                                    const std::vector<PlanDevice>& devices,
                                                    const PlanOptions& options);

// The alignment and padding that a driver of this version prefers, as the C API reports them.
MemoryPreference memoryPreferenceOf(const PlanDevice& device);

}  // namespace nn::runtime
