#include "runtime/fenced.h"

#include <system_error>
#include <utility>

#include "driver/common/deadlines.h"
#include "driver/common/fenced_end.h"
#include "driver/common/fences.h"
#include "driver/common/outcome.h"
#include "types/no_throw.h"

namespace nn::runtime {
namespace {

// An execution between its launch and its end.
struct Launched : driver::FencedEnd {
    SharedExecution execution{};
    OptionalTimePoint deadline{};
    OptionalDuration timeoutAfterFences{};
    TimePoint launched{};

    GeneralResult<Infos> compute() const NNAPI_TRY {
        const TimePoint signalled = Clock::now();
        const auto executed = execution->compute(
                driver::earlier(deadline, driver::after(signalled, timeoutAfterFences)));
        if (!executed.has_value()) return executed.status();
        return driver::fencedTimings(executed->second, signalled - launched);
    }
    NNAPI_CATCH
};

class WithFencedThreads final : public IPreparedModel {
   public:
    WithFencedThreads(SharedPreparedModel inner, std::vector<driver::OutputSignature> outputs,
                      Priority priority, std::shared_ptr<FencedThreads> threads)
        : mInner(std::move(inner)),
          mOutputs(std::move(outputs)),
          mPriority(priority),
          mThreads(std::move(threads)) {}

    ExecutionResult<Executed> execute(
            const Request& request, MeasureTiming measure, const OptionalTimePoint& deadline,
            const OptionalDuration& loopTimeoutDuration, const std::vector<TokenValuePair>& hints,
            const std::vector<ExtensionNameAndPrefix>& extensionNameToPrefix) const override {
        return mInner->execute(request, measure, deadline, loopTimeoutDuration, hints,
                               extensionNameToPrefix);
    }

    GeneralResult<ExecutedFenced> executeFenced(
            const Request& request, const std::vector<SyncFence>& waitFor, MeasureTiming measure,
            const OptionalTimePoint& deadline, const OptionalDuration& loopTimeoutDuration,
            const OptionalDuration& timeoutDurationAfterFence,
            const std::vector<TokenValuePair>& hints,
            const std::vector<ExtensionNameAndPrefix>& extensionNameToPrefix)
            const override NNAPI_TRY {
        const auto launched = std::make_shared<Launched>();
        launched->launched = Clock::now();
        launched->deadline = deadline;
        launched->timeoutAfterFences = timeoutDurationAfterFence;
        NNAPI_ASSIGN_OR_RETURN(
                execution, mInner->createReusableExecution(request, measure, loopTimeoutDuration,
                                                           hints, extensionNameToPrefix));
        launched->execution = std::move(execution);
        if (!driver::areFullySpecified({request.outputs, &mOutputs})) {
            return error(ErrorStatus::INVALID_ARGUMENT)
                   << "executeFenced: the size of an output is not known beforehand";
        }
        NNAPI_RETURN_IF_ERROR(driver::inTimeBefore("executeFenced", deadline));
        NNAPI_ASSIGN_OR_RETURN(own, driver::OwnFence::create());
        SyncFence fence = own.fence();
        launched->fence = std::move(own);
        NNAPI_RETURN_IF_ERROR(mThreads->fences.add(
                waitFor, deadline,
                [launched, threads = mThreads, priority = mPriority](const Status& waited) {
                    if (!waited.ok()) return launched->end(waited);
                    try {
                        threads->threads.run([launched] { launched->end(launched->compute()); },
                                             priority);
                    } catch (const std::system_error&) {
                        launched->end(launched->compute());  // no thread: in this one
                    }
                }));
        return ExecutedFenced{std::move(fence), [launched] { return launched->info(); }};
    }
    NNAPI_CATCH

    GeneralResult<SharedExecution> createReusableExecution(
            const Request& request, MeasureTiming measure,
            const OptionalDuration& loopTimeoutDuration, const std::vector<TokenValuePair>& hints,
            const std::vector<ExtensionNameAndPrefix>& extensionNameToPrefix) const override {
        return mInner->createReusableExecution(request, measure, loopTimeoutDuration, hints,
                                               extensionNameToPrefix);
    }
    GeneralResult<SharedBurst> configureExecutionBurst() const override {
        return mInner->configureExecutionBurst();
    }
    std::any getUnderlyingResource() const override { return mInner->getUnderlyingResource(); }

   private:
    SharedPreparedModel mInner;
    std::vector<driver::OutputSignature> mOutputs;
    Priority mPriority;
    std::shared_ptr<FencedThreads> mThreads;
};

}  // namespace

SharedPreparedModel withFencedThreads(SharedPreparedModel inner,
                                      std::vector<driver::OutputSignature> outputs,
                                      Priority priority, std::shared_ptr<FencedThreads> threads) {
    return std::make_shared<const WithFencedThreads>(std::move(inner), std::move(outputs), priority,
                                                     std::move(threads));
}

}  // namespace nn::runtime
