// nnapi/driver/default_execution.h -- Reusable and fenced executions on top of execute().
//
//   // in createReusableExecution:
//   return std::make_shared<const nn::DefaultExecution>(preparedModel, request, measure,
//                                                       loopTimeout);
//   // in executeFenced:
//   return nn::executeAfterFences(*this, request, waitFor, measure, deadline, loopTimeout,
//                                 timeAfterFences, hints, prefixes);
//
// For devices without their own. A DefaultExecution keeps the request and executes it with the
// prepared model each time; executeAfterFences() waits for all fences first. Thread-safe.
#pragma once

#include <vector>

#include "nnapi/driver/interfaces.h"

namespace nn {

// A reusable execution.
class DefaultExecution final : public IExecution {
   public:
    // The prepared model must not be null.
    DefaultExecution(SharedPreparedModel preparedModel, Request request, MeasureTiming measure,
                     const OptionalDuration& loopTimeoutDuration,
                     std::vector<TokenValuePair> hints = {},
                     std::vector<ExtensionNameAndPrefix> extensionNameToPrefix = {});

    ExecutionResult<Executed> compute(const OptionalTimePoint& deadline) const override;
    GeneralResult<ExecutedFenced> computeFenced(
            const std::vector<SyncFence>& waitFor, const OptionalTimePoint& deadline,
            const OptionalDuration& timeoutDurationAfterFence) const override;

   private:
    SharedPreparedModel mPreparedModel;
    Request mRequest;
    ExecutionConfig mConfig;
};

// Implements executeFenced: validates the arguments, waits for the fences in the calling thread,
// then calls execute; the returned fence is signaled. MISSED_DEADLINE_TRANSIENT if a fence is not
// signaled by the deadline, GENERAL_FAILURE if one fails.
GeneralResult<ExecutedFenced> executeAfterFences(
        const IPreparedModel& preparedModel, const Request& request,
        const std::vector<SyncFence>& waitFor, MeasureTiming measure,
        const OptionalTimePoint& deadline, const OptionalDuration& loopTimeoutDuration,
        const OptionalDuration& timeoutDurationAfterFence,
        const std::vector<TokenValuePair>& hints = {},
        const std::vector<ExtensionNameAndPrefix>& extensionNameToPrefix = {});

}  // namespace nn
