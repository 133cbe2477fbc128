// Base classes of prepared models and bursts that receive the arguments of an execution as one
// ExecutionCall, instead of the parameter lists of the interfaces.
//
//   class Npu final : public CallPreparedModel {
//       ExecutionResult<Executed> executeCall(const ExecutionCall& call) const override { ... }
//       GeneralResult<SharedExecution> makeExecution(const ExecutionCall& call) const override ...
//       GeneralResult<ExecutedFenced> launchCall(const ExecutionCall& call, ...) const override ...
//   };
//
// Exceptions of these methods become failures.
#pragma once

#include <vector>

#include "base/no_throw.h"
#include "driver/memory/execution_call.h"

namespace nn::driver {

template <class Interface>
class ExecutesByCall : public Interface {
   public:
    ExecutionResult<Executed> execute(const Request& request, MeasureTiming measure,
                                      const OptionalTimePoint& deadline,
                                      const OptionalDuration& loopTimeoutDuration,
                                      const std::vector<TokenValuePair>& hints,
                                      const std::vector<ExtensionNameAndPrefix>&
                                              extensionNameToPrefix) const final NNAPI_TRY {
        return executeCall(
                {request, measure, deadline, loopTimeoutDuration, hints, extensionNameToPrefix});
    }
    NNAPI_CATCH

    GeneralResult<SharedExecution> createReusableExecution(
            const Request& request, MeasureTiming measure,
            const OptionalDuration& loopTimeoutDuration, const std::vector<TokenValuePair>& hints,
            const std::vector<ExtensionNameAndPrefix>& extensionNameToPrefix)
            const final NNAPI_TRY {
        return makeExecution(
                {request, measure, {}, loopTimeoutDuration, hints, extensionNameToPrefix});
    }
    NNAPI_CATCH

   protected:
    virtual ExecutionResult<Executed> executeCall(const ExecutionCall& call) const = 0;
    // The call has no deadline: each computation has its own.
    virtual GeneralResult<SharedExecution> makeExecution(const ExecutionCall& call) const = 0;
};

using CallBurst = ExecutesByCall<IBurst>;

class CallPreparedModel : public ExecutesByCall<IPreparedModel> {
   public:
    GeneralResult<ExecutedFenced> executeFenced(
            const Request& request, const std::vector<SyncFence>& waitFor, MeasureTiming measure,
            const OptionalTimePoint& deadline, const OptionalDuration& loopTimeoutDuration,
            const OptionalDuration& timeoutDurationAfterFence,
            const std::vector<TokenValuePair>& hints,
            const std::vector<ExtensionNameAndPrefix>& extensionNameToPrefix)
            const final NNAPI_TRY {
        return launchCall(
                {request, measure, deadline, loopTimeoutDuration, hints, extensionNameToPrefix},
                waitFor, timeoutDurationAfterFence);
    }
    NNAPI_CATCH

   protected:
    virtual GeneralResult<ExecutedFenced> launchCall(
            const ExecutionCall& call, const std::vector<SyncFence>& waitFor,
            const OptionalDuration& timeoutDurationAfterFence) const = 0;
};

// An execution of a burst.
class UnfencedExecution : public IExecution {
   public:
    GeneralResult<ExecutedFenced> computeFenced(const std::vector<SyncFence>&,
                                                const OptionalTimePoint&,
                                                const OptionalDuration&) const final {
        return error() << "an execution of a burst has no fences";
    }
};

}  // namespace nn::driver
