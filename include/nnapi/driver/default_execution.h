// nnapi/driver/default_execution.h -- a reusable execution for devices that have nothing better.
//
//   return std::make_shared<const nn::DefaultExecution>(preparedModel, request, measure,
//   loopTimeout);
//
// It keeps the request, and hands it to the prepared model each time. Thread-safe.
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
    MeasureTiming mMeasure;
    OptionalDuration mLoopTimeoutDuration;
    std::vector<TokenValuePair> mHints;
    std::vector<ExtensionNameAndPrefix> mExtensionNameToPrefix;
};

}  // namespace nn
