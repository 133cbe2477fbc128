// nnapi/driver/default_execution.h -- executions for devices that have nothing better.
//
//   return std::make_shared<const nn::DefaultExecution>(preparedModel, request, measure,
//                                                       loopTimeout);   // of
//                                                       createReusableExecution
//   return nn::executeAfterFences(*this, request, waitFor, measure, deadline, loopTimeout,
//                                 timeAfterFences, hints, prefixes);    // of executeFenced
//
// The first keeps the request, and hands it to the prepared model each time; the second waits for
// all fences. Thread-safe.
#pragma once

#include <vector>

#include "nnapi/driver/interfaces.h"

namespace nn {

class DefaultExecution final : public IExecution {
   public:
    // The prepared model is not null.
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

// An executeFenced that waits in the calling thread, and then calls execute; the fence that it
// answers is signalled. MISSED_DEADLINE_TRANSIENT where a fence is later than the deadline,
// GENERAL_FAILURE for one that fails. What executeFenced refuses is checked before.
GeneralResult<ExecutedFenced> executeAfterFences(
        const IPreparedModel& preparedModel, const Request& request,
        const std::vector<SyncFence>& waitFor, MeasureTiming measure,
        const OptionalTimePoint& deadline, const OptionalDuration& loopTimeoutDuration,
        const OptionalDuration& timeoutDurationAfterFence,
        const std::vector<TokenValuePair>& hints = {},
        const std::vector<ExtensionNameAndPrefix>& extensionNameToPrefix = {});

}  // namespace nn
