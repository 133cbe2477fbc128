#include "driver/hidl/prepared_model_wrapper.h"

#include <absl/algorithm/container.h>

#include <optional>

#include "driver/common/deadlines.h"
#include "driver/common/told.h"
#include "driver/common/turns.h"
#include "driver/hidl/last_request.h"
#include "driver/hidl/losing.h"
#include "driver/hidl/pending.h"
#include "driver/hidl/reports.h"
#include "driver/hidl/transport.h"
#include "nnapi/driver/burst.h"
#include "nnapi/driver/default_burst.h"
#include "nnapi/relocation.h"
#include "types/no_throw.h"

namespace nn::driver::hidl {
namespace {

using hal::utils::DeathHandler;
using hal::utils::ExecutionAnswer;
using hal::utils::ExecutionReport;
using hal::utils::Patience;

bool hasPointers(const std::vector<Request::Argument>& arguments) {
    return absl::c_any_of(arguments, [](const Request::Argument& argument) {
        return argument.lifetime == Request::Argument::LifeTime::POINTER;
    });
}

bool isBuffer(const Request::MemoryPool& pool) {
    const auto* buffer = std::get_if<SharedBuffer>(&pool);
    return buffer != nullptr && buffer->get() != nullptr;
}

// Buffers travel as their tokens.
Request withTokens(Request request) {
    for (Request::MemoryPool& pool : request.pools) {
        if (isBuffer(pool)) pool = std::get<SharedBuffer>(pool)->getToken();
    }
    return request;
}

// An execution as a driver gets it, as often as it gets it.
template <HalVersion V>
struct Call {
    std::shared_ptr<const HalType<Request, V>> request{};
    RequestRelocation relocation{};
    bool movesInputs = false;
    bool movesOutputs = false;
    MeasureTiming measure = MeasureTiming::NO;
    ExecuteArguments arguments{};  // the deadline comes with each call
};

template <HalVersion V>
using LastRequestOf = LastRequest<Request, HalType<Request, V>>;

template <HalVersion V>
Result<Call<V>> makeCall(const Request& request, MeasureTiming measure,
                         const OptionalDuration& loopTimeoutDuration,
                         const std::vector<TokenValuePair>& hints,
                         const std::vector<ExtensionNameAndPrefix>& extensionNameToPrefix,
                         const LastRequestOf<V>& last, Losing& losing) {
    Call<V> call{.measure = measure};
    NNAPI_RETURN_IF_ERROR(validate(measure).status());
    if constexpr (V >= since::kMeasuring) {
        NNAPI_ASSIGN_OR_RETURN(converted, convertTo<V>(measure, losing.list()));
        call.arguments.measure = converted;
    } else {
        losing.drop("measure", measure, "does not measure times");
    }
    if constexpr (V >= since::kLoopTimeout) {
        NNAPI_ASSIGN_OR_RETURN(converted, convertTo<V>(loopTimeoutDuration, losing.list()));
        call.arguments.loopTimeout = converted;
    } else {
        losing.drop("loopTimeoutDuration", loopTimeoutDuration, "has no limit for loops");
    }
    losing.drop("hints", hints, "has no hints");
    losing.drop("extensionNameToPrefix", extensionNameToPrefix, "has no hints of extensions");

    call.movesInputs = hasPointers(request.inputs);
    call.movesOutputs = hasPointers(request.outputs);
    std::optional<Request> changed;
    if (V >= since::kMemoryDomains && absl::c_any_of(request.pools, isBuffer)) {
        changed = withTokens(request);
    }
    if (call.movesInputs || call.movesOutputs) {
        NNAPI_ASSIGN_OR_RETURN(shared,
                               convertRequestFromPointerToShared(changed ? *changed : request));
        changed = std::move(shared.request);
        call.relocation = std::move(shared.relocation);
    }
    const auto convertAnew = [&](const Request& each) { return convertTo<V>(each, losing.list()); };
    // Losses are told of each execution, and memory that was made for one is not kept.
    if (losing.list() != nullptr || changed) {
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
class PreparedModelWrapper final : public IPreparedModel,
                                   public std::enable_shared_from_this<PreparedModelWrapper<V>> {
    using Row = PreparedModelRow<V>;
    using Interface = typename Row::Interface;
    using HalErrorStatus = typename Row::ErrorStatus;

   public:
    static GeneralResult<SharedPreparedModel> create(sp<Interface> driver,
                                                     const WrapOptions& options,
                                                     SharedOutputSignatures outputs) {
        if (driver == nullptr) return error() << "the prepared model is null";
        auto death = DeathHandler::create(driver);
        if (!death.has_value()) return death.status();
        return SharedPreparedModel(std::make_shared<const PreparedModelWrapper>(
                std::move(driver), *std::move(death), options, std::move(outputs)));
    }

    PreparedModelWrapper(sp<Interface> driver, DeathHandler death, const WrapOptions& options,
                         SharedOutputSignatures outputs)
        : mDriver(std::move(driver)),
          mDeath(std::move(death)),
          mOptions(options),
          mOutputs(std::move(outputs)) {}

    ExecutionResult<Executed> execute(const Request& request, MeasureTiming measure,
                                      const OptionalTimePoint& deadline,
                                      const OptionalDuration& loopTimeoutDuration,
                                      const std::vector<TokenValuePair>& hints,
                                      const std::vector<ExtensionNameAndPrefix>&
                                              extensionNameToPrefix) const override NNAPI_TRY {
        Losing losing(V, mOptions.onLoss);
        NNAPI_ASSIGN_OR_RETURN(call, makeCall<V>(request, measure, loopTimeoutDuration, hints,
                                                 extensionNameToPrefix, mLastRequest, losing));
        return run(call, request.outputs, deadline, losing);
    }
    NNAPI_CATCH

    GeneralResult<ExecutedFenced> executeFenced(
            const Request& request, const std::vector<SyncFence>& waitFor, MeasureTiming measure,
            const OptionalTimePoint& deadline, const OptionalDuration& loopTimeoutDuration,
            const OptionalDuration& timeoutDurationAfterFence,
            const std::vector<TokenValuePair>& hints,
            const std::vector<ExtensionNameAndPrefix>& extensionNameToPrefix)
            const override NNAPI_TRY {
        if constexpr (V >= since::kFences) {
            Losing losing(V, mOptions.onLoss);
            NNAPI_ASSIGN_OR_RETURN(call, makeCall<V>(request, measure, loopTimeoutDuration, hints,
                                                     extensionNameToPrefix, mLastRequest, losing));
            return runFenced(call, waitFor, deadline, timeoutDurationAfterFence, losing);
        } else {
            return noFences();
        }
    }
    NNAPI_CATCH

    GeneralResult<SharedExecution> createReusableExecution(
            const Request& request, MeasureTiming measure,
            const OptionalDuration& loopTimeoutDuration, const std::vector<TokenValuePair>& hints,
            const std::vector<ExtensionNameAndPrefix>& extensionNameToPrefix) const override;

    GeneralResult<SharedBurst> configureExecutionBurst() const override NNAPI_TRY {
        if constexpr (V >= since::kQueues) {
            return V1_2::utils::Burst::create(this->shared_from_this(), mDriver,
                                              mOptions.burstPollingTimeWindow, mOptions);
        } else {
            return SharedBurst(std::make_shared<const DefaultBurst>(this->shared_from_this()));
        }
    }
    NNAPI_CATCH

    std::any getUnderlyingResource() const override { return mDriver; }

    const WrapOptions& options() const { return mOptions; }

    // Tells what is lost, sends the call and checks its answer.
    ExecutionResult<Executed> run(const Call<V>& call,
                                  const std::vector<Request::Argument>& outputs,
                                  const OptionalTimePoint& deadline, Losing& losing) const {
        constexpr bool kSendsDeadline = V >= since::kDeadline;
        const std::string_view name = nameOfExecute();
        ExecuteArguments arguments = call.arguments;
        if constexpr (kSendsDeadline) {
            NNAPI_RETURN_IF_ERROR(putDeadline(deadline, arguments.deadline, losing));
        } else {
            NNAPI_RETURN_IF_ERROR(inTimeBefore(name, deadline));
            losing.drop("deadline", deadline, "has no deadlines; the caller's side honours it");
        }
        losing.tell(name);

        call.relocation.input.flush();
        GeneralResult<ExecutionReport> report =
                told(mOptions.log, VlogTag::EXECUTION, "driver", name, [&] {
                    return isSynchronous() ? askFor(call, arguments)
                                           : waitFor(call, arguments, deadline);
                });
        if (!report.has_value()) return report.status();
        auto executed = judge(*std::move(report), {outputs, mOutputs.get()}, call.measure, name);
        if (!executed.has_value()) return executed;
        if constexpr (!kSendsDeadline) NNAPI_RETURN_IF_ERROR(inTimeAfter(name, deadline));
        call.relocation.output.flush();
        return executed;
    }

    GeneralResult<ExecutedFenced> runFenced(const Call<V>& call,
                                            const std::vector<SyncFence>& waitFor,
                                            const OptionalTimePoint& deadline,
                                            const OptionalDuration& timeoutDurationAfterFence,
                                            Losing& losing) const requires(V >= since::kFences) {
        constexpr std::string_view kCall = "executeFenced";
        for (size_t i = 0; i < waitFor.size(); ++i) {
            if (waitFor[i].hasFd()) continue;
            return error(ErrorStatus::INVALID_ARGUMENT)
                   << kCall << ": waitFor[" << i << "] has no descriptor";
        }
        NNAPI_ASSIGN_OR_RETURN(fences, convertTo<V>(waitFor, losing.list()));
        NNAPI_ASSIGN_OR_RETURN(duration, convertTo<V>(timeoutDurationAfterFence, losing.list()));
        ExecuteArguments arguments = call.arguments;
        NNAPI_RETURN_IF_ERROR(putDeadline(deadline, arguments.deadline, losing));
        losing.tell(kCall);

        call.relocation.input.flush();
        using Callback = sp<V1_3::IFencedExecutionCallback>;
        NNAPI_ASSIGN_OR_RETURN(
                launched, (ask<HalErrorStatus, hidl_handle, Callback>(kCall, [&](auto callback) {
                    return mDriver->executeFenced(*call.request, fences, arguments.measure,
                                                  arguments.deadline, arguments.loopTimeout,
                                                  duration, callback);
                })));
        NNAPI_VLOG(mOptions.log, DRIVER) << kCall << ": launched";
        const auto& [handle, callback] = launched;
        if (callback == nullptr) {
            return error() << kCall << ": the driver answers NONE without a callback";
        }
        SyncFence fence = SyncFence::createAsSignaled();
        if (handle.getNativeHandle() != nullptr) {
            NNAPI_ASSIGN_OR_RETURN(shared, convert(handle));
            NNAPI_ASSIGN_OR_RETURN(created, SyncFence::create(std::move(shared)));
            fence = std::move(created);
        }
        if (call.movesOutputs) {
            if (const Status waited = waitUntilDone(fence, deadline, kCall); !waited.ok()) {
                return whyFailed(waited, fence, *callback);
            }
            call.relocation.output.flush();
        }
        return ExecutedFenced{std::move(fence), [callback = callback, measure = call.measure] {
                                  return infoOf(*callback, measure);
                              }};
    }

    // A fence only says that an execution has failed, the driver says why.
    static Status whyFailed(const Status& waited, const SyncFence& fence,
                            V1_3::IFencedExecutionCallback& callback) {
        if (fence.syncWait(Duration::zero()) != SyncFence::FenceState::ERROR) return waited;
        const auto info = infoOf(callback, MeasureTiming::NO);
        return info.has_value() ? waited : info.status();
    }

    // Success when the fence is signalled in time.
    Status waitUntilDone(const SyncFence& fence, const OptionalTimePoint& deadline,
                         std::string_view what) const {
        const Patience patience(deadline, mOptions.ceiling);
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

    static Status noFences() { return error() << titleOf(V) << " has no fenced executions"; }

   private:
    using Infos = std::pair<Timing, Timing>;

    bool isSynchronous() const { return V >= since::kSynchronous && mOptions.executeSynchronously; }

    std::string_view nameOfExecute() const {
        if constexpr (V >= since::kSynchronous) {
            if (isSynchronous()) return Row::kExecuteSynchronously;
        }
        return Row::kExecute;
    }

    static Status putDeadline(const OptionalTimePoint& deadline, V1_3::OptionalTimePoint& hal,
                              Losing& losing) {
        if (!deadline) return {};
        NNAPI_ASSIGN_OR_RETURN(converted, convertTo<HalVersion::V1_3>(deadline, losing.list()));
        hal = converted;
        return {};
    }

    GeneralResult<ExecutionReport> askFor(const Call<V>& call,
                                          const ExecuteArguments& arguments) const {
        if constexpr (V >= since::kSynchronous) {
            std::optional<ExecutionReport> report;
            const auto returned = Row::executeSynchronously(
                    *mDriver, *call.request, arguments,
                    [&report](HalErrorStatus status, const hidl_vec<V1_2::OutputShape>& shapes,
                              const V1_2::Timing& timing) {
                        if (!report) report = makeReport(codeOf(status), shapes, timing);
                    });
            if (!returned.isOk()) return failureOf(returned, Row::kExecuteSynchronously);
            if (!report) return unanswered(Row::kExecuteSynchronously);
            return *std::move(report);
        } else {
            return error() << titleOf(V) << " executes with callbacks alone";
        }
    }

    GeneralResult<ExecutionReport> waitFor(const Call<V>& call, const ExecuteArguments& arguments,
                                           const OptionalTimePoint& deadline) const {
        const Pending<ExecutionAnswer> pending(mDeath);
        const auto launched = Row::execute(*mDriver, *call.request, arguments,
                                           sp<typename Row::Callback>::make(pending.answer()));
        // The shapes of OUTPUT_INSUFFICIENT_SIZE come with the callback.
        if (!launched.isOk() ||
            static_cast<HalErrorStatus>(launched) != HalErrorStatus::OUTPUT_INSUFFICIENT_SIZE) {
            NNAPI_RETURN_IF_ERROR(statusOf(launched, Row::kExecute));
        }
        NNAPI_VLOG(mOptions.log, DRIVER) << Row::kExecute << ": launched";
        return pending.take(deadline, mOptions.ceiling, Row::kExecute);
    }

    static GeneralResult<Infos> infoOf(V1_3::IFencedExecutionCallback& callback,
                                       MeasureTiming measure) NNAPI_TRY {
        constexpr std::string_view kCall = "getExecutionInfo";
        NNAPI_ASSIGN_OR_RETURN(
                info, (ask<V1_3::ErrorStatus, V1_2::Timing, V1_2::Timing>(kCall, [&](auto answer) {
                    return callback.getExecutionInfo(answer);
                })));
        const auto& [launched, fenced] = info;
        const auto sinceLaunch = convert(launched);
        const auto sinceFences = convert(fenced);
        for (const auto* timing : {&sinceLaunch, &sinceFences}) {
            if (!timing->ok()) return wrongAnswer(kCall, timing->status());
        }
        if (measure != MeasureTiming::YES) return Infos();
        return Infos(*sinceLaunch, *sinceFences);
    }
    NNAPI_CATCH

    sp<Interface> mDriver;
    DeathHandler mDeath;
    WrapOptions mOptions;
    SharedOutputSignatures mOutputs;
    LastRequestOf<V> mLastRequest{};
};

// ---------------------------------------------------------------------------------------------

// A request that is converted and moved once, and again after a failure: the driver may still use
// the memory of an execution that its caller has given up.
template <HalVersion V>
class ExecutionWrapper final : public IExecution {
   public:
    using Make = std::function<Result<Call<V>>(Losing& losing)>;

    ExecutionWrapper(std::shared_ptr<const PreparedModelWrapper<V>> preparedModel, Call<V> call,
                     Make make, std::vector<Request::Argument> outputs)
        : mPreparedModel(std::move(preparedModel)),
          mMake(std::move(make)),
          mOutputs(std::move(outputs)),
          mCall(std::move(call)) {}

    ExecutionResult<Executed> compute(const OptionalTimePoint& deadline) const override NNAPI_TRY {
        const Turns::Turn turn = mTurns.take(deadline, ceiling());
        NNAPI_RETURN_IF_ERROR(ready(turn, deadline));
        Losing losing(V, mPreparedModel->options().onLoss);
        mIsGivenUp = true;
        auto executed = mPreparedModel->run(mCall, mOutputs, deadline, losing);
        mIsGivenUp = !executed.has_value();
        return executed;
    }
    NNAPI_CATCH

    GeneralResult<ExecutedFenced> computeFenced(
            const std::vector<SyncFence>& waitFor, const OptionalTimePoint& deadline,
            const OptionalDuration& timeoutDurationAfterFence) const override NNAPI_TRY {
        if constexpr (V >= since::kFences) {
            const Turns::Turn turn = mTurns.take(deadline, ceiling());
            NNAPI_RETURN_IF_ERROR(ready(turn, deadline));
            Losing losing(V, mPreparedModel->options().onLoss);
            mIsGivenUp = true;
            auto executed = mPreparedModel->runFenced(mCall, waitFor, deadline,
                                                      timeoutDurationAfterFence, losing);
            if (executed.has_value() && mCall.movesInputs) mLast = executed->first;
            mIsGivenUp = !executed.has_value();
            return executed;
        } else {
            return PreparedModelWrapper<V>::noFences();
        }
    }
    NNAPI_CATCH

   private:
    Duration ceiling() const { return mPreparedModel->options().ceiling; }

    // Success when nobody uses the memory of this execution any more: neither a call of another
    // thread, nor a fenced execution that still reads what was moved for it.
    Status ready(const Turns::Turn& turn, const OptionalTimePoint& deadline) const {
        constexpr std::string_view kWhat = "the execution before this one";
        if (!turn.isTaken()) return Patience(deadline, ceiling()).exceeded(kWhat);
        if (mIsGivenUp && (mCall.movesInputs || mCall.movesOutputs)) {
            const LossListener nobody;  // it was told when the execution was made
            Losing losing(V, nobody);
            NNAPI_ASSIGN_OR_RETURN(call, mMake(losing));
            mCall = std::move(call);
            mLast = SyncFence::createAsSignaled();
        }
        if (!mLast.hasFd()) return {};
        const SyncFence last = std::exchange(mLast, SyncFence::createAsSignaled());
        const Status waited = mPreparedModel->waitUntilDone(last, deadline, kWhat);
        if (last.syncWait(Duration::zero()) != SyncFence::FenceState::ACTIVE) return {};
        mLast = last;
        return waited.ok() ? Patience(deadline, ceiling()).exceeded(kWhat) : waited;
    }

    std::shared_ptr<const PreparedModelWrapper<V>> mPreparedModel;
    Make mMake;
    std::vector<Request::Argument> mOutputs;
    mutable Turns mTurns{};
    // Of whoever has the turn.
    mutable Call<V> mCall;
    mutable SyncFence mLast{};
    mutable bool mIsGivenUp = false;
};

template <HalVersion V>
GeneralResult<SharedExecution> PreparedModelWrapper<V>::createReusableExecution(
        const Request& request, MeasureTiming measure, const OptionalDuration& loopTimeoutDuration,
        const std::vector<TokenValuePair>& hints,
        const std::vector<ExtensionNameAndPrefix>& extensionNameToPrefix) const NNAPI_TRY {
    Losing losing(V, mOptions.onLoss);
    const auto make = [=, this](Losing& lost) {
        return makeCall<V>(request, measure, loopTimeoutDuration, hints, extensionNameToPrefix,
                           mLastRequest, lost);
    };
    NNAPI_ASSIGN_OR_RETURN(call, make(losing));
    losing.tell(nameOfExecute());
    return SharedExecution(std::make_shared<const ExecutionWrapper<V>>(
            this->shared_from_this(), std::move(call), make, request.outputs));
}
NNAPI_CATCH

// The version of prepared models before V.
constexpr HalVersion older(HalVersion version) {
    return version == HalVersion::V1_3 ? HalVersion::V1_2 : HalVersion::V1_0;
}

}  // namespace

template <HalVersion V>
GeneralResult<SharedPreparedModel> wrapPreparedModel(const sp<V1_0::IPreparedModel>& preparedModel,
                                                     const WrapOptions& options,
                                                     SharedOutputSignatures outputs) {
    using Interface = typename PreparedModelRow<V>::Interface;
    const sp<Interface> driver = Interface::castFrom(preparedModel);
    if constexpr (V != HalVersion::V1_0) {
        if (driver == nullptr) {
            return wrapPreparedModel<older(V)>(preparedModel, options, std::move(outputs));
        }
    }
    return PreparedModelWrapper<V>::create(driver, options, std::move(outputs));
}

template GeneralResult<SharedPreparedModel> wrapPreparedModel<HalVersion::V1_0>(
        const sp<V1_0::IPreparedModel>&, const WrapOptions&, SharedOutputSignatures);
template GeneralResult<SharedPreparedModel> wrapPreparedModel<HalVersion::V1_2>(
        const sp<V1_0::IPreparedModel>&, const WrapOptions&, SharedOutputSignatures);
template GeneralResult<SharedPreparedModel> wrapPreparedModel<HalVersion::V1_3>(
        const sp<V1_0::IPreparedModel>&, const WrapOptions&, SharedOutputSignatures);

}  // namespace nn::driver::hidl

namespace nn {

using driver::hidl::PreparedModelWrapper;

GeneralResult<SharedPreparedModel> V1_0::utils::PreparedModel::create(
        hidl::sp<V1_0::IPreparedModel> preparedModel, WrapOptions options) NNAPI_TRY {
    return PreparedModelWrapper<HalVersion::V1_0>::create(std::move(preparedModel), options, {});
}
NNAPI_CATCH

GeneralResult<SharedPreparedModel> V1_2::utils::PreparedModel::create(
        hidl::sp<V1_2::IPreparedModel> preparedModel, bool executeSynchronously,
        WrapOptions options) NNAPI_TRY {
    options.executeSynchronously = executeSynchronously;
    return PreparedModelWrapper<HalVersion::V1_2>::create(std::move(preparedModel), options, {});
}
NNAPI_CATCH

GeneralResult<SharedPreparedModel> V1_3::utils::PreparedModel::create(
        hidl::sp<V1_3::IPreparedModel> preparedModel, bool executeSynchronously,
        WrapOptions options) NNAPI_TRY {
    options.executeSynchronously = executeSynchronously;
    return PreparedModelWrapper<HalVersion::V1_3>::create(std::move(preparedModel), options, {});
}
NNAPI_CATCH

}  // namespace nn
