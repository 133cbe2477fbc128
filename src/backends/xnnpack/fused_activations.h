// Activations that the operation before them applies, so that values are not read and written
// again.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "nnapi/types.h"
#include "op_support/rules/op_view.h"
#include "validate/preparation.h"

namespace nn::xnnpack {

// A RELU, RELU1 or RELU6 that is the only reader of an operation's output.
struct FusedActivation {
    size_t operation = 0;    // the RELU
    size_t input = 0;        // the activation input of the previous operation, which is NONE
    int32_t activation = 0;  // 1: RELU, 2: RELU1, 3: RELU6
};

// The fused activations of a graph, by the index of the operation before them. Time is linear in
// the graph.
std::vector<std::optional<FusedActivation>> fusedActivations(const Model::Subgraph& graph,
                                                             std::span<const ops::Value> values,
                                                             std::span<const KnownOperation> known);

}  // namespace nn::xnnpack
