#include "runtime/plan/fallback.h"

#include <mutex>
#include <utility>

#include "driver/adapt/default_execution.h"
#include "driver/fences/execution_outcome.h"
#include "driver/fences/fences.h"
#include "driver/memory/call_objects.h"
#include "nnapi/driver/default_burst.h"
#include "nnapi/validate.h"
#include "runtime/plan/device_results.h"
#include "runtime/plan/exception_guard.h"
#include "runtime/plan/failed_devices.h"
#include "runtime/plan/overlapping_arguments.h"
#include "runtime/plan/plain_request.h"

namespace nn::runtime {
namespace {

// A model prepared on devices, and on the CPU once it is needed there. Thread-safe.
class ModelWithFallback {
   public:
    ModelWithFallback(SharedPreparedModel preparedModel, std::shared_ptr<const Model> model,
                      std::optional<PlanDevice> cpu, const Sizes& sizes, const PlanOptions& options,
                      bool allowsAliasing, bool hasFences, std::string name)
        : mPreparedModel(std::move(preparedModel)),
          mModel(std::move(model)),
          mCpu(std::move(cpu)),
          mSizes(sizes),
          mOptions(options),
          mTakesOverlaps(allowsAliasing),
          mHasFences(hasFences),
          mName(std::move(name)),
          mSignature(driver::outputSignatures(*mModel)),
          mHasLoop(hasLoop(*mModel)) {}

    const SharedPreparedModel& preparedModel() const { return mPreparedModel; }
    bool hasCpu() const { return mCpu.has_value(); }

    // True if the prepared model must get the outputs of this request in memory of their own.
    bool separates(const Request& request) const {
        if (mTakesOverlaps) return false;
        // A concurrent execution looks at the files again instead of waiting.
        const std::unique_lock lock(mFilesMutex, std::try_to_lock);
        return (lock.owns_lock() ? overlapOf(request, mFiles) : overlapOf(request)).isThere;
    }

    auto executor() const {
        return [this](const ExecutionCall& any) { return any.on(*mPreparedModel); };
    }

    // The executor gets the call, or one with staged outputs; it calls the prepared model or one of
    // its bursts.
    template <class Executor>
    ExecutionResult<Executed> execute(const ExecutionCall& call, Executor&& executor) const {
        auto executed = onDevice(call, std::forward<Executor>(executor));
        if (executed.has_value() || !mCpu ||
            isFinal(executed.error().code, call.deadline, mHasLoop)) {
            return executed;
        }
        return onCpu(call, std::move(executed));
    }

    // Like execute(), with fences. Waits for `waitFor` in this thread if the launch fails or
    // outputs are staged.
    template <class Launch>
    GeneralResult<ExecutedFenced> executeFenced(const ExecutionCall& call,
                                                const std::vector<SyncFence>& waitFor,
                                                const OptionalDuration& timeoutDurationAfterFence,
                                                Launch&& launch) const {
        const TimePoint launched = Clock::now();
        const Request& request = call.request;
        if (separates(request)) {
            if (!hasBuffers(request)) {
                NNAPI_RETURN_IF_ERROR(validateRequestForModel(request, *mModel, false).status());
            }
            return afterWaiting(
                    waitFor, call, timeoutDurationAfterFence, launched,
                    [&](const ExecutionCall& inTime) { return execute(inTime, executor()); });
        }
        auto fenced = mHasFences ? guardExceptions<GeneralResult<ExecutedFenced>>(
                                           std::forward<Launch>(launch))
                                 : afterFences(call, waitFor, timeoutDurationAfterFence, launched);
        if (fenced.has_value() && !fenced->second) {
            fenced = error() << "the driver gives no callback for a fenced execution";
        }
        if (fenced.has_value()) {
            return ExecutedFenced{std::move(fenced->first),
                                  [callback = std::move(fenced->second), measure = call.measure] {
                                      return checkedInfos(callback, measure);
                                  }};
        }
        if (!mCpu || isFinal(fenced.error().code, call.deadline, mHasLoop)) {
            return fenced;
        }
        // The CPU would execute it, but a fenced execution must reject it.
        if (!hasBuffers(request) && !validateRequestForModel(request, *mModel, false).ok()) {
            return fenced;
        }
        return afterWaiting(
                waitFor, call, timeoutDurationAfterFence, launched,
                [&](const ExecutionCall& inTime) { return onCpu(inTime, fenced.status()); });
    }

