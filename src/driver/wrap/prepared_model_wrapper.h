// Wraps a driver's prepared model of any version as a canonical one. `Driver` is a family's
// prepared model, HidlPreparedModel or AidlPreparedModel, which calls the methods of its version:
//
//   static constexpr HalVersion kNewest     a version with the types of all arguments
//   static constexpr bool kHasCallbacks     executes asynchronously, too
//   Request                                 of any version
//   Execution                               a reusable one; an empty type before AIDL 4
//   FencedInfo                              returns the status and timing of a fenced execution
//   ExecuteArguments                        the arguments of executions but the request
//   version(), object(), resource()         the driver; null if there is none
//   GeneralResult<ExecutionReport> executeSynchronously(...); ...
//                                           each returns the driver's result or its error
#pragma once

#include <absl/algorithm/container.h>

#include <any>
#include <optional>
#include <utility>

#include "base/no_throw.h"
#include "driver/fences/deadlines.h"
#include "driver/fences/fence_arguments.h"
#include "driver/memory/call_objects.h"
#include "driver/memory/request_cache.h"
#include "driver/memory/shared_arguments.h"
#include "driver/observe/logged_call.h"
#include "driver/threads/exclusive_use.h"
#include "driver/wrap/execution_report.h"
#include "driver/wrap/protected_result.h"
#include "driver/wrap/result_checks.h"
#include "driver/wrap/versioned_arguments.h"

