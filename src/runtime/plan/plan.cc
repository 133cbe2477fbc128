#include "runtime/plan/plan.h"

#include <absl/algorithm/container.h>

#include <algorithm>
#include <set>
#include <utility>

#include "base/no_throw.h"
#include "driver/adapt/argument_checks.h"
#include "driver/fences/deadlines.h"
#include "nnapi/type_utils.h"
#include "nnapi/validated_model.h"
#include "runtime/plan/argument_roles.h"
#include "runtime/plan/assign.h"
#include "runtime/plan/compiled_plan.h"
#include "runtime/plan/failed_devices.h"
#include "runtime/plan/fallback.h"
#include "runtime/plan/owned_model.h"
#include "runtime/plan/planned_prepared_model.h"
#include "runtime/plan/preparation.h"
#include "validate/validation_facts.h"

namespace nn::runtime {

// The parts of a plan.
class PlanParts {
   public:
    SharedPreparedModel preparedModel{};
    std::vector<PlanStep> steps{};
    std::shared_ptr<const Model> model{};
    PlanDevice device{};                             // of a simple plan
    std::shared_ptr<const CompiledPlan> compound{};  // null for a simple plan
    Status refusal{};
};

namespace {

using Parts = std::shared_ptr<const PlanParts>;
using Partitioning = PlanOptions::Partitioning;

// Makes one plan.
class Maker {
   public:
    Maker(std::shared_ptr<const Model> model, const ValidatedModel& checked,
          const std::vector<PlanDevice>& devices, const PlanOptions& options)
        : mModel(std::move(model)),
          mChecked(checked),
          mDevices(devices),
          mOptions(options),
          mSizes(sizesFor(*mModel, devices)) {
        const auto cpu = absl::c_find_if(devices, [](const PlanDevice& d) { return d.isCpu; });
        if (cpu != devices.end()) mCpu = *cpu;
    }

    GeneralResult<Parts> run() const {
        if (!mOptions.isExplicit && mOptions.partitioning == Partitioning::NO) {
            if (!mCpu) return error(ErrorStatus::INVALID_ARGUMENT) << "there is no CPU to plan for";
            return simple(*mCpu);
        }
        const bool mayFallBack = fallback() && !hasForeignOperation();
        auto parts = divided(mayFallBack);
        if (parts.has_value() || parts.error().code == ErrorStatus::INVALID_ARGUMENT ||
            !mayFallBack) {
            return parts;
        }
        if (mOptions.onFallback) mOptions.onFallback(devicesOf(parts.status()), parts.status());
        return simple(*mCpu);
    }

   private:
    static Sizes sizesFor(const Model& model, const std::vector<PlanDevice>& devices) {
        std::vector<SharedDevice> all;
        all.reserve(devices.size());
        for (const PlanDevice& device : devices) all.push_back(device.device);
        return Sizes(model, all);
    }

    // The device that replaces failing ones.
    std::optional<PlanDevice> fallback() const {
        const bool mayFallBack =
                !mOptions.isExplicit && mOptions.partitioning == Partitioning::WITH_FALLBACK;
        return mayFallBack ? mCpu : std::nullopt;
    }

    // True if the model has an operation that the CPU cannot execute.
    bool hasForeignOperation() const {
        const auto isForeign = [](const Operation& operation) {
            return isExtension(operation.type) || operation.type == OperationType::OEM_OPERATION;
        };
        return absl::c_any_of(mModel->main.operations, isForeign) ||
               absl::c_any_of(mModel->referenced, [&](const Model::Subgraph& graph) {
                   return absl::c_any_of(graph.operations, isForeign);
               });
    }

    // If the CPU rejects a step, it may accept the whole model.
    GeneralResult<Parts> divided(bool mayFallBack) const {
        NNAPI_ASSIGN_OR_RETURN(assignment,
                               assignDevices(mChecked, mDevices, mOptions.preference, mSizes));
        const std::set<size_t> used(assignment.begin(), assignment.end());
        if (used.size() == 1 && *used.begin() < mDevices.size()) {
            return simple(mDevices[*used.begin()]);
        }
        if (used.empty()) {
            return error(ErrorStatus::INVALID_ARGUMENT) << "the model has no operations";
        }
        PlanOptions options = mOptions;
        if (mayFallBack) options.defersErrors = false;
        auto compound = makeCompound(mModel, mDevices, assignment, mSizes, options, fallback());
        if (!compound.has_value()) return compound.status();
        auto parts = std::make_shared<PlanParts>();
        parts->model = mModel;
        parts->compound = *std::move(compound);
        parts->refusal = parts->compound->refusal;
        parts->preparedModel = compoundPreparedModel(parts->compound);
        if (const auto cpu = fallback()) {
            parts->preparedModel = checkedWithFallback(std::move(parts->preparedModel), mModel, cpu,
                                                       mSizes, mOptions, true, true, {});
        }
        addSteps(*parts->compound, parts->steps);
        return Parts(parts);
    }

