// Divides the operations of a graph into groups, one device each, in execution order.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "nnapi/types.h"

namespace nn::runtime {

// Operations that one device computes together, or one IF or WHILE that the plan executes itself.
struct Group {
    size_t device = 0;  // the number of devices: the plan
    std::vector<uint32_t> operations{};
    // Independent of the previous groups, back to the last one that is not concurrent, and computed
    // at the same time (concurrent_groups.h).
    bool isConcurrent = false;
    bool operator==(const Group&) const = default;
};

// The groups in execution order. Among the devices with operations whose inputs are ready, the one
// with the highest number executes all of its operations, including those that thereby become
// ready.
//   device   of each operation; the number of devices if the plan executes it
std::vector<Group> partition(const Model::Subgraph& graph, std::span<const size_t> device,
                             size_t deviceCount);

}  // namespace nn::runtime
