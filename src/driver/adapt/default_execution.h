// The defaults of nnapi/driver/default_execution.h for calls.
#pragma once

#include <memory>
#include <utility>
#include <vector>

#include "driver/memory/execution_call.h"
#include "nnapi/driver/default_execution.h"

namespace nn::driver {

// Keeps the call, and executes it with the prepared model each time.
inline SharedExecution defaultExecution(SharedPreparedModel preparedModel,
                                        const ExecutionCall& call) {
    return std::make_shared<const DefaultExecution>(std::move(preparedModel), call.request,
                                                    call.measure, call.loopTimeoutDuration,
                                                    call.hints, call.extensionNameToPrefix);
}

// Waits for the fences, then executes the call.
inline GeneralResult<ExecutedFenced> executeAfterFences(
        const IPreparedModel& preparedModel, const ExecutionCall& call,
        const std::vector<SyncFence>& waitFor, const OptionalDuration& timeoutDurationAfterFence) {
    return nn::executeAfterFences(preparedModel, call.request, waitFor, call.measure, call.deadline,
                                  call.loopTimeoutDuration, timeoutDurationAfterFence, call.hints,
                                  call.extensionNameToPrefix);
}

}  // namespace nn::driver
