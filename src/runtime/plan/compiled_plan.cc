#include "runtime/plan/compiled_plan.h"

#include <absl/algorithm/container.h>

#include <algorithm>
#include <utility>

#include "nnapi/checked_math.h"
#include "nnapi/type_utils.h"
#include "runtime/plan/assign.h"
#include "runtime/plan/concurrent_groups.h"
#include "runtime/plan/control_flow.h"
#include "runtime/plan/costs.h"
#include "runtime/plan/extract.h"
#include "runtime/plan/failed_devices.h"
#include "runtime/plan/partition.h"
#include "runtime/plan/preparation.h"
#include "runtime/plan/work.h"
#include "validate/validation_facts.h"

namespace nn::runtime {
namespace {

using LifeTime = Operand::LifeTime;

// Of one plan, for all its executions together. An execution that gets no thread executes its steps
// one after the other.
constexpr size_t kMaxThreads = 8;

class Builder {
   public:
    Builder(const std::vector<PlanDevice>& devices, CompiledPlan& made)
        : mDevices(devices), mMade(made), mModel(*made.model) {
        mMade.graphs.resize(mModel.referenced.size() + 1);
    }

    Status run(const std::vector<size_t>& assignment) {
        NNAPI_RETURN_IF_ERROR(addGraph(0, assignment));
        mMade.hasEarlyOutputs = hasEarlyOutputs();
        mMade.allowsAliasing =
                !mMade.hasEarlyOutputs && absl::c_all_of(mMade.steps, [](const Step& step) {
                    return step.device.isCpu || step.device.allowsAliasing;
                });
        return {};
    }

   private:
    // Plans each graph once, however many operations refer to it: there are no cycles, so at most
    // one execution of a graph is running at a time.
    Status addReferenced(size_t graph) {
        if (mMade.graphs[graph].graph != nullptr) return {};
        NNAPI_ASSIGN_OR_RETURN(model, extractGraph(mModel, graphAt(mModel, graph)));
        NNAPI_ASSIGN_OR_RETURN(checked, ModelValidator::borrow(model));
        NNAPI_ASSIGN_OR_RETURN(assignment, assignDevices(checked, mDevices,
                                                         mMade.options.preference, mMade.sizes));
        return addGraph(graph, assignment);
    }

    Status addGraph(size_t number, const std::vector<size_t>& assignment) {
        const Model::Subgraph& graph = graphAt(mModel, number);
        const std::vector<Group> groups = groupsOf(graph, assignment);
        std::vector<size_t> groupOf(graph.operations.size());
        for (size_t i = 0; i < groups.size(); ++i) {
            for (const uint32_t operation : groups[i].operations) groupOf[operation] = i;
        }
        const Boundary boundary(graph, groupOf);
        mMade.graphs[number].graph = &graph;
        mMade.graphs[number].places.resize(graph.operands.size());
        for (const Group& group : groups) {
            NNAPI_RETURN_IF_ERROR(group.device == mDevices.size()
                                          ? addControlFlow(number, group.operations.front())
                                          : addStep(number, boundary, group));
        }
        return {};
    }

    std::vector<Group> groupsOf(const Model::Subgraph& graph,
                                const std::vector<size_t>& assignment) const {
        std::vector<Group> groups = partition(graph, assignment, mDevices.size());
        if (groups.size() < 2) return groups;
        Costs costs(mModel, ExecutionPreference::FAST_SINGLE_ANSWER);
        std::vector<uint64_t> work;
        for (size_t i = 0; i < assignment.size(); ++i) {
            const Operation& operation = graph.operations[i];
            uint64_t& each = work.emplace_back(workOf(graph, operation));
            if (each == 0 || assignment[i] == mDevices.size()) continue;
            // A device that is faster than the CPU has less to do.
            const double figure = costs.of(*mDevices[assignment[i]].device, graph, operation);
            if (figure < 1) {
                each = static_cast<uint64_t>(std::max(figure, 0.0) * static_cast<double>(each));
            }
        }
        return concurrentGroups(graph, std::move(groups), mDevices.size(), work,
                                mMade.options.minConcurrentWork);
    }

    // ---- memory