   private:
    template <class Executor>
    ExecutionResult<Executed> onDevice(const ExecutionCall& call, Executor&& executor) const {
        const auto checked = [&](const ExecutionCall& any) {
            return driver::checkExecutionResult(
                    guardExceptions<ExecutionResult<Executed>>([&] { return executor(any); }),
                    {any.request.outputs, &mSignature}, any.measure, kResultNames);
        };
        if (!separates(call.request)) return checked(call);
        OutputStage stage;
        NNAPI_ASSIGN_OR_RETURN(staged, StagedOutputs::of(call.request, stage));
        auto executed = checked(call.with(staged.request()));
        if (executed.has_value()) {
            NNAPI_RETURN_IF_ERROR(staged.finish(*mModel, mSizes, executed->first));
        }
        return executed;
    }

    GeneralResult<ExecutedFenced> afterFences(const ExecutionCall& call,
                                              const std::vector<SyncFence>& waitFor,
                                              const OptionalDuration& timeoutDurationAfterFence,
                                              TimePoint launched) const {
        if (!hasBuffers(call.request)) {
            NNAPI_RETURN_IF_ERROR(validateRequestForModel(call.request, *mModel, false).status());
        }
        return afterWaiting(waitFor, call, timeoutDurationAfterFence, launched,
                            [&](const ExecutionCall& inTime) {
                                return executeOn(*mPreparedModel, inTime, mSignature);
                            });
    }

    // Waits for the fences, and executes in this thread.
    template <class Execute>
    static GeneralResult<ExecutedFenced> afterWaiting(
            const std::vector<SyncFence>& waitFor, const ExecutionCall& call,
            const OptionalDuration& timeoutDurationAfterFence, TimePoint launched,
            Execute&& execute) {
        NNAPI_RETURN_IF_ERROR(driver::waitForAll(waitFor, call.deadline));
        const TimePoint signaled = Clock::now();
        const auto executed = execute(call.until(driver::earlier(
                call.deadline, driver::after(signaled, timeoutDurationAfterFence))));
        if (!executed.has_value()) return executed.status();
        const auto timings = driver::fencedTimings(executed->second, signaled - launched);
        return ExecutedFenced{SyncFence::createAsSignaled(), [timings] { return timings; }};
    }

    // Returns the device's failure if the CPU cannot start.
    ExecutionResult<Executed> onCpu(const ExecutionCall& call,
                                    ExecutionResult<Executed> failure) const {
        if (mOptions.onFallback) {
            const Status& why = failure.status();
            mOptions.onFallback(mName.empty() ? devicesOf(why) : mName, why);
        }
        const auto prepared = mOnCpu.get(*mCpu->device, *mModel, mOptions);
        if (!prepared.has_value()) return failure;
        const auto plain = PlainRequest::of(call.request, *mModel, mSizes);
        if (!plain.ok()) return failure;
        auto executed = executeOn(**prepared, call.with(plain->request()), mSignature);
        if (executed.has_value()) NNAPI_RETURN_IF_ERROR(plain->finish());
        return executed;
    }

    SharedPreparedModel mPreparedModel;
    std::shared_ptr<const Model> mModel;
    std::optional<PlanDevice> mCpu;
    Sizes mSizes;
    PlanOptions mOptions;
    bool mTakesOverlaps;
    bool mHasFences;
    std::string mName;
    std::vector<driver::OutputSignature> mSignature;
    bool mHasLoop;
    LazyPreparedModel mOnCpu{};
    mutable std::mutex mFilesMutex{};
    mutable KnownFiles mFiles{};
};

using SharedModelWithFallback = std::shared_ptr<const ModelWithFallback>;

class FallbackExecution final : public IExecution {
   public:
    // Executions of a burst have no fences, so neither does their fallback.
    FallbackExecution(SharedModelWithFallback model, SharedExecution execution, OwnedCall call,
                      bool isOfBurst = false)
        : mModel(std::move(model)),
          mExecution(std::move(execution)),
          mCall(std::move(call)),
          mIsOfBurst(isOfBurst) {}

    ExecutionResult<Executed> compute(const OptionalTimePoint& deadline) const override NNAPI_TRY {
        return mModel->execute(mCall.lent(deadline), [&](const ExecutionCall& any) {
            const bool isKept = &any.request == mCall.request.get();
            return isKept ? mExecution->compute(deadline) : mModel->executor()(any);
        });
    }
    NNAPI_CATCH

