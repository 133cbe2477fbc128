// Infers shapes and values of a subgraph before execution.
#pragma once

#include <deque>
#include <span>
#include <vector>

#include "nnapi/types.h"
#include "validate/preparation.h"
#include "validate/report.h"

namespace nn {

// The dimensions of all operands, by index: as declared, with unknown ones inferred from
// operations. 0 and, for tensors, [] are unknown.
using KnownDimensions = std::vector<std::vector<uint32_t>>;

// Infers shapes operation by operation, in order of execution. Nothing is inferred from IF, WHILE,
// extension and OEM operations. Failures that preparation would have are reported as warnings, and
// inference continues with the declared dimensions.
//
// The subgraph is legal; the main one, isMain, can have inputs that an execution omits. `constants`
// has one entry for each operand: its data, aligned for its elements, or null if it is not constant
// or not needed.
KnownDimensions inferDimensions(const Model::Subgraph& subgraph, const GraphFacts& found,
                                bool isMain, std::span<const uint8_t* const> constants,
                                const Place& place, Report& report);

KnownDimensions dimensionsOf(GraphPreparation& preparation);

// The constants of a subgraph that are reached without mapping a pool (CONSTANT_COPY and POINTER),
// as far as they are small enough to be parameters. The model is legal and outlives this.
class SmallConstants {
   public:
    // Longer data is left to executions, since any number of operations may refer to it. All lists
    // with two numbers per dimension are much shorter under the default limits.
    static constexpr uint32_t kMaxBytes = 4096;

    SmallConstants(const Model& model, const Model::Subgraph& subgraph);

    // By operand; null for non-constants.
    std::span<const uint8_t* const> data() const { return mData; }

   private:
    std::vector<const uint8_t*> mData;
    std::deque<std::vector<uint32_t>> mAligned;  // copies of misaligned ones
};

}  // namespace nn
