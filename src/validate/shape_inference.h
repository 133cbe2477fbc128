// Infers what is known of the operands of a subgraph before execution.
#pragma once

#include <deque>
#include <span>
#include <vector>

#include "nnapi/types.h"
#include "validate/preparation.h"
#include "validate/report.h"

namespace nn {

// The dimensions of all operands, by index: those that the model declares, with what operations
// tell of their outputs filled in. 0 and, for tensors, [] are unknown.
using KnownDimensions = std::vector<std::vector<uint32_t>>;

// Infers from operation to operation, in the order of execution. IF, WHILE, extension and OEM
// operations tell nothing. What will fail when the subgraph is prepared is reported as a warning,
// and inference goes on with the declared dimensions.
//
// The subgraph is legal; the main one, isMain, can have inputs that an execution omits. `constants`
// has one entry for each operand: its data, aligned for its elements, or null where it is no
// constant or need not be looked at.
KnownDimensions inferDimensions(const Model::Subgraph& subgraph, const FoundGraph& found,
                                bool isMain, std::span<const uint8_t* const> constants,
                                const Place& place, Report& report);

KnownDimensions dimensionsOf(GraphPreparation& preparation);

// The constants of a subgraph that are reached without mapping a pool (CONSTANT_COPY and POINTER),
// as far as they are small enough to be parameters. The model is legal and outlives this.
class SmallConstants {
   public:
    // What is longer is left to executions, since any number of operations may name it. All lists
    // with two numbers for each dimension that the limits allow by default are much shorter.
    static constexpr uint32_t kMostBytes = 4096;

    SmallConstants(const Model& model, const Model::Subgraph& subgraph);

    // By operand; null for all others.
    std::span<const uint8_t* const> data() const { return mData; }

   private:
    std::vector<const uint8_t*> mData;
    std::deque<std::vector<uint32_t>> mAligned;  // copies of those that lie at odd addresses
};

}  // namespace nn
