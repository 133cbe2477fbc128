// Finds models that nn::prepare would reject, without preparing them, for strict devices.
#pragma once

#include <map>
#include <vector>

#include "nnapi/result.h"
#include "nnapi/types.h"
#include "validate/preparation.h"
#include "validate/report.h"

namespace nn {

// For one graph, by index.
struct GraphRefusals {
    std::map<size_t, Diagnostic> operands{};
    std::map<size_t, std::vector<Diagnostic>> operations{};
};

// The model is legal apart from rules that a device waives. Constants are read, also from pools, if
// shapes and parameters depend on them.
GraphRefusals preparationErrors(const Model& model, const Model::Subgraph& graph,
                                const GraphFacts& found, const Place& place,
                                const Extensions& extensions, const Limits& limits);

// By referenced graph: is it reachable from the main graph?
std::vector<bool> reachableGraphs(const Model& model);

}  // namespace nn
