// Lets several devices compute groups of operations at the same time.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "nnapi/types.h"
#include "runtime/plan/partition.h"

namespace nn::runtime {

// Reorders and divides the groups so that those of different devices that are independent of each
// other, and have at least that much work, follow each other, marked by Group::isConcurrent. A
// group that is independent only in part is divided if that part has enough work, and if both parts
// have inputs and outputs. Linear in the graph for each device.
//   groups   in execution order
//   work     of each operation of the graph (work.h)
std::vector<Group> concurrentGroups(const Model::Subgraph& graph, std::vector<Group> groups,
                                    size_t deviceCount, std::span<const uint64_t> work,
                                    uint64_t least);

}  // namespace nn::runtime
