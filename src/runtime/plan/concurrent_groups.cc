#include "runtime/plan/concurrent_groups.h"

#include <absl/algorithm/container.h>

#include <deque>
#include <iterator>
#include <optional>
#include <unordered_map>
#include <utility>

#include "nnapi/checked_math.h"
#include "nnapi/type_utils.h"

namespace nn::runtime {
namespace {

class Arrangement {
   public:
    Arrangement(const Model::Subgraph& graph, size_t deviceCount, std::span<const uint64_t> work,
                uint64_t least)
        : mGraph(graph),
          mDeviceCount(deviceCount),
          mWork(work),
          mLeast(least),
          mReaders(graph.operands.size()),
          mRound(graph.operands.size()) {
        for (const Operation& operation : graph.operations) {
            for (const uint32_t input : operation.inputs) ++mReaders[input];
        }
    }

    std::vector<Group> of(std::vector<Group> groups) {
        mLeft.assign(std::make_move_iterator(groups.begin()),
                     std::make_move_iterator(groups.end()));
        while (!mLeft.empty()) round();
        return std::move(mArranged);
    }

   private:
    // The first group that is left, and all that can be computed at the same time. Groups that
    // depend on these, or have too little work, wait for the next rounds.
    void round() {
        ++mThisRound;
        std::vector<size_t> busy{mLeft.front().device};
        mArranged.push_back(takeFirst());
        mark(mArranged.back());
        if (!isEnough(mArranged.back())) return;
        std::vector<Group> waiting;
        while (!mLeft.empty() && busy.size() < mDeviceCount && waiting.size() < mDeviceCount) {
            Group group = takeFirst();
            auto [apart, rest] = divide(group);
            mark(group);
            if (absl::c_linear_search(busy, group.device) || !isEnough(apart) ||
                !(rest.operations.empty() || (isConnected(apart) && isConnected(rest)))) {
                waiting.push_back(std::move(group));
                continue;
            }
            busy.push_back(group.device);
            apart.isConcurrent = true;
            mArranged.push_back(std::move(apart));
            if (!rest.operations.empty()) waiting.push_back(std::move(rest));
        }
        mLeft.insert(mLeft.begin(), std::make_move_iterator(waiting.begin()),
                     std::make_move_iterator(waiting.end()));
    }

    Group takeFirst() {
        Group group = std::move(mLeft.front());
        mLeft.pop_front();
        return group;
    }

    // Operations that read its outputs depend on this round.
    void mark(const Group& group) {
        for (const uint32_t operation : group.operations) mark(operation);
    }
    void mark(uint32_t operation) {
        for (const uint32_t output : mGraph.operations[operation].outputs) {
            mRound[output] = mThisRound;
        }
    }

    // Operations that do not depend on this round, and those that do.
    std::pair<Group, Group> divide(const Group& group) {
        Group apart{.device = group.device}, rest{.device = group.device};
        for (const uint32_t operation : group.operations) {
            const bool depends =
                    absl::c_any_of(mGraph.operations[operation].inputs,
                                   [&](uint32_t input) { return mRound[input] == mThisRound; });
            if (depends) mark(operation);
            (depends ? rest : apart).operations.push_back(operation);
        }
        return {std::move(apart), std::move(rest)};
    }

    bool isEnough(const Group& group) const {
        if (group.device == mDeviceCount) return false;
        std::optional<uint64_t> sum = 0;
        for (const uint32_t operation : group.operations) {
            sum = checkedAdd<uint64_t>(sum, mWork[operation]);
        }
        return sum.value_or(UINT64_MAX) >= mLeast;
    }

    // Whether the group reads a value from outside, and has one that is read there. Without either
    // it could be no step.
    bool isConnected(const Group& group) const {
        std::unordered_map<uint32_t, uint32_t> readers;  // outside, by output of the group
        for (const uint32_t operation : group.operations) {
            for (const uint32_t output : mGraph.operations[operation].outputs) {
                readers[output] = mReaders[output];
            }
        }
        bool hasInput = false;
        for (const uint32_t operation : group.operations) {
            for (const uint32_t input : mGraph.operations[operation].inputs) {
                const auto inside = readers.find(input);
                if (inside != readers.end()) {
                    --inside->second;
                } else if (!isConstant(mGraph.operands[input].lifetime)) {
                    hasInput |= mGraph.operands[input].lifetime != Operand::LifeTime::NO_VALUE;
                }
            }
        }
        return hasInput && absl::c_any_of(readers, [&](const auto& each) {
                   const auto& [output, count] = each;
                   return count != 0 ||
                          mGraph.operands[output].lifetime == Operand::LifeTime::SUBGRAPH_OUTPUT;
               });
    }

    const Model::Subgraph& mGraph;
    const size_t mDeviceCount;
    const std::span<const uint64_t> mWork;
    const uint64_t mLeast;
    std::vector<uint32_t> mReaders;  // by operand
    std::vector<size_t> mRound;      // by operand: the last round that it is of
    size_t mThisRound = 0;
    std::deque<Group> mLeft{};
    std::vector<Group> mArranged{};
};

}  // namespace

std::vector<Group> concurrentGroups(const Model::Subgraph& graph, std::vector<Group> groups,
                                    size_t deviceCount, std::span<const uint64_t> work,
                                    uint64_t least) {
    return Arrangement(graph, deviceCount, work, least).of(std::move(groups));
}

}  // namespace nn::runtime
