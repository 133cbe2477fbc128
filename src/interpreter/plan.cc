#include "interpreter/plan.h"

#include <absl/algorithm/container.h>
#include <fmt/format.h>

#include <algorithm>

#include "base/float_environment.h"
#include "interpreter/arena_planner.h"
#include "interpreter/errors.h"
#include "nnapi/checked_math.h"
#include "nnapi/type_utils.h"
#include "validate/checks.h"
#include "validate/validation_facts.h"

namespace nn {
namespace {

using ops::Shape;
using ops::Value;

class Planner {
   public:
    Planner(Plan& plan, WorkBudget& watched) : mPlan(plan), mWatched(watched) {}

    Status plan() {
        mPlan.constants = Constants(mPlan.model, mPlan.extensions, mPlan.limits);
        mPlan.graphs.resize(mPlan.model.referenced.size() + 1);
        for (size_t g = 0; g < mPlan.graphs.size(); ++g) mPlan.graphs[g].graph = &graphOf(g);
        std::optional<uint64_t> bytes = 0;
        for (size_t g = 0; g < mPlan.graphs.size(); ++g) {
            GraphPlan& graph = mPlan.graphs[g];
            NNAPI_RETURN_IF_ERROR(planGraph(g, graph));
            bytes = planArena(graph, g == 0) ? checkedAdd<uint64_t>(bytes, graph.arenaSize)
                                             : std::nullopt;
            if (const uint64_t most = mPlan.limits.peakBytes; !bytes || *bytes > most) {
                return makeError(
                        kLimitExceeded,
                        Diagnostic{
                                .rule = ruleOf(&Limits::peakBytes),
                                .path = "main",
                                .message = fmt::format(
                                        "temporaries take {} bytes, allowed {}",
                                        bytes ? std::to_string(*bytes) : "more than 2^64", most)});
            }
            for (Value& value : graph.values) value.zeroIsSize = true;
        }
        return {};
    }

   private:
    const Model::Subgraph& graphOf(size_t graph) const {
        return graph == 0 ? mPlan.model.main : mPlan.model.referenced[graph - 1];
    }

    // A step of preparation is several times as long as one of validation.
    static constexpr uint64_t kStepsOfValidation = 8;

    // Receives the results of preparing a graph, and keeps the reason for a failure.
    class Listener : public PreparationListener {
       public:
        Listener(Planner& planner, size_t g) : mPlanner(planner), mGraph(g) {}

        bool begins(Part part, size_t index) override {
            uint64_t steps = 1;
            if (part == Part::OPERATION) {
                const Operation& operation = mPlanner.graphOf(mGraph).operations[index];
                steps += operation.inputs.size() + operation.outputs.size();
            }
            if (mPlanner.mWatched.consume(kStepsOfValidation * steps)) [[likely]]
                return true;
            auto end = mPlanner.mWatched.poll();
            return !end || refused(part, index,
                                   {.rule = std::move(end->rule),
                                    .message = std::move(end->message),
                                    .code = end->code});
        }

        ops::Bytes constant(size_t operand, ElementType element, Status& why) override {
            return mPlanner.mPlan.constants.data(mPlanner.graphOf(mGraph).operands[operand],
                                                 element, mPlanner.mWatched, why);
        }

        bool refused(Part part, size_t index, Refusal why) override {
            const auto error = part == Part::OPERAND ? operandError : operationError;
            status = error(mPlanner.mPlan, mGraph, index, why.code, why.rule,
                           std::move(why.message));
            return false;
        }

        Status status{};

       private:
        Planner& mPlanner;
        size_t mGraph;
    };

    Status planGraph(size_t g, GraphPlan& graph) {
        const Model::Subgraph& model = *graph.graph;
        GraphPreparation preparation(model, mPlan.checked.found().graphs[g], /*isMain=*/g == 0,
                                     &mPlan.extensions, mPlan.limits);
        Listener listener(*this, g);
        if (!preparation.run(listener)) return listener.status;
        graph.operands = std::move(preparation.operands);
        graph.operations = std::move(preparation.operations);
        graph.values = std::move(preparation.values);
        graph.placements.resize(model.operands.size());
        noteSizes(graph);
        graph.settledSteps.resize(graph.operations.size());
        for (size_t k = 0; k < graph.operations.size(); ++k) {
            noteUses(graph, k);
            graph.settledSteps[k] = settledSteps(graph, k);
        }
        for (size_t i = 0; i < model.outputIndexes.size(); ++i) {
            graph.placements[model.outputIndexes[i]].output = static_cast<uint32_t>(i);
        }
        return {};
    }

    static void noteSizes(GraphPlan& graph) {
        for (size_t i = 0; i < graph.operands.size(); ++i) {
            const KnownOperand& known = graph.operands[i];
            if (!known.isKnown) continue;
            graph.placements[i].size = byteSize(known.element, known.dimensions).value_or(0);
        }
    }

    static uint64_t settledSteps(const GraphPlan& graph, size_t k) {
        const KnownOperation& operation = graph.operations[k];
        if (!operation.isSettled) return 0;
        uint64_t steps = kStepsOfAny;
        for (const uint32_t input : graph.graph->operations[k].inputs) {
            const Value& value = graph.values[input];
            const uint64_t elements = value.elementCount().value_or(kStepsOfAny);
            if (elements == 0 && !value.omitted && !operation.takesZeroSizedInputs()) return 0;
            steps += elements;
        }
        for (const uint32_t output : graph.graph->operations[k].outputs) {
            const KnownOperand& known = graph.operands[output];
            if (!byteSize(known.element, known.dimensions)) return 0;
        }
        return steps;
    }

