// Fenced executions whose inputs are copied when they are launched. Whoever signals the fences may
// write the inputs until then, so that the fences come first.
#pragma once

#include <string_view>
#include <vector>

#include "nnapi/driver/interfaces.h"
#include "nnapi/result.h"

namespace nn::driver {

// What a fenced execution waits for, and how long.
struct FenceArguments {
    std::vector<SyncFence> waitFor{};
    OptionalTimePoint deadline{};
    OptionalDuration timeoutAfterFences{};
    Duration waited{};  // before the launch
};

// Waits for the fences in the calling thread. What is left has none, and one deadline for all; the
// same as before where there were no fences. MISSED_DEADLINE_PERSISTENT where the deadline is past
// already, MISSED_DEADLINE_TRANSIENT where a fence is later, GENERAL_FAILURE where one fails, or
// without a deadline is not signalled for the ceiling.
Result<FenceArguments> waitBeforeCopying(std::string_view call, FenceArguments fences,
                                         Duration ceiling);

// What a launch answers that came so late. Waiting counts as time in the driver.
ExecutedFenced launchedAfter(Duration waited, ExecutedFenced launched);

}  // namespace nn::driver
