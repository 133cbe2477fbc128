// nnapi/passes.h -- Simplifies models without changing results, so that older versions can carry
// them.
//
//   nn::Minimized small = nn::minimize(model);
//   for (const nn::Removal& removal : small.removed) puts(nn::toString(removal).c_str());
//   // main.operations[4].inputs[2]: axis is -1, which is the default
//   auto versioned = nn::V1_0::utils::convert(small.model);
//   uint32_t before = small.origin.main.operands[7];   // the old index of operand 7
//
// A legal model stays legal, needs no later version than the original, and computes the same
// results: inputs and outputs of the main graph keep their positions. Any model is accepted: an
// operation that does not match its signature, or has an index out of range, stays unchanged.
// Thread-safe, no global state;
// never throws anything but std::bad_alloc and never aborts. Shared memory is read only for
// parameters that may be defaults, and never copied.
//
// The passes read the signatures of operations and serve conversions: they are part of
// nnapi::transform.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "nnapi/types.h"
#include "nnapi/validated_model.h"

namespace nn {

// A part that a pass removed.
struct Removal {
    std::string path{};  // in the original model, "main.operations[4].inputs[2]"
    std::string why{};   // "axis is -1, which is the default"
    bool operator==(const Removal&) const = default;
};

// "path: why"
std::string toString(const Removal& removal);

// Maps a graph of the new model to the original: entry i is the old index of the part that now has
// index i.
struct GraphOrigin {
    uint32_t graph = 0;                  // old index in Model::referenced; 0 for the main graph
    std::vector<uint32_t> operands{};    // one for each operand
    std::vector<uint32_t> operations{};  // one for each operation
    bool operator==(const GraphOrigin&) const = default;
};

// The same for all graphs and pools of a model.
struct ModelOrigin {
    GraphOrigin main{};                     // of Model::main
    std::vector<GraphOrigin> referenced{};  // one for each graph of Model::referenced
    std::vector<uint32_t> pools{};          // old index of each pool
    bool operator==(const ModelOrigin&) const = default;
};

// The origin of a model whose indexes are all unchanged.
ModelOrigin unchangedOrigin(const Model& model);

// Result of a pass.
struct Minimized {
    Model model{};                   // computes the same as the original
    std::vector<Removal> removed{};  // empty: the model is unchanged
    ModelOrigin origin{};            // from the new model to the original
};

// Removes the trailing optional inputs of operations that are constants with the default value
// (NHWC, dilation 1, axis -1 ...). Operands stay.
Minimized withoutTrailingDefaults(Model model);

// Removes unused parts: operands that are neither read nor written nor an input or output, graphs
// without a reference, bytes of operandValues, pools, and extension names. Up to 15 unused bytes
// may remain between two values to preserve alignment.
Minimized withoutDeadParts(Model model);

// Both passes, in this order. Idempotent.
Minimized minimize(Model model);

}  // namespace nn
