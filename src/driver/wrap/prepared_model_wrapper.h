// Wraps a driver's prepared model of any version as a canonical one. A row describes the interface
// of its version:
//
//   template <> struct PreparedModelRow<HalVersion::V1_3> {
//       using Driver = sp<V1_3::IPreparedModel>;   how a wrapper holds it
//       using Execution = ...;                     a reusable one; NoExecution before AIDL 4
//       using FencedInfo = ...;                    asked for how a fenced execution went
//       using ExecuteArguments = ...;              the arguments of executions but the request
//       static constexpr bool kHasCallbacks;       executes asynchronously, too
//       static GeneralResult<ExecutionReport> executeSynchronously(...);   and so on: each method
//       by
//   };                                             a function
#pragma once

#include <absl/algorithm/container.h>

#include <any>
#include <optional>
#include <utility>

#include "driver/fences/deadlines.h"
#include "driver/fences/fence_arguments.h"
#include "driver/memory/call_objects.h"
#include "driver/memory/request_cache.h"
#include "driver/memory/shared_arguments.h"
#include "driver/observe/logged_call.h"
#include "driver/threads/exclusive_use.h"
#include "driver/wrap/answer_checks.h"
#include "driver/wrap/execution_report.h"
#include "driver/wrap/interface_features.h"
#include "driver/wrap/loss_reporter.h"
#include "driver/wrap/pending_answer.h"
#include "types/no_throw.h"

namespace nn::driver {

using hal::utils::DeathHandler;
using hal::utils::ExecutionAnswer;
using hal::utils::ExecutionReport;
using hal::utils::WaitPolicy;

template <HalVersion V>
struct PreparedModelRow;

// Of versions whose reusable executions are a request that is kept.
struct NoExecution {};

inline bool isBuffer(const Request::MemoryPool& pool) {
    const auto* buffer = std::get_if<SharedBuffer>(&pool);
    return buffer != nullptr && buffer->get() != nullptr;
}

// Buffers travel as their tokens, which name them as long as they live.
inline Request withTokens(Request request) {
    for (Request::MemoryPool& pool : request.pools) {
        if (isBuffer(pool)) pool = std::get<SharedBuffer>(pool)->getToken();
    }
    return request;
}

// An execution as a driver gets it, as often as it gets it.
template <HalVersion V>
struct Call {
    using Row = PreparedModelRow<V>;