    GeneralResult<Parts> simple(const PlanDevice& device) const {
        auto prepared = prepareOn(device, *mModel, mOptions);
        if (!prepared.has_value()) return prepared.status();
        auto parts = std::make_shared<PlanParts>();
        parts->model = mModel;
        parts->device = device;
        PlanStep& step = parts->steps.emplace_back();
        step.device = device.device;
        step.preparedModel = prepared->model;
        step.isFromCache = prepared->isFromCache;
        parts->refusal = prepared->refusal;
        for (uint32_t i = 0; i < mModel->main.operations.size(); ++i) step.operations.push_back(i);
        const auto cpu = device.isCpu ? std::nullopt : fallback();
        parts->preparedModel = checkedWithFallback(
                prepared->model, mModel, cpu, mSizes, mOptions,
                device.isCpu || device.allowsAliasing,
                isCompliantVersion(kVersionFeatureLevel4, device.device->getFeatureLevel()),
                device.device->getName());
        return Parts(parts);
    }

    // Adds the steps of each graph once, after the first operation that refers to it.
    static void addSteps(const CompiledPlan& plan, std::vector<PlanStep>& steps) {
        std::set<size_t> seen;
        const auto add = [&](const auto& self, size_t graph) -> void {
            if (!seen.insert(graph).second) return;
            const auto reference =
                    graph == 0 ? std::nullopt : std::optional(static_cast<uint32_t>(graph - 1));
            for (const Node& node : plan.graphs[graph].nodes) {
                if (node.kind == Node::Kind::STEP) {
                    const Step& step = plan.steps[node.step];
                    steps.push_back({step.device.device, step.operations, step.prepared, reference,
                                     step.isFromCache});
                    continue;
                }
                steps.push_back({.operations = {node.operation}, .graph = reference});
                for (const size_t inner : node.graphs) self(self, inner);
            }
        };
        add(add, 0);
    }

    std::shared_ptr<const Model> mModel;
    ValidatedModel mChecked;
    const std::vector<PlanDevice>& mDevices;
    const PlanOptions& mOptions;
    std::optional<PlanDevice> mCpu{};
    Sizes mSizes;
};

bool isListed(const Model& model, const Role& role) {
    const auto& list = role.isInput ? model.main.inputIndexes : model.main.outputIndexes;
    return role.ioIndex < list.size();
}

}  // namespace

SharedPreparedModel Plan::preparedModel() const { return mParts->preparedModel; }

const std::vector<PlanStep>& Plan::steps() const { return mParts->steps; }

const Status& Plan::refusal() const { return mParts->refusal; }

std::vector<StepRole> Plan::rolesOf(const Role& role) const {
    if (!isListed(*mParts->model, role)) return {};
    if (mParts->compound == nullptr) {
        const PlanStep& step = mParts->steps.front();
        return {{step.device, step.preparedModel, static_cast<uint32_t>(role.ioIndex),
                 role.isInput}};
    }
    const RoleUses uses = usesOf(*mParts->compound, role);
    if (uses.isOfPlan) return {};
    std::vector<StepRole> roles;
    for (const StepUse& use : uses.steps) {
        const Step& step = mParts->compound->steps[use.step];
        roles.push_back({step.device.device, step.prepared, use.ioIndex, use.isInput});
    }
    return roles;
}

MemoryPreference Plan::memoryPreference(const Role& role) const {
    MemoryPreference most{.alignment = kMinMemoryAlignment, .padding = kMinMemoryPadding};
    if (!isListed(*mParts->model, role)) return most;
    if (mParts->compound == nullptr) return memoryPreferenceOf(mParts->device);
    for (const StepUse& use : usesOf(*mParts->compound, role).steps) {
        const auto preference = memoryPreferenceOf(mParts->compound->steps[use.step].device);
        most.alignment = std::max(most.alignment, preference.alignment);
        most.padding = std::max(most.padding, preference.padding);
    }
    return most;
}

bool Plan::interpretsControlFlow() const {
    return absl::c_any_of(steps(), [](const PlanStep& step) { return step.device == nullptr; });
}

bool Plan::hasDynamicTemporaries() const {
    return mParts->compound != nullptr && !mParts->compound->dynamics.empty();
}

GeneralResult<std::shared_ptr<const Plan>> makePlan(const Model& model,
                                                    const std::vector<PlanDevice>& devices,
                                                    const PlanOptions& options) NNAPI_TRY {
    NNAPI_ASSIGN_OR_RETURN(checked, ModelValidator::borrow(model));
    if (absl::c_any_of(devices, [](const PlanDevice& d) { return d.device == nullptr; })) {
        return error(ErrorStatus::INVALID_ARGUMENT) << "a device is null";
    }
    NNAPI_RETURN_IF_ERROR(driver::checkPreparation(options.preference, options.priority,
                                                   options.hints, options.prefixes));
    NNAPI_RETURN_IF_ERROR(driver::checkDeadlineBefore("makePlan", options.deadline));
    NNAPI_ASSIGN_OR_RETURN(kept, ownModel(model));
    auto parts = Maker(std::move(kept), checked, devices, options).run();
    if (!parts.has_value()) return parts.status();
    return std::make_shared<const Plan>(*std::move(parts));
}
NNAPI_CATCH

MemoryPreference memoryPreferenceOf(const PlanDevice& device) {
    const bool isNew = device.isCpu ||
                       isCompliantVersion(kVersionFeatureLevel5, device.device->getFeatureLevel());
    return {.alignment = kDefaultRequestMemoryAlignment,
            .padding = isNew ? kDefaultRequestMemoryPadding : kMinMemoryPadding};
}

}  // namespace nn::runtime
