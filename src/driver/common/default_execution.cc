#include "nnapi/driver/default_execution.h"

#include <utility>

namespace nn {

DefaultExecution::DefaultExecution(SharedPreparedModel preparedModel, Request request,
                                   MeasureTiming measure,
                                   const OptionalDuration& loopTimeoutDuration,
                                   std::vector<TokenValuePair> hints,
                                   std::vector<ExtensionNameAndPrefix> extensionNameToPrefix)
    : mPreparedModel(std::move(preparedModel)),
      mRequest(std::move(request)),
      mMeasure(measure),
      mLoopTimeoutDuration(loopTimeoutDuration),
      mHints(std::move(hints)),
      mExtensionNameToPrefix(std::move(extensionNameToPrefix)) {}

ExecutionResult<Executed> DefaultExecution::compute(const OptionalTimePoint& deadline) const {
    return mPreparedModel->execute(mRequest, mMeasure, deadline, mLoopTimeoutDuration, mHints,
                                   mExtensionNameToPrefix);
}

GeneralResult<ExecutedFenced> DefaultExecution::computeFenced(
        const std::vector<SyncFence>& waitFor, const OptionalTimePoint& deadline,
        const OptionalDuration& timeoutDurationAfterFence) const {
    return mPreparedModel->executeFenced(mRequest, waitFor, mMeasure, deadline,
                                         mLoopTimeoutDuration, timeoutDurationAfterFence, mHints,
                                         mExtensionNameToPrefix);
}

}  // namespace nn