namespace nn::driver {

using hal::utils::DeathHandler;
using hal::utils::ExecutionReport;
using hal::utils::PendingExecution;
using hal::utils::WaitPolicy;

inline bool isBuffer(const Request::MemoryPool& pool) {
    const auto* buffer = std::get_if<SharedBuffer>(&pool);
    return buffer != nullptr && *buffer != nullptr;
}

// Replaces buffers by their tokens, which are valid while the buffers live.
inline Request withTokens(Request request) {
    for (Request::MemoryPool& pool : request.pools) {
        if (isBuffer(pool)) pool = std::get<SharedBuffer>(pool)->getToken();
    }
    return request;
}

// An execution in the form that its driver receives. It may be sent more than once.
template <class Driver>
struct Call {
    std::shared_ptr<const typename Driver::Request> request{};
    typename Driver::Execution execution{};  // replaces the request unless null
    SharedArguments moved{};
    std::vector<Request::MemoryPool> buffers{};  // the request holds their tokens
    MeasureTiming measure = MeasureTiming::NO;
    typename Driver::ExecuteArguments arguments{};  // without the deadline, which each call sets
};

template <class Driver>
using LastRequestOf = RequestCache<Request, typename Driver::Request>;

template <class Driver>
Result<Call<Driver>> makeCall(const ExecutionCall& given, const LastRequestOf<Driver>& last,
                              LossReporter& reporter) {
    constexpr HalVersion kNewest = Driver::kNewest;
    const HalVersion version = reporter.version();
    const auto& [request, measure, deadline, loopTimeoutDuration, hints, extensionNameToPrefix] =
            given;
    Call<Driver> call{.measure = measure};
    NNAPI_RETURN_IF_ERROR(validate(measure).status());
    NNAPI_RETURN_IF_ERROR(
            put<kNewest>(arguments::kMeasure, measure, call.arguments.measure, reporter));
    NNAPI_RETURN_IF_ERROR(put<kNewest>(arguments::kLoopTimeout, loopTimeoutDuration,
                                       call.arguments.loopTimeoutDuration, reporter));
    NNAPI_RETURN_IF_ERROR(
            putHints<kNewest>(hints, extensionNameToPrefix, call.arguments, reporter));

    std::optional<Request> changed;
    if (version >= since::kMemoryDomains && absl::c_any_of(request.pools, isBuffer)) {
        changed = withTokens(request);
        absl::c_copy_if(request.pools, std::back_inserter(call.buffers), isBuffer);
    }
    const uint32_t padding =
            version >= since::kPadding ? kDefaultRequestMemoryPadding : kMinMemoryPadding;
    NNAPI_ASSIGN_OR_RETURN(moved, shareArguments(changed ? *changed : request, padding));
    if (moved.request) changed = std::exchange(moved.request, std::nullopt);
    call.moved = std::move(moved);
    const auto convertAnew = [&](const Request& each) {
        return Driver::convertRequest(version, each, reporter.list());
    };
    // The cache is bypassed if each execution must report its losses, and if the request refers to
    // memory that was created for this execution.
    if (reporter.list() != nullptr || changed) {
        NNAPI_ASSIGN_OR_RETURN(converted, convertAnew(changed ? *changed : request));
        call.request = std::make_shared<const typename Driver::Request>(std::move(converted));
    } else {
        NNAPI_ASSIGN_OR_RETURN(converted, last.convert(request, convertAnew));
        call.request = std::move(converted);
    }
    return call;
}

// ---------------------------------------------------------------------------------------------

template <class Driver>
class PreparedModelWrapper final
    : public CallPreparedModel,
      public std::enable_shared_from_this<PreparedModelWrapper<Driver>> {
    using ExecuteArguments = typename Driver::ExecuteArguments;
    using DriverCall = Call<Driver>;
    static constexpr HalVersion kNewest = Driver::kNewest;
    static constexpr bool kHasReusable = kNewest >= since::kReusable;

   public:
    static GeneralResult<SharedPreparedModel> create(Driver driver, const WrapOptions& options,
                                                     SharedOutputSignatures outputs) {
        if (driver.object() == nullptr) return error() << "the prepared model is null";
        std::optional<DeathHandler> death;
        if constexpr (Driver::kHasCallbacks) {
            NNAPI_ASSIGN_OR_RETURN(linked, DeathHandler::create(driver.object()));
            death = std::move(linked);
        }
        return SharedPreparedModel(std::make_shared<const PreparedModelWrapper>(
                std::move(driver), std::move(death), options, std::move(outputs)));
    }

    // Callbacks need a death handler.
    PreparedModelWrapper(Driver driver, std::optional<DeathHandler> death,
                         const WrapOptions& options, SharedOutputSignatures outputs)
        : mDriver(std::move(driver)),
          mDeath(std::move(death)),
          mOptions(options),
          mOutputs(std::move(outputs)) {}

    ExecutionResult<Executed> executeCall(const ExecutionCall& given) const override {
        LossReporter reporter(version(), mOptions.onLoss);
        NNAPI_ASSIGN_OR_RETURN(call, makeCall<Driver>(given, mLastRequest, reporter));
        return run(call, given.request.outputs, given.deadline, reporter);
    }

    GeneralResult<ExecutedFenced> launchCall(
            const ExecutionCall& given, const std::vector<SyncFence>& waitFor,
            const OptionalDuration& timeoutDurationAfterFence) const override {
        if (version() < since::kFences) return noFences();
        LossReporter reporter(version(), mOptions.onLoss);
        NNAPI_ASSIGN_OR_RETURN(call, makeCall<Driver>(given, mLastRequest, reporter));
        NNAPI_ASSIGN_OR_RETURN(
                fences,
                beforeLaunch(mDriver.nameOfExecuteFenced(call.execution), call.moved.hasInputs,
                             {waitFor, given.deadline, timeoutDurationAfterFence}));
        return runFenced(call, fences, reporter);
    }

    GeneralResult<SharedExecution> makeExecution(const ExecutionCall& given) const override;

    GeneralResult<SharedBurst> configureExecutionBurst() const override NNAPI_TRY {
        return mDriver.configureExecutionBurst(this->shared_from_this(), mOptions, mOutputs);
    }
    NNAPI_CATCH

    std::any getUnderlyingResource() const override { return mDriver.resource(); }

    HalVersion version() const { return mDriver.version(); }
    const WrapOptions& options() const { return mOptions; }

    // False if there is only a driver's execution object, without its prepared model.
    bool hasDriver() const { return mDriver.object() != nullptr; }

    // The name of the method that executes the call.
    std::string_view nameOfExecute(const DriverCall& call) const {
        if constexpr (Driver::kHasCallbacks) {
            if (!isSynchronous()) return mDriver.nameOfExecute();
        }
        return mDriver.nameOfExecuteSynchronously(call.execution);
    }

    // Reports losses, sends the call and checks the result.
    ExecutionResult<Executed> run(const DriverCall& call,
                                  const std::vector<Request::Argument>& outputs,
                                  const OptionalTimePoint& deadline, LossReporter& reporter) const {
        const bool sendsDeadline = version() >= since::kDeadline;
        const std::string_view name = nameOfExecute(call);
        ExecuteArguments arguments = call.arguments;
        if (!sendsDeadline) NNAPI_RETURN_IF_ERROR(checkDeadlineBefore(name, deadline));
        NNAPI_RETURN_IF_ERROR(putDeadline<kNewest>(deadline, arguments.deadline, reporter));
        reporter.report(name);

        call.moved.relocation.input.flush();
        GeneralResult<ExecutionReport> report = logged(
                mOptions.log, VlogTag::EXECUTION, "driver", name,
                [&]() -> GeneralResult<ExecutionReport> {
                    if constexpr (Driver::kHasCallbacks) {
                        if (!isSynchronous()) return waitFor(call, arguments, deadline);
                    }
                    return mDriver.executeSynchronously(call.execution, *call.request, arguments);
                });
        if (!report.has_value()) return report.status();
        auto executed = checkExecutionResult(*std::move(report), {outputs, mOutputs.get()},
                                             call.measure, name);
        if (!executed.has_value()) return executed;
        if (!sendsDeadline) NNAPI_RETURN_IF_ERROR(checkDeadlineAfter(name, deadline));
        call.moved.relocation.output.flush();
        return executed;
    }

    // The fences to pass to the driver. Waits for them here if inputs are copied at launch.
    Result<FenceArguments> beforeLaunch(std::string_view name, bool movesInputs,
                                        FenceArguments fences) const {
        for (size_t i = 0; i < fences.waitFor.size(); ++i) {
            if (fences.waitFor[i].hasFd()) continue;
            return Status(error(ErrorStatus::INVALID_ARGUMENT)
                          << name << ": waitFor[" << i << "] has no descriptor");
        }
        if (!movesInputs) return fences;
        return waitBeforeCopying(name, std::move(fences), mOptions.ceiling);
    }

    GeneralResult<ExecutedFenced> runFenced(const DriverCall& call, const FenceArguments& before,
                                            LossReporter& reporter) const {
        const std::string_view name = mDriver.nameOfExecuteFenced(call.execution);
        const OptionalTimePoint& deadline = before.deadline;
        NNAPI_ASSIGN_OR_RETURN(fences,
                               convertFor<kNewest>(version(), before.waitFor, reporter.list()));
        NNAPI_ASSIGN_OR_RETURN(duration, convertFor<kNewest>(version(), before.timeoutAfterFences,
                                                             reporter.list()));
        ExecuteArguments arguments = call.arguments;
        NNAPI_RETURN_IF_ERROR(putDeadline<kNewest>(deadline, arguments.deadline, reporter));
        reporter.report(name);

        call.moved.relocation.input.flush();
        NNAPI_ASSIGN_OR_RETURN(launched, mDriver.executeFenced(call.execution, *call.request,
                                                               fences, arguments, duration));
        NNAPI_VLOG(mOptions.log, DRIVER) << name << ": launched";
        const auto& [handle, callback] = launched;
        if (callback == nullptr) {
            return error() << name << ": the driver reports NONE without a callback";
        }
        NNAPI_ASSIGN_OR_RETURN(fence, Driver::fenceOf(handle));
        if (call.moved.hasOutputs) {
            if (const Status waited = waitUntilDone(fence, deadline, name); !waited.ok()) {
                return whyFailed(waited, fence, callback);
            }
            call.moved.relocation.output.flush();
        }
        return launchedAfter(before.waited,
                             {std::move(fence), [callback = callback, measure = call.measure] {
                                  return infoOf(callback, measure);
                              }});
    }

    // A fence only reports that an execution failed; the callback reports the reason.
    template <class Info>
    static Status whyFailed(const Status& waited, const SyncFence& fence, const Info& callback) {
        if (fence.syncWait(Duration::zero()) != SyncFence::FenceState::ERROR) return waited;
        const auto info = infoOf(callback, MeasureTiming::NO);
        return info.has_value() ? waited : info.status();
    }

    // Succeeds if the fence is signaled in time.
    Status waitUntilDone(const SyncFence& fence, const OptionalTimePoint& deadline,
                         std::string_view what) const {
        const WaitPolicy patience(deadline, mOptions.ceiling);
        const TimePoint now = Clock::now();
        const Duration left =
                patience.end() <= now ? Duration::zero() : Duration(patience.end() - now);
        switch (fence.syncWait(left)) {
            case SyncFence::FenceState::SIGNALED:
                return {};
            case SyncFence::FenceState::ACTIVE:
                return patience.exceeded(what);
            case SyncFence::FenceState::ERROR:
            case SyncFence::FenceState::UNKNOWN:
                break;
        }
        return error() << what << ": the driver's fence has failed";
    }

    std::string_view nameOfExecuteFenced(const DriverCall& call) const {
        return mDriver.nameOfExecuteFenced(call.execution);
    }

    // The name of the first method that receives a request.
    std::string_view nameOfMake() const {
        if constexpr (kHasReusable) {
            if (version() >= since::kReusable) return Driver::kCreateReusableExecution;
        }
        return nameOfExecute({});
    }

    Status noFences() const { return error() << titleOf(version()) << " has no fenced executions"; }

   private:
    bool isSynchronous() const {
        if constexpr (!Driver::kHasCallbacks) return true;
        return version() >= since::kSynchronous && mOptions.executeSynchronously;
    }

    GeneralResult<ExecutionReport> waitFor(const DriverCall& call,
                                           const ExecuteArguments& arguments,
                                           const OptionalTimePoint& deadline) const
            requires(Driver::kHasCallbacks) {
        const std::string_view name = mDriver.nameOfExecute();
        const ProtectedResult<PendingExecution> pending(*mDeath);
        NNAPI_RETURN_IF_ERROR(mDriver.execute(*call.request, arguments, pending.result()));
        NNAPI_VLOG(mOptions.log, DRIVER) << name << ": launched";
        return pending.take(deadline, mOptions.ceiling, name);
    }

    template <class Info>
    static GeneralResult<FencedTimings> infoOf(const Info& callback,
                                               MeasureTiming measure) NNAPI_TRY {
        NNAPI_ASSIGN_OR_RETURN(info, Driver::getExecutionInfo(callback));
        const auto& [launched, fenced] = info;
        const auto sinceLaunch = convert(launched);
        const auto sinceFences = convert(fenced);
        for (const auto* timing : {&sinceLaunch, &sinceFences}) {
            if (!timing->ok()) return invalidResult("getExecutionInfo", timing->status());
        }
        return checkExecutionResult(FencedTimings(*sinceLaunch, *sinceFences), measure,
                                    "getExecutionInfo");
    }
    NNAPI_CATCH

    Driver mDriver;
    std::optional<DeathHandler> mDeath;
    WrapOptions mOptions;
    SharedOutputSignatures mOutputs;
    LastRequestOf<Driver> mLastRequest{};
};

// ---------------------------------------------------------------------------------------------

// A reusable execution: its request is converted, and its arguments are moved, once. After a
// failure both are done again, since the driver may still use the memory, and its own execution
// object, of a call that was given up.
template <class Driver>
class ExecutionWrapper final : public IExecution {
    using DriverCall = Call<Driver>;

