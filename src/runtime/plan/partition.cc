#include "runtime/plan/partition.h"

#include <deque>
#include <utility>

namespace nn::runtime {
namespace {

// Operations whose inputs are computed, by device.
class Ready {
   public:
    Ready(const Model::Subgraph& graph, std::span<const size_t> device, size_t deviceCount)
        : mGraph(graph),
          mDevice(device),
          mQueues(deviceCount + 1),
          mMissing(graph.operations.size()),
          mReaders(graph.operands.size()) {
        std::vector<bool> isComputed(graph.operands.size());
        for (const Operation& operation : graph.operations) {
            for (const uint32_t output : operation.outputs) isComputed[output] = true;
        }
        for (uint32_t i = 0; i < graph.operations.size(); ++i) {
            for (const uint32_t input : graph.operations[i].inputs) {
                if (!isComputed[input]) continue;
                mReaders[input].push_back(i);
                ++mMissing[i];
            }
            if (mMissing[i] == 0) add(i);
        }
    }

    // Returns the number of queues if nothing is left.
    size_t next() const {
        for (size_t i = mQueues.size(); i > 0; --i) {
            if (!mQueues[i - 1].empty()) return i - 1;
        }
        return mQueues.size();
    }
    bool has(size_t queue) const { return !mQueues[queue].empty(); }

    uint32_t take(size_t queue) {
        const uint32_t operation = mQueues[queue].front();
        mQueues[queue].pop_front();
        for (const uint32_t output : mGraph.operations[operation].outputs) {
            for (const uint32_t reader : mReaders[output]) {
                if (--mMissing[reader] == 0) add(reader);
            }
        }
        return operation;
    }

   private:
    void add(uint32_t operation) { mQueues[mDevice[operation]].push_back(operation); }

    const Model::Subgraph& mGraph;
    std::span<const size_t> mDevice;
    std::vector<std::deque<uint32_t>> mQueues;
    std::vector<size_t> mMissing;                 // inputs, by operation
    std::vector<std::vector<uint32_t>> mReaders;  // by operand
};

}  // namespace

std::vector<Group> partition(const Model::Subgraph& graph, std::span<const size_t> device,
                             size_t deviceCount) {
    std::vector<Group> groups;
    Ready ready(graph, device, deviceCount);
    for (size_t next = ready.next(); next <= deviceCount; next = ready.next()) {
        const bool isPlan = next == deviceCount;
        Group group{.device = next};
        do {
            group.operations.push_back(ready.take(next));
        } while (!isPlan && ready.has(next));
        groups.push_back(std::move(group));
    }
    return groups;
}

}  // namespace nn::runtime
