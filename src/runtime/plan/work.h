// The amount of computation of an operation, independent of the device.
#pragma once

#include <cstdint>

#include "nnapi/types.h"

namespace nn::runtime {

// Roughly the multiplications of an operation of the graph, or the elements of its outputs if it
// computes each from few others. 0 if a size is unknown, and for IF and WHILE. The graph is legal.
uint64_t workOf(const Model::Subgraph& graph, const Operation& operation);

}  // namespace nn::runtime
