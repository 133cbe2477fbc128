#include "runtime/devices/fenced_executions.h"

#include <system_error>
#include <utility>

#include "base/no_throw.h"
#include "driver/fences/deadlines.h"
#include "driver/fences/execution_outcome.h"
#include "driver/fences/fenced_result.h"
#include "driver/fences/fences.h"
#include "driver/memory/call_objects.h"

namespace nn::runtime {
namespace {

using driver::ExecutionCall;

// An execution between its launch and its end.
struct Launched : driver::FencedResult {
    SharedExecution execution{};
    OptionalTimePoint deadline{};
    OptionalDuration timeoutAfterFences{};
    TimePoint launched{};

    GeneralResult<FencedTimings> compute() const NNAPI_TRY {
        const TimePoint signaled = Clock::now();
        const auto executed = execution->compute(
                driver::earlier(deadline, driver::after(signaled, timeoutAfterFences)));
        if (!executed.has_value()) return executed.status();
        return driver::fencedTimings(executed->second, signaled - launched);
    }
    NNAPI_CATCH
};

// Computes executions once their fences have signaled.
struct FencedExecutor {
    std::shared_ptr<FencedThreads> threads{};
    Priority priority{};
};

GeneralResult<ExecutedFenced> launch(SharedExecution execution, bool areOutputsKnown,
                                     const std::vector<SyncFence>& waitFor,
                                     const OptionalTimePoint& deadline,
                                     const OptionalDuration& timeoutDurationAfterFence,
                                     const FencedExecutor& executor) {
    if (!areOutputsKnown) {
        return error(ErrorStatus::INVALID_ARGUMENT)
               << "executeFenced: the size of an output is not known beforehand";
    }
    NNAPI_RETURN_IF_ERROR(driver::checkDeadlineBefore("executeFenced", deadline));
    const auto launched = std::make_shared<Launched>();
    launched->execution = std::move(execution);
    launched->launched = Clock::now();
    launched->deadline = deadline;
    launched->timeoutAfterFences = timeoutDurationAfterFence;
    NNAPI_ASSIGN_OR_RETURN(own, driver::OwnFence::create());
    SyncFence fence = own.fence();
    launched->fence = std::move(own);
    NNAPI_RETURN_IF_ERROR(executor.threads->fences.add(
            waitFor, deadline, [launched, executor](const Status& waited) {
                if (!waited.ok()) return launched->end(waited);
                try {
                    executor.threads->threads.run(
                            [launched] { launched->end(launched->compute()); }, executor.priority);
                } catch (const std::system_error&) {
                    launched->end(launched->compute());  // no new thread: compute in this one
                }
            }));
    return ExecutedFenced{std::move(fence), [launched] { return launched->info(); }};
}

class ReusableExecution final : public ForwardingExecution {
   public:
    ReusableExecution(SharedExecution inner, bool areOutputsKnown, FencedExecutor executor)
        : ForwardingExecution(std::move(inner)),
          mAreOutputsKnown(areOutputsKnown),
          mExecutor(std::move(executor)) {}

    GeneralResult<ExecutedFenced> computeFenced(
            const std::vector<SyncFence>& waitFor, const OptionalTimePoint& deadline,
            const OptionalDuration& timeoutDurationAfterFence) const override NNAPI_TRY {
        return launch(inner(), mAreOutputsKnown, waitFor, deadline, timeoutDurationAfterFence,
                      mExecutor);
    }
    NNAPI_CATCH

   private:
    const bool mAreOutputsKnown;
    const FencedExecutor mExecutor;
};

class FencedPreparedModel final : public driver::ForwardingCallPreparedModel {
   public:
    FencedPreparedModel(SharedPreparedModel inner, std::vector<driver::OutputSignature> outputs,
                        FencedExecutor executor)
        : ForwardingCallPreparedModel(std::move(inner)),
          mOutputs(std::move(outputs)),
          mExecutor(std::move(executor)) {}

   protected:
    GeneralResult<ExecutedFenced> launchCall(
            const ExecutionCall& call, const std::vector<SyncFence>& waitFor,
            const OptionalDuration& timeoutDurationAfterFence) const override NNAPI_TRY {
        NNAPI_ASSIGN_OR_RETURN(execution, call.reusableOn(*inner()));
        return launch(std::move(execution), areOutputsKnown(call.request), waitFor, call.deadline,
                      timeoutDurationAfterFence, mExecutor);
    }
    NNAPI_CATCH

    GeneralResult<SharedExecution> makeExecution(
            const ExecutionCall& call) const override NNAPI_TRY {
        NNAPI_ASSIGN_OR_RETURN(execution, call.reusableOn(*inner()));
        return SharedExecution(std::make_shared<const ReusableExecution>(
                std::move(execution), areOutputsKnown(call.request), mExecutor));
    }
    NNAPI_CATCH

   private:
    // An output in a buffer of the device has the dimensions of the buffer.
    bool areOutputsKnown(const Request& request) const {
        std::vector<Request::Argument> outputs;
        std::vector<driver::OutputSignature> signatures;
        for (size_t i = 0; i < request.outputs.size() && i < mOutputs.size(); ++i) {
            const Request::Argument& output = request.outputs[i];
            const bool isInBuffer =
                    output.lifetime == Request::Argument::LifeTime::POOL &&
                    output.location.poolIndex < request.pools.size() &&
                    !std::holds_alternative<SharedMemory>(request.pools[output.location.poolIndex]);
            if (isInBuffer) continue;
            outputs.push_back(output);
            signatures.push_back(mOutputs[i]);
        }
        return driver::areFullySpecified({outputs, &signatures});
    }

    const std::vector<driver::OutputSignature> mOutputs;
    const FencedExecutor mExecutor;
};

}  // namespace

SharedPreparedModel withFencedThreads(SharedPreparedModel inner,
                                      std::vector<driver::OutputSignature> outputs,
                                      Priority priority, std::shared_ptr<FencedThreads> threads) {
    return std::make_shared<const FencedPreparedModel>(
            std::move(inner), std::move(outputs), FencedExecutor{std::move(threads), priority});
}

}  // namespace nn::runtime
