// Makes a nn::DefaultExecution of a call.
#pragma once

#include <memory>
#include <utility>

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

}  // namespace nn::driver