    Result<Region> region(const Operand& operand) {
        const auto size = mMade.sizes.bytes(operand);
        const auto padded =
                size ? checkedRoundUp<uint32_t>(*size, kDefaultRequestMemoryPadding) : std::nullopt;
        const auto end = checkedAdd<uint32_t>(mMade.memorySize, padded);
        if (!end) {
            return makeError(ErrorStatus::RESOURCE_EXHAUSTED_PERSISTENT,
                             "values between steps take more than 2^32 bytes");
        }
        return Region{.offset = std::exchange(mMade.memorySize, *end), .size = *size};
    }

    // A place for a value that crosses from one node to another.
    Status settle(size_t graph, uint32_t index) {
        ValuePlace& target = mMade.graphs[graph].places[index];
        const Operand& operand = graphAt(mModel, graph).operands[index];
        if (target.kind != ValuePlace::Kind::NONE ||
            operand.lifetime != LifeTime::TEMPORARY_VARIABLE)
            return {};
        if (!mMade.sizes.isUnknown(operand)) {
            NNAPI_ASSIGN_OR_RETURN(place, region(operand));
            target = {.kind = ValuePlace::Kind::REGION, .region = place};
            return {};
        }
        target = {.kind = ValuePlace::Kind::DYNAMIC,
                  .dynamic = static_cast<uint32_t>(mMade.dynamics.size())};
        mMade.dynamics.push_back({operand.type, operand.dimensions});
        return {};
    }

    // ---- nodes

    Status addStep(size_t number, const Boundary& boundary, const Group& group) {
        NNAPI_ASSIGN_OR_RETURN(
                part, extract(mModel, graphAt(mModel, number), boundary, group.operations));
        if (part.inputs.empty() || part.outputs.empty()) {
            const std::string& name = mDevices[group.device].device->getName();
            return failureOf(
                    name, error() << "a step on " << name << " has no "
                                  << std::string_view(part.inputs.empty() ? "inputs" : "outputs"));
        }
        Step step{.graph = static_cast<uint32_t>(number),
                  .operations = group.operations,
                  .device = mDevices[group.device],
                  .model = std::move(part.model),
                  .inputs = std::move(part.inputs),
                  .outputs = std::move(part.outputs)};
        for (const uint32_t output : step.outputs) {
            NNAPI_RETURN_IF_ERROR(settle(number, output));
            const bool isDynamic =
                    mMade.graphs[number].places[output].kind == ValuePlace::Kind::DYNAMIC;
            if (isDynamic &&
                step.device.device->getFeatureLevel().level < Version::Level::FEATURE_LEVEL_3) {
                const std::string& name = step.device.device->getName();
                return failureOf(name, error() << name
                                               << " computes a value of unknown size for another "
                                                  "device, which needs HAL 1.2");
            }
        }
        step.signature = driver::outputSignatures(step.model);
        step.hasLoop = hasLoop(step.model);
        step.padding = memoryPreferenceOf(step.device).padding;
        const auto graph = static_cast<uint32_t>(number);
        auto prepared = prepareOn(step.device, step.model, mMade.options,
                                  StepOrigin{graph, step.operations});
        if (!prepared.has_value()) return prepared.status();
        step.prepared = prepared->model;
        step.isFromCache = prepared->isFromCache;
        mMade.refusal.Update(prepared->refusal);
        mMade.graphs[number].nodes.push_back({.kind = Node::Kind::STEP,
                                              .step = mMade.steps.size(),
                                              .isConcurrent = group.isConcurrent});
        if (group.isConcurrent && mMade.threads == nullptr) {
            mMade.threads = std::make_unique<driver::ThreadPool>(kMaxThreads, mDevices.size() - 1);
        }
        mMade.steps.push_back(std::move(step));
        return {};
    }