   public:
    using Make = std::function<Result<DriverCall>(LossReporter& reporter)>;

    ExecutionWrapper(std::shared_ptr<const PreparedModelWrapper<Driver>> preparedModel,
                     DriverCall call, Make make, std::vector<Request::Argument> outputs)
        : mPreparedModel(std::move(preparedModel)),
          mMake(std::move(make)),
          mOutputs(std::move(outputs)),
          mName(mPreparedModel->nameOfExecuteFenced(call)),
          mMovesInputs(call.moved.hasInputs),
          mCall(std::move(call)) {}

    ExecutionResult<Executed> compute(const OptionalTimePoint& deadline) const override NNAPI_TRY {
        const ExclusiveUse::Turn turn = mTurns.take(deadline, ceiling());
        NNAPI_RETURN_IF_ERROR(ready(turn, deadline));
        LossReporter reporter(mPreparedModel->version(), mPreparedModel->options().onLoss);
        mIsGivenUp = true;
        auto executed = withIdleCall([&](const DriverCall& call) {
            return mPreparedModel->run(call, mOutputs, deadline, reporter);
        });
        mIsGivenUp = !executed.has_value() && hasMoved();
        return executed;
    }
    NNAPI_CATCH

    GeneralResult<ExecutedFenced> computeFenced(
            const std::vector<SyncFence>& waitFor, const OptionalTimePoint& deadline,
            const OptionalDuration& timeoutDurationAfterFence) const override NNAPI_TRY {
        if (mPreparedModel->version() < since::kFences) return mPreparedModel->noFences();
        // Waits without holding the turn, so that other threads can compute.
        NNAPI_ASSIGN_OR_RETURN(fences, mPreparedModel->beforeLaunch(
                                               mName, mMovesInputs,
                                               {waitFor, deadline, timeoutDurationAfterFence}));
        const ExclusiveUse::Turn turn = mTurns.take(fences.deadline, ceiling());
        NNAPI_RETURN_IF_ERROR(ready(turn, fences.deadline));
        LossReporter reporter(mPreparedModel->version(), mPreparedModel->options().onLoss);
        mIsGivenUp = true;
        auto executed = withIdleCall([&](const DriverCall& call) {
            return mPreparedModel->runFenced(call, fences, reporter);
        });
        const bool isUsed = mCall.moved.hasInputs || mCall.execution != nullptr;
        if (executed.has_value() && isUsed && !mLast.hasFd()) mLast = executed->first;
        mIsGivenUp = !executed.has_value() && (hasMoved() || mCall.execution != nullptr);
        return executed;
    }
    NNAPI_CATCH

