// nnapi/passes.h -- a smaller model with the same meaning, which older versions may carry.
//
//   nn::Minimized small = nn::minimize(model);
//   for (const nn::Removal& removal : small.removed) puts(nn::toString(removal).c_str());
//   // main.operations[4].inputs[2]: axis is -1, which is the default
//   auto versioned = nn::V1_0::utils::convert(small.model);
//   uint32_t before = small.origin.main.operands[7];   // the old index of operand 7
//
// A legal model stays legal, needs no later version than before, and computes the same from the
// same inputs: the inputs and outputs of the main graph keep their places. Any model is accepted:
// an operation that does not fit its signature, or has an index out of range, stays as it is.
// Thread-safe, no global state; never throws and never aborts. Shared memory is mapped only to read
// parameters that may be defaults, and never copied.
//
// The passes read the signatures of operations, which lie in nnapi::validate, and serve
// conversions: they are part of nnapi::convert, which links it.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "nnapi/checked_model.h"
#include "nnapi/types.h"

namespace nn {

// One part that a pass took away.
struct Removal {
    std::string path{};  // in the model that was given, "main.operations[4].inputs[2]"
    std::string why{};   // "axis is -1, which is the default"
    bool operator==(const Removal&) const = default;
};

// "path: why"
std::string toString(const Removal& removal);

// Where a graph of a changed model came from, and its parts: entry i is the old index of what has
// index i now.
struct GraphOrigin {
    uint32_t graph = 0;  // in Model::referenced; 0 for the main graph
    std::vector<uint32_t> operands{};
    std::vector<uint32_t> operations{};
    bool operator==(const GraphOrigin&) const = default;
};

struct ModelOrigin {
    GraphOrigin main{};
    std::vector<GraphOrigin> referenced{};
    std::vector<uint32_t> pools{};
    bool operator==(const ModelOrigin&) const = default;
};

// The origin of a model whose parts all kept their places.
ModelOrigin unchangedOrigin(const Model& model);

struct Minimized {
    Model model{};
    std::vector<Removal> removed{};  // empty: the model is as it was
    ModelOrigin origin{};
};

// Takes from every operation the trailing optional inputs that are constants with the default value
// (NHWC, dilation 1, axis -1 ...). Nothing else changes: the operands stay.
Minimized withoutTrailingDefaults(Model model);

// Takes away unused parts: operands that are neither read nor written nor listed as input or
// output, graphs that no remaining operand refers to, unused bytes of operandValues, pools, and
// names of extensions. Up to 15 unused bytes may stay between two values, so that all keep their
// alignment.
Minimized withoutDeadParts(Model model);

// Both, in this order. Minimising twice gives what minimising once gives.
Minimized minimize(Model model);

// The same for copies of a model that is known to be legal.
Minimized withoutTrailingDefaults(const CheckedModel& model);
Minimized minimize(const CheckedModel& model);

}  // namespace nn
