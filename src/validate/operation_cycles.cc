#include "validate/operation_cycles.h"

#include <algorithm>

#include "op_support/rules/op_view.h"

namespace nn {

OperationCycles::OperationCycles(const Model::Subgraph& subgraph)
    : mSubgraph(subgraph),
      mWriters(subgraph.operands.size(), kNone),
      mGroups(subgraph.operations.size(), kNone) {
    for (uint32_t k = 0; k < subgraph.operations.size(); ++k) {
        for (const uint32_t output : subgraph.operations[k].outputs) {
            if (output < mWriters.size()) mWriters[output] = k;
        }
    }
    findGroups();
    for (uint32_t k = 0; k < mGroups.size(); ++k) {
        Group& group = mMembers[mGroups[k]];
        if (group.size < kMaxNamed) group.first[group.size] = k;
        ++group.size;
    }
}

std::optional<uint32_t> OperationCycles::writerOf(uint32_t operand) const {
    const uint32_t writer = operand < mWriters.size() ? mWriters[operand] : kNone;
    return writer == kNone ? std::nullopt : std::optional(writer);
}

// Tarjan's strongly connected components, with an explicit stack instead of recursion.
void OperationCycles::findGroups() {
    struct Step {
        uint32_t operation;
        size_t nextInput = 0;
    };
    std::vector<uint32_t> order(mGroups.size(), kNone);  // when an operation was entered
    std::vector<uint32_t> least(mGroups.size(), kNone);  // the earliest on the path it leads to
    std::vector<uint32_t> open;                          // entered, and in no group yet
    std::vector<Step> path;
    uint32_t entered = 0;
    const auto enter = [&](uint32_t operation) {
        order[operation] = least[operation] = entered++;
        open.push_back(operation);
        path.push_back({.operation = operation});
    };
    for (uint32_t start = 0; start < mGroups.size(); ++start) {
        if (order[start] != kNone) continue;
        enter(start);
        while (!path.empty()) {
            Step& step = path.back();
            const uint32_t at = step.operation;
            const std::vector<uint32_t>& inputs = mSubgraph.operations[at].inputs;
            if (step.nextInput < inputs.size()) {
                const auto writer = writerOf(inputs[step.nextInput++]);
                if (!writer) continue;
                if (order[*writer] == kNone) {
                    enter(*writer);
                } else if (mGroups[*writer] == kNone) {
                    least[at] = std::min(least[at], order[*writer]);
                }
                continue;
            }
            path.pop_back();
            if (!path.empty()) {
                uint32_t& outer = least[path.back().operation];
                outer = std::min(outer, least[at]);
            }
            if (least[at] != order[at]) continue;
            const auto group = static_cast<uint32_t>(mMembers.size());
            mMembers.emplace_back();
            for (bool isLast = false; !isLast; open.pop_back()) {
                mGroups[open.back()] = group;
                isLast = open.back() == at;
            }
        }
    }
}

std::string OperationCycles::groupOf(uint32_t operation) const {
    const Group& group = mMembers[mGroups[operation]];
    const size_t named = std::min(group.size, kMaxNamed);
    std::string text = group.size == 1 ? "operation" : "operations";
    for (size_t i = 0; i < named; ++i) {
        const uint32_t member = group.first[i];
        const bool isLast = i + 1 == group.size;
        text += i == 0 ? " " : isLast ? " and " : ", ";
        text += fmt::format("{} {}", member, mSubgraph.operations[member].type);
    }
    if (group.size > named) {
        text += fmt::format(" and {}", Plural{group.size - named, "others"});
    }
    return text;
}

}  // namespace nn
