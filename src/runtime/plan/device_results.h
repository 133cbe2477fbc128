// Checks the results of devices for the executions of a plan.
#pragma once

#include <utility>
#include <vector>

#include "driver/memory/execution_call.h"
#include "driver/wrap/result_checks.h"
#include "nnapi/driver/interfaces.h"

namespace nn::runtime {

using driver::ExecutionCall;
using driver::OwnedCall;

// Names for driver::checkExecutionResult() in messages about a driver's results.
inline constexpr driver::ResultNames kResultNames{"", "the driver reports times that cannot be"};

// Calls the callback of a fenced execution, and checks its result.
GeneralResult<FencedTimings> checkedInfos(const ExecuteFencedInfoCallback& callback,
                                          MeasureTiming measure);

// Executes with the prepared model, and checks its result.
ExecutionResult<Executed> executeOn(const IPreparedModel& preparedModel, const ExecutionCall& call,
                                    const std::vector<driver::OutputSignature>& signature);

// True for a failure that another device would repeat or has no time to avoid: an insufficient
// output, or an expired deadline or loop timeout.
bool isFinal(ErrorStatus code, const OptionalTimePoint& deadline, bool hasLoop);

// The total timing of two parts that are executed one after the other; unknown if that of one part
// is.
Timing sum(const Timing& a, const Timing& b);

}  // namespace nn::runtime
