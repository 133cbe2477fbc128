// Divides a graph from which operators are missing into models.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "nnapi/import/imported_model.h"
#include "nnapi/result.h"
#include "nnapi/types.h"

namespace nn::importing {

// A model whose main graph has operands that nothing computes.
struct IncompleteModel {
    Model model{};
    std::vector<std::string> operandNames{};
    std::vector<ImportedState> states{};
    // For each operation of the main graph the part to which it belongs, ascending along each path.
    std::vector<uint32_t> partOfOperation{};
    // Operands that missing operators read.
    std::vector<bool> isReadElsewhere{};
};

struct Parts {
    std::vector<ImportedPart> parts{};
    // For each operation of the whole main graph: its part, of those here, and its index in it.
    std::vector<uint32_t> partOfOperation{};
    std::vector<uint32_t> operations{};
};

// A value that a part reads and does not compute is an input of its model; a value that other parts
// read is an output. RESOURCE_EXHAUSTED_PERSISTENT if the constants or graphs that several parts
// copy exceed the limits, or are out of proportion to the whole.
Result<Parts> divide(const IncompleteModel& whole, const Limits& limits);

}  // namespace nn::importing
