// The fences, deadline and timeout of a fenced execution. If its inputs are copied at launch, the
// launch first waits for the fences, since their signaler may write the inputs until then.
#pragma once

#include <string_view>
#include <vector>

#include "nnapi/driver/interfaces.h"
#include "nnapi/result.h"

namespace nn::driver {

// The fences of an execution and how long to wait for them.
struct FenceArguments {
    std::vector<SyncFence> waitFor{};
    OptionalTimePoint deadline{};
    OptionalDuration timeoutAfterFences{};
    Duration waited{};  // before the launch
};

// Waits for the fences in the calling thread. The result has no fences and one deadline; without
// fences it equals the argument. MISSED_DEADLINE_PERSISTENT if the deadline is already past,
// MISSED_DEADLINE_TRANSIENT if a fence is later, GENERAL_FAILURE if a fence fails, or without
// a deadline is not signaled within the ceiling.
Result<FenceArguments> waitBeforeCopying(std::string_view call, FenceArguments fences,
                                         Duration ceiling);

// Adds the wait before a launch to its timings, as time in the driver.
ExecutedFenced launchedAfter(Duration waited, ExecutedFenced launched);

}  // namespace nn::driver
