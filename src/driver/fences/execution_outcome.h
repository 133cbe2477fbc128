// Results and timings of executions that a device has computed itself.
#pragma once

#include <algorithm>
#include <utility>

#include "nnapi/driver/interfaces.h"
#include "nnapi/interpreter.h"

namespace nn::driver {

inline ExecutionResult<Executed> resultOf(ExecutionOutcome outcome) {
    if (outcome.status.ok()) return Executed{std::move(outcome.outputShapes), outcome.timing};
    return {std::move(outcome.status), std::move(outcome.outputShapes)};
}

// The sum, saturated. `more` is not negative; `time` may have any value.
inline Duration extendedBy(Duration time, Duration more) {
    return time + std::min(more, Duration::max() - std::max(time, Duration::zero()));
}

// Timings of a fenced execution: since its launch, and since its fences were signaled. Waiting
// counts as time in the driver.
inline FencedTimings fencedTimings(const Timing& afterFences, Duration waited) {
    Timing sinceLaunch = afterFences;
    if (OptionalDuration& time = sinceLaunch.timeInDriver) time = extendedBy(*time, waited);
    return {sinceLaunch, afterFences};
}

}  // namespace nn::driver