    Status addControlFlow(size_t number, uint32_t index) {
        const Model::Subgraph& graph = graphAt(mModel, number);
        const Operation& operation = graph.operations[index];
        const bool isIf = operation.type == OperationType::IF;
        Node node{.kind = isIf ? Node::Kind::IF : Node::Kind::WHILE, .operation = index};
        node.graphs = graphsOf(graph, operation);
        for (const uint32_t output : operation.outputs) {
            NNAPI_RETURN_IF_ERROR(settle(number, output));
        }
        for (const uint32_t input : operation.inputs) {
            NNAPI_RETURN_IF_ERROR(addConstant(number, input));
        }
        if (!isIf) NNAPI_RETURN_IF_ERROR(addLoop(node));
        mMade.graphs[number].nodes.push_back(node);
        for (const size_t inner : node.graphs) NNAPI_RETURN_IF_ERROR(addReferenced(inner));
        return {};
    }

    Status addConstant(size_t number, uint32_t index) {
        const Operand& operand = graphAt(mModel, number).operands[index];
        ValuePlace& target = mMade.graphs[number].places[index];
        if (!isConstant(operand.lifetime) || target.kind != ValuePlace::Kind::NONE) return {};
        NNAPI_ASSIGN_OR_RETURN(place, region(operand));
        target = {.kind = ValuePlace::Kind::REGION, .region = place};
        mMade.graphs[number].constants.emplace_back(index, place);
        return {};
    }

    Status addLoop(Node& node) {
        const Model::Subgraph& condition = graphAt(mModel, node.graphs[0]);
        NNAPI_ASSIGN_OR_RETURN(place, region(condition.operands[condition.outputIndexes.front()]));
        node.loop.condition = place;
        const Model::Subgraph& body = graphAt(mModel, node.graphs[1]);
        for (const uint32_t output : body.outputIndexes) {
            NNAPI_ASSIGN_OR_RETURN(one, region(body.operands[output]));
            NNAPI_ASSIGN_OR_RETURN(other, region(body.operands[output]));
            node.loop.values.push_back({one, other});
        }
        return {};
    }

    // An IF or a WHILE writes its outputs one after the other; concurrent steps write while others
    // read.
    bool hasEarlyOutputs() const {
        std::vector<bool> isOutput(mModel.main.operands.size());
        for (const uint32_t output : mModel.main.outputIndexes) isOutput[output] = true;
        const std::vector<Node>& nodes = mMade.main().nodes;
        return absl::c_any_of(nodes, [&](const Node& node) {
            const bool isStep = node.kind == Node::Kind::STEP;
            if (isStep && !node.isConcurrent && &node == &nodes.back()) return false;
            return absl::c_any_of(isStep ? mMade.steps[node.step].outputs
                                         : mModel.main.operations[node.operation].outputs,
                                  [&](uint32_t i) { return isOutput[i]; });
        });
    }

    const std::vector<PlanDevice>& mDevices;
    CompiledPlan& mMade;
    const Model& mModel;
};

}  // namespace

bool hasLoop(const Model& model) {
    const auto isLoop = [](const Operation& o) { return o.type == OperationType::WHILE; };
    return absl::c_any_of(model.main.operations, isLoop) ||
           absl::c_any_of(model.referenced, [&](const Model::Subgraph& graph) {
               return absl::c_any_of(graph.operations, isLoop);
           });
}

GeneralResult<SharedPreparedModel> LazyPreparedModel::get(const IDevice& cpu, const Model& model,
                                                          const PlanOptions& options) const {
    {
        const std::lock_guard lock(mMutex);
        if (mPrepared != nullptr) return mPrepared;
    }
    auto prepared = prepareOnCpu(cpu, model, options);
    if (!prepared.has_value()) return prepared;
    const std::lock_guard lock(mMutex);
    if (mPrepared == nullptr) mPrepared = *std::move(prepared);
    return mPrepared;
}

GeneralResult<std::shared_ptr<const CompiledPlan>> makeCompound(
        const std::shared_ptr<const Model>& model, const std::vector<PlanDevice>& devices,
        const std::vector<size_t>& assignment, const Sizes& sizes, const PlanOptions& options,
        const std::optional<PlanDevice>& fallback) {
    const auto made = std::make_shared<CompiledPlan>(
            CompiledPlan{.model = model, .options = options, .cpu = fallback, .sizes = sizes});
    NNAPI_RETURN_IF_ERROR(Builder(devices, *made).run(assignment));
    return std::shared_ptr<const CompiledPlan>(made);
}

}  // namespace nn::runtime
