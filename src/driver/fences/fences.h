// Fences that this process signals, and helpers to wait for and combine them.
#pragma once

#include <span>

#include "nnapi/driver/result.h"
#include "nnapi/types.h"

namespace nn::driver {

// The longest wait for fences without a deadline: a fence of a peer may never be signaled.
inline constexpr Duration kFenceCeiling = std::chrono::minutes(5);

// Waits until all fences are signaled. MISSED_DEADLINE_TRANSIENT after the deadline,
// GENERAL_FAILURE after the ceiling if there is no deadline, and for a fence that fails or cannot
// be waited for.
Status waitForAll(std::span<const SyncFence> fences, const OptionalTimePoint& deadline,
                  Duration ceiling = kFenceCeiling);

// The error message for the fence at this index.
Status fenceFailed(size_t index);
Status fenceIsLate(size_t index);

// A fence that its owner signals, and that fails when its owner is destroyed without doing so.
class OwnFence {
   public:
    // Fails if the system provides no descriptors.
    static Result<OwnFence> create();

    SyncFence fence() const { return mFence; }
    void signal() const;

   private:
    SyncFence mFence{};
    UniqueFd mWriteEnd{};
};

// The earlier of two optional times.
OptionalTimePoint earlier(const OptionalTimePoint& a, const OptionalTimePoint& b);

// A time point plus a duration, saturated.
OptionalTimePoint after(TimePoint moment, const OptionalDuration& duration);

}  // namespace nn::driver