    static void noteUses(GraphPlan& graph, size_t k) {
        const std::vector<uint32_t>& inputs = graph.graph->operations[k].inputs;
        const KnownOperation& operation = graph.operations[k];
        const bool needsAll = !operation.mayOmitAny();
        for (size_t i = 0; i < inputs.size(); ++i) {
            if (needsAll || !operation.mayOmit(i, inputs.size()))
                graph.placements[inputs[i]].neededBy = static_cast<uint32_t>(k);
        }
    }

    // Sorts the temporaries by the operation that reads them last.
    static void noteLastUses(GraphPlan& graph) {
        const Model::Subgraph& model = *graph.graph;
        const auto isTemporary = [](const Operand& operand) {
            return operand.lifetime == Operand::LifeTime::TEMPORARY_VARIABLE;
        };
        if (absl::c_none_of(model.operands, isTemporary)) return;
        constexpr uint32_t kNever = UINT32_MAX;
        absl::InlinedVector<uint32_t, 64> lastUse(model.operands.size(), kNever);
        for (size_t k = 0; k < model.operations.size(); ++k) {
            const Operation& operation = model.operations[k];
            for (const uint32_t i : operation.outputs) lastUse[i] = static_cast<uint32_t>(k);
            for (const uint32_t i : operation.inputs) lastUse[i] = static_cast<uint32_t>(k);
        }
        // First the counts, each at the index after the operation's own; then they become end
        // positions.
        GraphPlan::Indexes& first = graph.firstLastUse;
        first.resize(model.operations.size() + 1);
        uint32_t count = 0;
        for (size_t i = 0; i < lastUse.size(); ++i) {
            if (!isTemporary(model.operands[i])) lastUse[i] = kNever;
            if (lastUse[i] == kNever) continue;
            ++first[lastUse[i] + 1];
            ++count;
        }
        for (size_t k = 1; k < first.size(); ++k) first[k] += first[k - 1];
        graph.temporaries.resize(count);
        for (size_t i = lastUse.size(); i-- > 0;) {
            if (lastUse[i] == kNever) continue;
            graph.temporaries[--first[lastUse[i] + 1]] = static_cast<uint32_t>(i);
        }
        // Now each ends where the previous one began.
        for (size_t k = 0; k + 1 < first.size(); ++k) first[k] = first[k + 1];
        first.back() = count;
    }

    // For larger outputs, allocating a buffer is a small part of their cost.
    static constexpr uint64_t kSmallOutput = 4096;

    // Assigns places to temporaries and small outputs of known size, and records the last reads of
    // temporaries. Outputs of graphs other than the main one change owners, so they have separate
    // buffers. False if sizes overflow.
    static bool planArena(GraphPlan& graph, bool isMain) {
        const Model::Subgraph& model = *graph.graph;
        noteLastUses(graph);
        ArenaPlanner planner;
        for (size_t k = 0; k < model.operations.size(); ++k) {
            for (const uint32_t output : model.operations[k].outputs) {
                const KnownOperand& known = graph.operands[output];
                Placement& placement = graph.placements[output];
                const bool isOutput = placement.output != Placement::kNone;
                if (!known.isKnown || (isOutput && !isMain)) continue;
                const auto size = byteSize(known.element, known.dimensions);
                if (isOutput && (!size || *size > kSmallOutput)) continue;
                if (!size) return false;
                const auto offset = planner.allocate(*size);
                if (!offset) return false;
                placement.offset = *offset;
            }
            if (k + 1 == model.operations.size()) break;  // their places are no longer needed
            for (const uint32_t operand : graph.lastUses(k)) {
                const Placement& placement = graph.placements[operand];
                if (placement.offset != Placement::kNowhere)
                    planner.release(placement.offset, placement.size);
            }
        }
        graph.arenaSize = planner.size();
        return true;
    }

    Plan& mPlan;
    WorkBudget& mWatched;
};

constexpr std::string_view kWork = "the preparation";

Result<std::unique_ptr<const Plan>> makePlan(const ValidatedModel& model,
                                             const PrepareOptions& options, WorkBudget& watched) {
    const DefaultFloatEnvironment environment;
    auto plan = std::make_unique<Plan>(model);
    plan->limits = options.limits;
    NNAPI_ASSIGN_OR_RETURN(extensions, Extensions::create(plan->model, options.extensions));
    plan->extensions = std::move(extensions);
    NNAPI_RETURN_IF_ERROR(Planner(*plan, watched).plan());
    return std::unique_ptr<const Plan>(std::move(plan));
}

}  // namespace

Result<std::unique_ptr<const Plan>> makePlan(Model model, const PrepareOptions& options) {
    WorkBudget watched(options.until, options.limits, kWork);
    NNAPI_ASSIGN_OR_RETURN(checked,
                           ModelValidator::run(std::make_shared<const Model>(std::move(model)),
                                               std::nullopt, options.limits, watched));
    return makePlan(checked, options, watched);
}

Result<std::unique_ptr<const Plan>> makePlan(const ValidatedModel& model,
                                             const PrepareOptions& options) {
    WorkBudget watched(options.until, options.limits, kWork);
    return makePlan(model, options, watched);
}

size_t referencedGraph(const Operand& operand) { return size_t{operand.location.offset} + 1; }

bool hasPassed(const OptionalTimePoint& deadline) { return deadline && Clock::now() >= *deadline; }

}  // namespace nn
