// Assigns offsets in one block of memory to values; values with disjoint lifetimes may share bytes.
//
//   ArenaPlanner planner;
//   for each operation: allocate its outputs, then release its inputs after their last use
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <utility>

namespace nn {

class ArenaPlanner {
   public:
    // The aligned offset of that many free bytes: in the smallest gap that holds them, else at the
    // end. Empty if the end would not fit 64 bits. Logarithmic in the number of gaps.
    std::optional<uint64_t> allocate(uint64_t bytes);

    // Frees the bytes that allocate(bytes) returned.
    void release(uint64_t offset, uint64_t bytes);

    // The current size of the whole block in bytes.
    uint64_t size() const { return mSize; }

   private:
    void addGap(uint64_t offset, uint64_t bytes);
    void removeGap(uint64_t offset, uint64_t bytes);

    std::map<uint64_t, uint64_t> mGaps;                   // offset to size; no two touch
    std::set<std::pair<uint64_t, uint64_t>> mGapsBySize;  // (size, offset)
    uint64_t mSize = 0;
};

}  // namespace nn
