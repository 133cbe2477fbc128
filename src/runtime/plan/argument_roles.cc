#include "runtime/plan/argument_roles.h"

#include <absl/algorithm/container.h>

#include <set>
#include <utility>

#include "runtime/plan/control_flow.h"

namespace nn::runtime {
namespace {

class Search {
   public:
    explicit Search(const CompiledPlan& plan) : mPlan(plan) {}

    // Several operations may pass the same operand to graphs.
    void follow(size_t graph, uint32_t operand) {
        if (!mSeen.insert({graph, operand}).second) return;
        for (const Node& node : mPlan.graphs[graph].nodes) {
            if (node.kind == Node::Kind::STEP) {
                addStep(node.step, operand);
            } else {
                addControlFlow(graph, node, operand);
            }
        }
    }

    RoleUses take() { return std::move(mUses); }

   private:
    void addStep(size_t index, uint32_t operand) {
        const Step& step = mPlan.steps[index];
        const auto add = [&](const std::vector<uint32_t>& list, bool isInput) {
            const auto place = absl::c_find(list, operand);
            if (place == list.end()) return;
            mUses.steps.push_back({index, static_cast<uint32_t>(place - list.begin()), isInput});
        };
        add(step.inputs, true);
        add(step.outputs, false);
    }

    void addControlFlow(size_t graph, const Node& node, uint32_t operand) {
        const Operation& operation = mPlan.graphs[graph].graph->operations[node.operation];
        const std::span<const uint32_t> values = valuesOf(operation);
        const bool isPassed = absl::c_linear_search(values, operand);
        const bool isResult = absl::c_linear_search(operation.outputs, operand);
        if (node.kind == Node::Kind::WHILE) {
            // If the condition is false at once, the plan itself copies the initial values.
            if (isPassed || isResult) mUses.isOfPlan = true;
            return;
        }
        if (operation.inputs.front() == operand) mUses.isOfPlan = true;
        for (const size_t inner : node.graphs) {
            const Model::Subgraph& branch = *mPlan.graphs[inner].graph;
            for (size_t i = 0; i < values.size(); ++i) {
                if (values[i] == operand) follow(inner, branch.inputIndexes[i]);
            }
            for (size_t i = 0; i < operation.outputs.size(); ++i) {
                if (operation.outputs[i] == operand) follow(inner, branch.outputIndexes[i]);
            }
        }
    }

    const CompiledPlan& mPlan;
    std::set<std::pair<size_t, uint32_t>> mSeen{};
    RoleUses mUses{};
};

}  // namespace

RoleUses usesOf(const CompiledPlan& plan, const Role& role) {
    const Model::Subgraph& main = *plan.main().graph;
    const auto& list = role.isInput ? main.inputIndexes : main.outputIndexes;
    if (role.ioIndex >= list.size()) return {};
    Search search(plan);
    search.follow(0, list[role.ioIndex]);
    return search.take();
}

}  // namespace nn::runtime
