#include "nnapi/driver/default_execution.h"

#include <utility>

#include "driver/fences/execution_outcome.h"
#include "driver/fences/fences.h"

namespace nn {

DefaultExecution::DefaultExecution(SharedPreparedModel preparedModel, Request request,
                                   MeasureTiming measure,
                                   const OptionalDuration& loopTimeoutDuration,
                                   std::vector<TokenValuePair> hints,
                                   std::vector<ExtensionNameAndPrefix> extensionNameToPrefix)
    : mPreparedModel(std::move(preparedModel)),
      mRequest(std::move(request)),
      mConfig{measure, loopTimeoutDuration, std::move(hints), std::move(extensionNameToPrefix)} {}

ExecutionResult<Executed> DefaultExecution::compute(const OptionalTimePoint& deadline) const {
    return mPreparedModel->execute(mRequest, mConfig.measureTiming, deadline,
                                   mConfig.loopTimeoutDuration, mConfig.executionHints,
                                   mConfig.extensionNameToPrefix);
}

GeneralResult<ExecutedFenced> DefaultExecution::computeFenced(
        const std::vector<SyncFence>& waitFor, const OptionalTimePoint& deadline,
        const OptionalDuration& timeoutDurationAfterFence) const {
    return mPreparedModel->executeFenced(mRequest, waitFor, mConfig.measureTiming, deadline,
                                         mConfig.loopTimeoutDuration, timeoutDurationAfterFence,
                                         mConfig.executionHints, mConfig.extensionNameToPrefix);
}

GeneralResult<ExecutedFenced> executeAfterFences(
        const IPreparedModel& preparedModel, const Request& request,
        const std::vector<SyncFence>& waitFor, MeasureTiming measure,
        const OptionalTimePoint& deadline, const OptionalDuration& loopTimeoutDuration,
        const OptionalDuration& timeoutDurationAfterFence, const std::vector<TokenValuePair>& hints,
        const std::vector<ExtensionNameAndPrefix>& extensionNameToPrefix) {
    const TimePoint launched = Clock::now();
    NNAPI_RETURN_IF_ERROR(driver::waitForAll(waitFor, deadline));
    const TimePoint signaled = Clock::now();
    const OptionalTimePoint end =
            driver::earlier(deadline, driver::after(signaled, timeoutDurationAfterFence));
    const auto executed = preparedModel.execute(request, measure, end, loopTimeoutDuration, hints,
                                                extensionNameToPrefix);
    if (!executed.has_value()) return executed.status();
    const auto timings = driver::fencedTimings(executed->second, signaled - launched);
    return ExecutedFenced{SyncFence::createAsSignaled(), [timings] { return timings; }};
}

}  // namespace nn
