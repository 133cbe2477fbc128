#include "interpreter/plan.h"

#include <absl/algorithm/container.h>
#include <fmt/format.h>

#include <algorithm>

#include "interpreter/arena_planner.h"
#include "interpreter/errors.h"
#include "nnapi/checked.h"
#include "nnapi/type_utils.h"
#include "validate/checks.h"
#include "validate/found.h"

namespace nn {
namespace {

using ops::Shape;
using ops::Value;

class Planner {
   public:
    Planner(Plan& plan, Watched& watched) : mPlan(plan), mWatched(watched) {}

    Status plan() {
        mPlan.constants = Constants(mPlan.model, mPlan.extensions, mPlan.limits, mWatched);
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

    // A step of preparation takes several times as long as one of validation.
    std::optional<Watched::End> spend(uint64_t steps) { return mWatched.spend(8 * steps); }

    // Receives what preparing a graph finds, and keeps the reason why it ends.
    class Listener : public PreparationListener {
       public:
        Listener(Planner& planner, size_t g) : mPlanner(planner), mGraph(g) {}

        bool begins(Part part, size_t index) override {
            uint64_t steps = 1;
            if (part == Part::OPERATION) {
                const Operation& operation = mPlanner.graphOf(mGraph).operations[index];
                steps += operation.inputs.size() + operation.outputs.size();
            }
            auto end = mPlanner.spend(steps);
            return !end || refused(part, index,
                                   {.rule = std::move(end->rule),
                                    .message = std::move(end->message),
                                    .code = end->code});
        }

        Result<ops::Bytes> constant(size_t operand, ElementType element) override {
            return mPlanner.mPlan.constants.data(mPlanner.graphOf(mGraph).operands[operand],
                                                 element);
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
        graph.operands.resize(model.operands.size());
        for (size_t i = 0; i < graph.operands.size(); ++i) {
            static_cast<KnownOperand&>(graph.operands[i]) = std::move(preparation.operands[i]);
        }
        graph.operations.resize(model.operations.size());
        for (size_t k = 0; k < graph.operations.size(); ++k) {
            PlannedOperation& planned = graph.operations[k];
            static_cast<KnownOperation&>(planned) = preparation.operations[k];
            if (planned.spec != nullptr) planned.kernel = ops::kernelOf(planned.spec->type);
            noteUses(graph, k);
        }
        graph.values = std::move(preparation.values);
        for (size_t i = 0; i < model.outputIndexes.size(); ++i) {
            graph.operands[model.outputIndexes[i]].output = static_cast<uint32_t>(i);
        }
        return {};
    }

    static void noteUses(GraphPlan& graph, size_t k) {
        const std::vector<uint32_t>& inputs = graph.graph->operations[k].inputs;
        for (size_t i = 0; i < inputs.size(); ++i) {
            PlannedOperand& operand = graph.operands[inputs[i]];
            if (!graph.operations[k].mayOmit(i, inputs.size()))
                operand.neededBy = static_cast<uint32_t>(k);
        }
    }

    // Of larger outputs, taking a buffer is a small part of what they cost.
    static constexpr uint64_t kSmallOutput = 4096;

    // Gives temporaries and small outputs of known size a place, and notes when temporaries are
    // read for the last time. Outputs of other graphs than the main one change hands, so that they
    // lie in buffers of their own. False where sizes overflow.
    static bool planArena(GraphPlan& graph, bool isMain) {
        const Model::Subgraph& model = *graph.graph;
        constexpr size_t kNever = SIZE_MAX;
        std::vector<size_t> lastUse(model.operands.size(), kNever);
        for (size_t k = 0; k < model.operations.size(); ++k) {
            for (const uint32_t output : model.operations[k].outputs) lastUse[output] = k;
            for (const uint32_t input : model.operations[k].inputs) lastUse[input] = k;
        }
        for (size_t i = 0; i < lastUse.size(); ++i) {
            if (model.operands[i].lifetime == Operand::LifeTime::TEMPORARY_VARIABLE &&
                lastUse[i] != kNever) {
                graph.operations[lastUse[i]].lastUses.push_back(static_cast<uint32_t>(i));
            }
        }

        ArenaPlanner planner;
        for (size_t k = 0; k < model.operations.size(); ++k) {
            for (const uint32_t output : model.operations[k].outputs) {
                PlannedOperand& planned = graph.operands[output];
                if (!planned.isKnown || (planned.output && !isMain)) continue;
                const auto size = byteSize(planned.element, planned.dimensions);
                if (planned.output && (!size || *size > kSmallOutput)) continue;
                if (!size) return false;
                planned.size = *size;
                planned.offset = planner.allocate(planned.size);
                if (!planned.offset) return false;
            }
            for (const uint32_t operand : graph.operations[k].lastUses) {
                const PlannedOperand& planned = graph.operands[operand];
                if (planned.offset) planner.release(*planned.offset, planned.size);
            }
        }
        graph.arenaSize = planner.size();
        return true;
    }

    Plan& mPlan;
    Watched& mWatched;
};

constexpr std::string_view kWork = "the preparation";

Result<std::unique_ptr<const Plan>> makePlan(const CheckedModel& model,
                                             const PrepareOptions& options, Watched& watched) {
    auto plan = std::make_unique<Plan>(model);
    plan->limits = options.limits;
    NNAPI_ASSIGN_OR_RETURN(extensions, Extensions::create(plan->model, options.extensions));
    plan->extensions = std::move(extensions);
    NNAPI_RETURN_IF_ERROR(Planner(*plan, watched).plan());
    return std::unique_ptr<const Plan>(std::move(plan));
}

}  // namespace

Result<std::unique_ptr<const Plan>> makePlan(Model model, const PrepareOptions& options) {
    Watched watched(options.until, options.limits, kWork);
    NNAPI_ASSIGN_OR_RETURN(checked, ModelCheck::run(std::make_shared<const Model>(std::move(model)),
                                                    std::nullopt, options.limits, watched));
    return makePlan(checked, options, watched);
}

Result<std::unique_ptr<const Plan>> makePlan(const CheckedModel& model,
                                             const PrepareOptions& options) {
    Watched watched(options.until, options.limits, kWork);
    return makePlan(model, options, watched);
}

size_t referencedGraph(const Operand& operand) { return size_t{operand.location.offset} + 1; }

bool agree(std::span<const uint32_t> dimensions, std::span<const uint32_t> declared) {
    if (declared.empty()) return true;
    return absl::c_equal(dimensions, declared,
                         [](uint32_t d, uint32_t known) { return known == 0 || d == known; });
}

bool hasPassed(const OptionalTimePoint& deadline) { return deadline && Clock::now() >= *deadline; }

}  // namespace nn