   private:
    Duration ceiling() const { return mPreparedModel->options().ceiling; }

    bool hasMoved() const { return mCall.moved.hasInputs || mCall.moved.hasOutputs; }

    // A driver's execution object runs one computation at a time: while it is busy, the request is
    // sent instead. Without a driver that accepts requests, the object is idle.
    auto withIdleCall(const auto& run) const {
        if (!mLast.hasFd()) return run(mCall);
        DriverCall call = mCall;
        call.execution = {};
        return run(call);
    }

    // Succeeds once the memory of this execution is unused: no other thread is computing, and no
    // fenced execution still reads the moved inputs. Without a driver that accepts requests, the
    // driver's execution object is unused then, too.
    Status ready(const ExclusiveUse::Turn& turn, const OptionalTimePoint& deadline) const {
        constexpr std::string_view kWhat = "the execution before this one";
        if (!turn.isTaken()) return WaitPolicy(deadline, ceiling()).exceeded(kWhat);
        if (mIsGivenUp) {
            const LossListener nobody;  // losses were reported when the execution was made
            LossReporter reporter(mPreparedModel->version(), nobody);
            NNAPI_ASSIGN_OR_RETURN(call, mMake(reporter));
            mCall = std::move(call);
            mLast = SyncFence::createAsSignaled();
        }
        if (!mLast.hasFd()) return {};
        if (!mCall.moved.hasInputs && mPreparedModel->hasDriver()) {
            const auto state = mLast.syncWait(Duration::zero());
            if (state != SyncFence::FenceState::ACTIVE) mLast = SyncFence::createAsSignaled();
            return {};
        }
        const SyncFence last = std::exchange(mLast, SyncFence::createAsSignaled());
        const Status waited = mPreparedModel->waitUntilDone(last, deadline, kWhat);
        if (last.syncWait(Duration::zero()) != SyncFence::FenceState::ACTIVE) return {};
        mLast = last;
        return waited.ok() ? WaitPolicy(deadline, ceiling()).exceeded(kWhat) : waited;
    }

