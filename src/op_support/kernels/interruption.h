// Lets a kernel be interrupted. A kernel whose work is more than one pass over its operands
// announces it part by part:
//
//   for (size_t row = 0; row < rows; ++row) {
//       op.interruption().spend(columns * depth);  // multiplications of this row
//       ...
//   }
//
// The size of a part is at most about the number of elements of the operands.
#pragma once

#include <cstdint>

#include "nnapi/result.h"

namespace nn::ops {

// Decides whether an execution may continue. Called from all of its threads.
class Watch {
   public:
    virtual ~Watch() = default;
    // OK while it may; otherwise the error that the execution fails with.
    virtual Status poll() const = 0;
};

// Thrown out of a kernel that must stop; the interpreter returns the status.
struct Interrupted {
    Status status;
};

// Counts the steps of one thread (multiplications, comparisons or the like) and checks the watch
// once per interval. Threads write to separate cache lines.
class alignas(64) Interruption {
   public:
    static constexpr uint64_t kStepsBetweenPolls = uint64_t{1} << 20;

    explicit Interruption(const Watch& watch, uint64_t stepsBetweenPolls = kStepsBetweenPolls)
        : mWatch(&watch), mStepsBetweenPolls(stepsBetweenPolls) {}

    // Throws Interrupted.
    void spend(uint64_t steps) {
        if (steps < mLeft) {
            mLeft -= steps;
            return;
        }
        if (Status status = mWatch->poll(); !status.ok()) throw Interrupted{std::move(status)};
        mLeft = mStepsBetweenPolls;
    }

    // Steps until the next poll.
    uint64_t left() const { return mLeft; }

   private:
    const Watch* mWatch;
    uint64_t mStepsBetweenPolls;
    uint64_t mLeft = mStepsBetweenPolls;
};

}  // namespace nn::ops
