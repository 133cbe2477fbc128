// Finds operations that wait for each other, so that no execution order exists.
#pragma once

#include <array>
#include <optional>
#include <string>
#include <vector>

#include "nnapi/types.h"

namespace nn {

// Linear in the graph, whatever it holds: operands that do not exist are passed over, and of
// several operations that write an operand the last one counts.
class OperationCycles {
   public:
    explicit OperationCycles(const Model::Subgraph& subgraph);

    std::optional<uint32_t> writerOf(uint32_t operand) const;

    // Each of the two needs, through others or at once, what the other one writes.
    bool waitForEachOther(uint32_t a, uint32_t b) const { return mGroups[a] == mGroups[b]; }

    // "operations 0 ADD, 1 MUL, 2 RELU and 4 others": all that the operation and itself wait for.
    std::string groupOf(uint32_t operation) const;

   private:
    static constexpr uint32_t kNone = UINT32_MAX;
    static constexpr size_t kMostNamed = 3;

    struct Group {
        std::array<uint32_t, kMostNamed> first{};
        size_t size = 0;
    };

    void findGroups();

    const Model::Subgraph& mSubgraph;
    std::vector<uint32_t> mWriters;  // by operand; kNone
    std::vector<uint32_t> mGroups;   // by operation
    std::vector<Group> mMembers;     // by group
};

}  // namespace nn