    std::shared_ptr<const PreparedModelWrapper<Driver>> mPreparedModel;
    Make mMake;
    std::vector<Request::Argument> mOutputs;
    std::string_view mName;  // the launching method
    bool mMovesInputs;
    mutable ExclusiveUse mTurns{};
    // Guarded by the turn.
    mutable DriverCall mCall;
    mutable SyncFence mLast{};
    mutable bool mIsGivenUp = false;
};

template <class Driver>
GeneralResult<SharedExecution> PreparedModelWrapper<Driver>::makeExecution(
        const ExecutionCall& given) const {
    LossReporter reporter(version(), mOptions.onLoss);
    const OwnedCall kept(given);
    const auto make = [kept, this](LossReporter& losses) -> Result<DriverCall> {
        NNAPI_ASSIGN_OR_RETURN(call, makeCall<Driver>(kept.lent(), mLastRequest, losses));
        losses.report(nameOfMake());
        if constexpr (kHasReusable) {
            if (version() >= since::kReusable) {
                NNAPI_ASSIGN_OR_RETURN(
                        execution, mDriver.createReusableExecution(*call.request, call.arguments));
                call.execution = std::move(execution);
            }
        }
        return call;
    };
    NNAPI_ASSIGN_OR_RETURN(call, make(reporter));
    return SharedExecution(std::make_shared<const ExecutionWrapper<Driver>>(
            this->shared_from_this(), std::move(call), make, given.request.outputs));
}

}  // namespace nn::driver
