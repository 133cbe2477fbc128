// Finds models that nn::prepare would reject, without preparing them, for strict devices.
#pragma once

#include <map>
#include <vector>

#include "nnapi/result.h"
#include "nnapi/types.h"
#include "validate/preparation.h"
#include "validate/report.h"

namespace nn {

// The errors of one graph, by index of the operand or operation.
struct GraphRefusals {
    std::map<size_t, Diagnostic> operands{};
    std::map<size_t, std::vector<Diagnostic>> operations{};
};

// For a model that is legal apart from rules that a device waives. Reads constants, also from
// pools, if shapes and parameters depend on them: a pool that cannot be read is an error of the
// operand.
GraphRefusals preparationErrors(const Model& model, const Model::Subgraph& graph,
                                const GraphFacts& found, const Place& place,
                                const Extensions& extensions, const Limits& limits);

// By referenced graph: true if operations reachable from the main graph refer to it.
std::vector<bool> reachableGraphs(const Model& model);

}  // namespace nn