    std::shared_ptr<const HalType<Request, V>> request{};
    typename Row::Execution execution{};  // in place of the request, where it is not null
    SharedArguments moved{};
    std::vector<Request::MemoryPool> buffers{};  // whose tokens the request has
    MeasureTiming measure = MeasureTiming::NO;
    typename Row::ExecuteArguments arguments{};  // the deadline comes with each call
};

template <HalVersion V>
using LastRequestOf = RequestCache<Request, HalType<Request, V>>;

template <HalVersion V>
Result<Call<V>> makeCall(const ExecutionCall& given, const LastRequestOf<V>& last,
                         LossReporter& reporter) {
    const auto& [request, measure, deadline, loopTimeoutDuration, hints, extensionNameToPrefix] =
            given;
    Call<V> call{.measure = measure};
    NNAPI_RETURN_IF_ERROR(validate(measure).status());
    if constexpr (V >= since::kMeasuring) {
        NNAPI_ASSIGN_OR_RETURN(converted, convertTo<V>(measure, reporter.list()));
        call.arguments.measure = converted;
    } else {
        reporter.drop("measure", measure, "does not measure times");
    }
    if constexpr (V >= since::kLoopTimeout) {
        NNAPI_ASSIGN_OR_RETURN(converted, convertTo<V>(loopTimeoutDuration, reporter.list()));
        call.arguments.loopTimeoutDuration = converted;
    } else {
        reporter.drop("loopTimeoutDuration", loopTimeoutDuration, "has no limit for loops");
    }
    if constexpr (V >= since::kHints) {
        NNAPI_ASSIGN_OR_RETURN(values, convertTo<V>(hints, reporter.list()));
        NNAPI_ASSIGN_OR_RETURN(names, convertTo<V>(extensionNameToPrefix, reporter.list()));
        call.arguments.hints = std::move(values);
        call.arguments.extensionNameToPrefix = std::move(names);
    } else {
        reporter.drop("hints", hints, "has no hints");
        reporter.drop("extensionNameToPrefix", extensionNameToPrefix, "has no hints of extensions");
    }

    std::optional<Request> changed;
    if (V >= since::kMemoryDomains && absl::c_any_of(request.pools, isBuffer)) {
        changed = withTokens(request);
        absl::c_copy_if(request.pools, std::back_inserter(call.buffers), isBuffer);
    }
    constexpr uint32_t kPadding =
            V >= since::kPadding ? kDefaultRequestMemoryPadding : kMinMemoryPadding;
    NNAPI_ASSIGN_OR_RETURN(moved, shareArguments(changed ? *changed : request, kPadding));
    if (moved.request) changed = std::exchange(moved.request, std::nullopt);
    call.moved = std::move(moved);
    const auto convertAnew = [&](const Request& each) {
        return convertTo<V>(each, reporter.list());
    };
    // Losses are told of each execution, and memory that was made for one is not kept.
    if (reporter.list() != nullptr || changed) {
        NNAPI_ASSIGN_OR_RETURN(converted, convertAnew(changed ? *changed : request));
        call.request = std::make_shared<const HalType<Request, V>>(std::move(converted));
    } else {
        NNAPI_ASSIGN_OR_RETURN(converted, last.convert(request, convertAnew));
        call.request = std::move(converted);
    }
    return call;
}

// ---------------------------------------------------------------------------------------------

template <HalVersion V>
class PreparedModelWrapper final : public CallPreparedModel,
                                   public std::enable_shared_from_this<PreparedModelWrapper<V>> {
    using Row = PreparedModelRow<V>;
    using Driver = typename Row::Driver;
    using ExecuteArguments = typename Row::ExecuteArguments;

   public:
    static GeneralResult<SharedPreparedModel> create(Driver driver, const WrapOptions& options,
                                                     SharedOutputSignatures outputs) {
        if (driver == nullptr) return error() << "the prepared model is null";
        std::optional<DeathHandler> death;
        if constexpr (Row::kHasCallbacks) {
            NNAPI_ASSIGN_OR_RETURN(linked, DeathHandler::create(driver));
            death = std::move(linked);
        }
        return SharedPreparedModel(std::make_shared<const PreparedModelWrapper>(
                std::move(driver), std::move(death), options, std::move(outputs)));
    }

    // The death handler is that of callbacks.
    PreparedModelWrapper(Driver driver, std::optional<DeathHandler> death,
                         const WrapOptions& options, SharedOutputSignatures outputs)
        : mDriver(std::move(driver)),
          mDeath(std::move(death)),
          mOptions(options),
          mOutputs(std::move(outputs)) {}

    ExecutionResult<Executed> executeCall(const ExecutionCall& given) const override {
        LossReporter reporter(V, mOptions.onLoss);
        NNAPI_ASSIGN_OR_RETURN(call, makeCall<V>(given, mLastRequest, reporter));
        return run(call, given.request.outputs, given.deadline, reporter);
    }

    GeneralResult<ExecutedFenced> launchCall(
            const ExecutionCall& given, const std::vector<SyncFence>& waitFor,
            const OptionalDuration& timeoutDurationAfterFence) const override {
        if constexpr (V >= since::kFences) {
            LossReporter reporter(V, mOptions.onLoss);
            NNAPI_ASSIGN_OR_RETURN(call, makeCall<V>(given, mLastRequest, reporter));
            NNAPI_ASSIGN_OR_RETURN(
                    fences,
                    beforeLaunch(Row::nameOfExecuteFenced(call.execution), call.moved.hasInputs,
                                 {waitFor, given.deadline, timeoutDurationAfterFence}));
            return runFenced(call, fences, reporter);
        } else {
            return noFences();
        }
    }

    GeneralResult<SharedExecution> makeExecution(const ExecutionCall& given) const override;

    GeneralResult<SharedBurst> configureExecutionBurst() const override NNAPI_TRY {
        return Row::configureExecutionBurst(this->shared_from_this(), mDriver, mOptions, mOutputs);
    }
    NNAPI_CATCH

    std::any getUnderlyingResource() const override { return mDriver; }

    const WrapOptions& options() const { return mOptions; }

    // The method that executes the call.
    std::string_view nameOfExecute(const Call<V>& call) const {
        if constexpr (V >= since::kReusable) {
            if (call.execution != nullptr) return Row::kCompute;
        }
        if constexpr (V >= since::kSynchronous) {
            if (isSynchronous()) return Row::kExecuteSynchronously;
        }
        return Row::kExecute;
    }

    // Tells what is lost, sends the call and checks its answer.
    ExecutionResult<Executed> run(const Call<V>& call,
                                  const std::vector<Request::Argument>& outputs,
                                  const OptionalTimePoint& deadline, LossReporter& reporter) const {
        constexpr bool kSendsDeadline = V >= since::kDeadline;
        const std::string_view name = nameOfExecute(call);
        ExecuteArguments arguments = call.arguments;
        if constexpr (kSendsDeadline) {
            NNAPI_RETURN_IF_ERROR(putDeadline(deadline, arguments.deadline, reporter));
        } else {
            NNAPI_RETURN_IF_ERROR(checkDeadlineBefore(name, deadline));
            reporter.drop("deadline", deadline, "has no deadlines; the caller's side honours it");
        }
        reporter.tell(name);

        call.moved.relocation.input.flush();
        GeneralResult<ExecutionReport> report =
                logged(mOptions.log, VlogTag::EXECUTION, "driver", name, [&] {
                    return isSynchronous() ? askFor(call, arguments)
                                           : waitFor(call, arguments, deadline);
                });
        if (!report.has_value()) return report.status();
        auto executed = judge(*std::move(report), {outputs, mOutputs.get()}, call.measure, name);
        if (!executed.has_value()) return executed;
        if constexpr (!kSendsDeadline) NNAPI_RETURN_IF_ERROR(checkDeadlineAfter(name, deadline));
        call.moved.relocation.output.flush();
        return executed;
    }

    // The fences as the driver gets them. Inputs that are moved are copied with the launch: the
    // fences are waited for here.
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

    GeneralResult<ExecutedFenced> runFenced(const Call<V>& call, const FenceArguments& before,
                                            LossReporter& reporter) const
            requires(V >= since::kFences) {
        const std::string_view name = Row::nameOfExecuteFenced(call.execution);
        const OptionalTimePoint& deadline = before.deadline;
        NNAPI_ASSIGN_OR_RETURN(fences, convertTo<V>(before.waitFor, reporter.list()));
        NNAPI_ASSIGN_OR_RETURN(duration, convertTo<V>(before.timeoutAfterFences, reporter.list()));
        ExecuteArguments arguments = call.arguments;
        NNAPI_RETURN_IF_ERROR(putDeadline(deadline, arguments.deadline, reporter));
        reporter.tell(name);

        call.moved.relocation.input.flush();
        NNAPI_ASSIGN_OR_RETURN(launched, Row::executeFenced(mDriver, call.execution, *call.request,
                                                            fences, arguments, duration));
        NNAPI_VLOG(mOptions.log, DRIVER) << name << ": launched";
        const auto& [handle, callback] = launched;
        if (callback == nullptr) {
            return error() << name << ": the driver answers NONE without a callback";
        }
        NNAPI_ASSIGN_OR_RETURN(fence, Row::fenceOf(handle));
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

    // A fence only says that an execution has failed, the driver says why.
    template <class Info>
    static Status whyFailed(const Status& waited, const SyncFence& fence, const Info& callback) {
        if (fence.syncWait(Duration::zero()) != SyncFence::FenceState::ERROR) return waited;
        const auto info = infoOf(callback, MeasureTiming::NO);
        return info.has_value() ? waited : info.status();
    }

    // Success when the fence is signalled in time.
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

    // The method that learns of a request first.
    std::string_view nameOfMake() const {
        if constexpr (V >= since::kReusable) return Row::kCreateReusableExecution;
        return nameOfExecute({});
    }

    static Status noFences() { return error() << titleOf(V) << " has no fenced executions"; }

   private:
    bool isSynchronous() const {
        if constexpr (!Row::kHasCallbacks) return true;
        return V >= since::kSynchronous && mOptions.executeSynchronously;
    }

    static Status putDeadline(const OptionalTimePoint& deadline, auto& hal,
                              LossReporter& reporter) {
        if (!deadline) return {};
        NNAPI_ASSIGN_OR_RETURN(converted, convertTo<V>(deadline, reporter.list()));
        hal = converted;
        return {};
    }

    GeneralResult<ExecutionReport> askFor(const Call<V>& call,
                                          const ExecuteArguments& arguments) const {
        if constexpr (V >= since::kSynchronous) {
            return Row::executeSynchronously(mDriver, call.execution, *call.request, arguments);
        } else {
            return error() << titleOf(V) << " executes with callbacks alone";
        }
    }

    GeneralResult<ExecutionReport> waitFor(const Call<V>& call, const ExecuteArguments& arguments,
                                           const OptionalTimePoint& deadline) const {
        if constexpr (Row::kHasCallbacks) {
            const PendingAnswer<ExecutionAnswer> pending(*mDeath);
            NNAPI_RETURN_IF_ERROR(
                    Row::execute(mDriver, *call.request, arguments, pending.answer()));
            NNAPI_VLOG(mOptions.log, DRIVER) << Row::kExecute << ": launched";
            return pending.take(deadline, mOptions.ceiling, Row::kExecute);
        } else {
            return error() << titleOf(V) << " executes without callbacks";
        }
    }

    template <class Info>
    static GeneralResult<FencedTimings> infoOf(const Info& callback,
                                               MeasureTiming measure) NNAPI_TRY {
        NNAPI_ASSIGN_OR_RETURN(info, Row::getExecutionInfo(callback));
        const auto& [launched, fenced] = info;
        const auto sinceLaunch = convert(launched);
        const auto sinceFences = convert(fenced);
        for (const auto* timing : {&sinceLaunch, &sinceFences}) {
            if (!timing->ok()) return wrongAnswer("getExecutionInfo", timing->status());
        }
        return judge(FencedTimings(*sinceLaunch, *sinceFences), measure, "getExecutionInfo");
    }
    NNAPI_CATCH

    Driver mDriver;
    std::optional<DeathHandler> mDeath;
    WrapOptions mOptions;
    SharedOutputSignatures mOutputs;
    LastRequestOf<V> mLastRequest{};
};

// ---------------------------------------------------------------------------------------------

// A request that is converted and moved once, and again after a failure: the driver may still use
// the memory of an execution that its caller has given up, and its own execution.
template <HalVersion V>
class ExecutionWrapper final : public IExecution {
   public:
    using Make = std::function<Result<Call<V>>(LossReporter& reporter)>;

    ExecutionWrapper(std::shared_ptr<const PreparedModelWrapper<V>> preparedModel, Call<V> call,
                     Make make, std::vector<Request::Argument> outputs)
        : mPreparedModel(std::move(preparedModel)),
          mMake(std::move(make)),
          mOutputs(std::move(outputs)),
          mName(nameOf(call)),
          mMovesInputs(call.moved.hasInputs),
          mCall(std::move(call)) {}

    ExecutionResult<Executed> compute(const OptionalTimePoint& deadline) const override NNAPI_TRY {
        const ExclusiveUse::Turn turn = mTurns.take(deadline, ceiling());
        NNAPI_RETURN_IF_ERROR(ready(turn, deadline));
        LossReporter reporter(V, mPreparedModel->options().onLoss);
        mIsGivenUp = true;
        auto executed = withIdleCall([&](const Call<V>& call) {
            return mPreparedModel->run(call, mOutputs, deadline, reporter);
        });
        mIsGivenUp = !executed.has_value() && hasMoved();
        return executed;
    }
    NNAPI_CATCH

    GeneralResult<ExecutedFenced> computeFenced(
            const std::vector<SyncFence>& waitFor, const OptionalTimePoint& deadline,
            const OptionalDuration& timeoutDurationAfterFence) const override NNAPI_TRY {
        if constexpr (V >= since::kFences) {
            // Others may compute meanwhile.
            NNAPI_ASSIGN_OR_RETURN(fences, mPreparedModel->beforeLaunch(
                                                   mName, mMovesInputs,
                                                   {waitFor, deadline, timeoutDurationAfterFence}));
            const ExclusiveUse::Turn turn = mTurns.take(fences.deadline, ceiling());
            NNAPI_RETURN_IF_ERROR(ready(turn, fences.deadline));
            LossReporter reporter(V, mPreparedModel->options().onLoss);
            mIsGivenUp = true;
            auto executed = withIdleCall([&](const Call<V>& call) {
                return mPreparedModel->runFenced(call, fences, reporter);
            });
            const bool isUsed = mCall.moved.hasInputs || isOfDriver(mCall);
            if (executed.has_value() && isUsed && !mLast.hasFd()) mLast = executed->first;
            mIsGivenUp = !executed.has_value() && (hasMoved() || isOfDriver(mCall));
            return executed;
        } else {
            return PreparedModelWrapper<V>::noFences();
        }
    }
    NNAPI_CATCH

   private:
    Duration ceiling() const { return mPreparedModel->options().ceiling; }

    static std::string_view nameOf(const Call<V>& call) {
        if constexpr (V >= since::kFences) {
            return PreparedModelRow<V>::nameOfExecuteFenced(call.execution);
        }
        return {};
    }

    static bool isOfDriver(const Call<V>& call) {
        if constexpr (V >= since::kReusable) return call.execution != nullptr;
        return false;
    }

    bool hasMoved() const { return mCall.moved.hasInputs || mCall.moved.hasOutputs; }

    // A driver's execution is computed once at a time: while it still goes on, its request is sent
    // by itself.
    auto withIdleCall(const auto& run) const {
        if (!mLast.hasFd()) return run(mCall);
        Call<V> call = mCall;
        call.execution = {};
        return run(call);
    }

    // Success when nobody uses the memory of this execution any more: neither a call of another
    // thread, nor a fenced execution that still reads what was moved for it.
    Status ready(const ExclusiveUse::Turn& turn, const OptionalTimePoint& deadline) const {
        constexpr std::string_view kWhat = "the execution before this one";
        if (!turn.isTaken()) return WaitPolicy(deadline, ceiling()).exceeded(kWhat);
        if (mIsGivenUp) {
            const LossListener nobody;  // it was told when the execution was made
            LossReporter reporter(V, nobody);
            NNAPI_ASSIGN_OR_RETURN(call, mMake(reporter));
            mCall = std::move(call);
            mLast = SyncFence::createAsSignaled();
        }
        if (!mLast.hasFd()) return {};
        if (!mCall.moved.hasInputs) {
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

    std::shared_ptr<const PreparedModelWrapper<V>> mPreparedModel;
    Make mMake;
    std::vector<Request::Argument> mOutputs;
    std::string_view mName;  // of what launches it
    bool mMovesInputs;
    mutable ExclusiveUse mTurns{};
    // Of whoever has the turn.
    mutable Call<V> mCall;
    mutable SyncFence mLast{};
    mutable bool mIsGivenUp = false;
};

template <HalVersion V>
GeneralResult<SharedExecution> PreparedModelWrapper<V>::makeExecution(
        const ExecutionCall& given) const {
    LossReporter reporter(V, mOptions.onLoss);
    const OwnedCall kept(given);
    const auto make = [kept, this](LossReporter& lost) -> Result<Call<V>> {
        NNAPI_ASSIGN_OR_RETURN(call, makeCall<V>(kept.lent(), mLastRequest, lost));
        lost.tell(nameOfMake());
        if constexpr (V >= since::kReusable) {
            NNAPI_ASSIGN_OR_RETURN(execution, Row::createReusableExecution(mDriver, *call.request,
                                                                           call.arguments));
            call.execution = std::move(execution);
        }
        return call;
    };
    NNAPI_ASSIGN_OR_RETURN(call, make(reporter));
    return SharedExecution(std::make_shared<const ExecutionWrapper<V>>(
            this->shared_from_this(), std::move(call), make, given.request.outputs));
}

}  // namespace nn::driver
