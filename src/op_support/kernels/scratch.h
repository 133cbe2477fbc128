// Scratch memory for kernels.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "op_support/kernels/memory.h"

namespace nn::ops {

// Kept between executions, so that a second run allocates nothing. Throws std::bad_alloc or
// CeilingReached; the interpreter turns either into a status.
class Scratch {
   public:
    // Without a budget, memory is unlimited.
    explicit Scratch(Budget* budget = nullptr) : mBudget(budget) {}

    // Aligned, valid until reset(). Contains leftovers of earlier kernels, or 0.
    MutableBytes allocate(size_t bytes);

    // Fills further allocations with poison() of that seed; with none, no longer.
    void poisonWith(std::optional<uint8_t> seed) { mSeed = seed; }

    // Frees all allocations, but keeps the memory.
    void reset();

   private:
    struct Block {
        AlignedMemory memory;
        size_t size = 0;
    };
    std::vector<Block> mBlocks;
    size_t mBlock = 0;  // the one in use
    size_t mUsed = 0;   // bytes of it
    size_t mTotal = 0;  // bytes of all
    Budget* mBudget;
    std::optional<uint8_t> mSeed{};
};

}  // namespace nn::ops
