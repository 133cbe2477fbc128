// Fences and deadlines of executions.
#pragma once

#include <span>

#include "nnapi/driver/result.h"
#include "nnapi/types.h"

namespace nn::driver {

// Returns when all fences are signalled. MISSED_DEADLINE_TRANSIENT where that is later than the
// deadline, GENERAL_FAILURE for one that turns to error or cannot be waited for.
Status waitForAll(std::span<const SyncFence> fences, const OptionalTimePoint& deadline);

// The earlier of the two that are there.
OptionalTimePoint earlier(const OptionalTimePoint& a, const OptionalTimePoint& b);

// The time after a moment; the last of all where the clock does not count so far.
OptionalTimePoint after(TimePoint moment, const OptionalDuration& duration);

}  // namespace nn::driver
