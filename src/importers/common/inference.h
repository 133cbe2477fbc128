// Dimensions that a file leaves open, and that follow from those of inputs.
#pragma once

#include <cstdint>
#include <map>
#include <span>

#include "nnapi/limits.h"
#include "nnapi/types.h"

namespace nn::importing {

// The dimensions of operands that these operations compute and whose own are open, as far as
// they follow from inputs. The operations are legal, and none calls a graph.
//   model  has the constants of the graph
std::map<uint32_t, Dimensions> inferredDimensions(std::span<const Operation> operations,
                                                  const Model::Subgraph& graph, const Model& model,
                                                  const Limits& limits);

// Fills in those of a complete model. A tensor that cannot be as large stays open.
void inferDimensions(Model& model, const Limits& limits);

}  // namespace nn::importing
