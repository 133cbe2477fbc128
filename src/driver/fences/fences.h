// Fences and deadlines of executions.
#pragma once

#include <span>

#include "nnapi/driver/result.h"
#include "nnapi/types.h"

namespace nn::driver {

// Returns when all fences are signalled. MISSED_DEADLINE_TRANSIENT where that is later than the
// deadline, GENERAL_FAILURE for one that turns to error or cannot be waited for.
Status waitForAll(std::span<const SyncFence> fences, const OptionalTimePoint& deadline);

// What is said of the fence at this place in a list.
Status fenceFailed(size_t index);
Status fenceIsLate(size_t index);

// A fence that its owner signals, or that fails when its owner goes without doing so.
class OwnFence {
   public:
    // Fails where the system gives no descriptors.
    static Result<OwnFence> create();

    SyncFence fence() const { return mFence; }
    void signal() const;

   private:
    SyncFence mFence{};
    UniqueFd mWriteEnd{};
};

// The earlier of the two that are there.
OptionalTimePoint earlier(const OptionalTimePoint& a, const OptionalTimePoint& b);

// The time after a moment; the last of all where the clock does not count so far.
OptionalTimePoint after(TimePoint moment, const OptionalDuration& duration);

}  // namespace nn::driver
