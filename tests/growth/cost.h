// The cost of a function, to compare its growth between inputs of different sizes.
//
// Instructions are the same in every run, and are counted where the kernel supports it
// (perf_event_open; often not in virtual machines and containers). One instruction may copy much,
// so the processor time of the thread is measured as well.
#pragma once

#include <cstdint>
#include <optional>

namespace nn::growth {

struct Cost {
    std::optional<uint64_t> instructions{};
    uint64_t nanoseconds = 0;  // of this thread
    uint64_t allocations = 0;
    uint64_t peakBytes = 0;  // beyond those that were in use before
};

// Counts from its construction on.
class Meter {
   public:
    Meter();
    Cost read() const;

   private:
    std::optional<uint64_t> mInstructions;
    uint64_t mNanoseconds;
    uint64_t mAllocations;
    uint64_t mInUse;
};

}  // namespace nn::growth