    GeneralResult<ExecutedFenced> computeFenced(
            const std::vector<SyncFence>& waitFor, const OptionalTimePoint& deadline,
            const OptionalDuration& timeoutDurationAfterFence) const override NNAPI_TRY {
        const auto call = [&] {
            return mExecution->computeFenced(waitFor, deadline, timeoutDurationAfterFence);
        };
        if (mIsOfBurst) return guardExceptions<GeneralResult<ExecutedFenced>>(call);
        return mModel->executeFenced(mCall.lent(deadline), waitFor, timeoutDurationAfterFence,
                                     call);
    }
    NNAPI_CATCH

   private:
    SharedModelWithFallback mModel;
    SharedExecution mExecution;
    OwnedCall mCall;
    bool mIsOfBurst;
};

class FallbackBurst final : public driver::CallBurst {
   public:
    FallbackBurst(SharedModelWithFallback model, SharedBurst burst)
        : mModel(std::move(model)), mBurst(std::move(burst)) {}

    OptionalCacheHold cacheMemory(const SharedMemory& memory) const override {
        auto hold = guardExceptions<GeneralResult<OptionalCacheHold>>(
                [&] { return mBurst->cacheMemory(memory); });
        return hold.has_value() ? *std::move(hold) : nullptr;
    }

    ExecutionResult<Executed> executeCall(const ExecutionCall& call) const override {
        return mModel->execute(call, [&](const ExecutionCall& any) { return any.on(*mBurst); });
    }

    GeneralResult<SharedExecution> makeExecution(const ExecutionCall& call) const override {
        auto made = guardObject<const IExecution>("createReusableExecution",
                                                  [&] { return call.reusableOn(*mBurst); });
        if (!made.has_value()) return made;
        return SharedExecution(std::make_shared<const FallbackExecution>(mModel, *std::move(made),
                                                                         OwnedCall(call), true));
    }

   private:
    SharedModelWithFallback mModel;
    SharedBurst mBurst;
};

class FallbackPreparedModel final : public driver::CallPreparedModel,
                                    public std::enable_shared_from_this<FallbackPreparedModel> {
   public:
    explicit FallbackPreparedModel(SharedModelWithFallback model) : mModel(std::move(model)) {}

    ExecutionResult<Executed> executeCall(const ExecutionCall& call) const override {
        return mModel->execute(call, mModel->executor());
    }

    GeneralResult<ExecutedFenced> launchCall(
            const ExecutionCall& call, const std::vector<SyncFence>& waitFor,
            const OptionalDuration& timeoutDurationAfterFence) const override {
        return mModel->executeFenced(call, waitFor, timeoutDurationAfterFence, [&] {
            return call.fencedOn(own(), waitFor, timeoutDurationAfterFence);
        });
    }

    // If the device makes no reusable execution, each computation calls execute(), which has the
    // fallback.
    GeneralResult<SharedExecution> makeExecution(const ExecutionCall& call) const override {
        auto made = guardObject<const IExecution>("createReusableExecution",
                                                  [&] { return call.reusableOn(own()); });
        if (!made.has_value()) {
            if (!mModel->hasCpu() || made.error().code == ErrorStatus::INVALID_ARGUMENT)
                return made;
            return driver::defaultExecution(shared_from_this(), call);
        }
        return SharedExecution(std::make_shared<const FallbackExecution>(mModel, *std::move(made),
                                                                         OwnedCall(call)));
    }

    GeneralResult<SharedBurst> configureExecutionBurst() const override {
        auto made = guardObject<const IBurst>("configureExecutionBurst",
                                              [&] { return own().configureExecutionBurst(); });
        if (!made.has_value()) {
            if (!mModel->hasCpu()) return made;
            return SharedBurst(std::make_shared<const DefaultBurst>(shared_from_this()));
        }
        return SharedBurst(std::make_shared<const FallbackBurst>(mModel, *std::move(made)));
    }

    std::any getUnderlyingResource() const override { return own().getUnderlyingResource(); }

   private:
    const IPreparedModel& own() const { return *mModel->preparedModel(); }

    SharedModelWithFallback mModel;
};

}  // namespace

SharedPreparedModel checkedWithFallback(SharedPreparedModel preparedModel,
                                        std::shared_ptr<const Model> model,
                                        const std::optional<PlanDevice>& cpu, const Sizes& sizes,
                                        const PlanOptions& options, bool allowsAliasing,
                                        bool hasFences, std::string name) {
    return std::make_shared<const FallbackPreparedModel>(std::make_shared<const ModelWithFallback>(
            std::move(preparedModel), std::move(model), cpu, sizes, options, allowsAliasing,
            hasFences, std::move(name)));
}

}  // namespace nn::runtime
