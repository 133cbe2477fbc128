// Memory that kernels work in.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "opkit/kernels/memory.h"

namespace nn::ops {

// Kept between executions, so that a second run allocates nothing.
// Throws std::bad_alloc where there is none, or CeilingReached; the interpreter answers either with
// a status.
class Scratch {
   public:
    // Without a budget, takes what it needs.
    explicit Scratch(Budget* budget = nullptr) : mBudget(budget) {}

    // Aligned, valid until reset(). Holds nothing but what an earlier kernel has left, or 0.
    MutableBytes allocate(size_t bytes);

    // From now on, fills what it gives with poison() of that seed; with none, not any more.
    void poisonWith(std::optional<uint8_t> seed) { mSeed = seed; }

    // Forgets all allocations, keeps the memory.
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
