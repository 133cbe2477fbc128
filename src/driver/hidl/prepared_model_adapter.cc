#include "driver/hidl/prepared_model_adapter.h"

#include <memory>
#include <string_view>
#include <utility>
#include <vector>

#include "driver/hidl/burst_server.h"
#include "driver/memory/kept_mappings.h"
#include "driver/wrap/checked_objects.h"
#include "nnapi/print.h"
#include "nnapi/validate.h"

namespace nn::hal::adapter {
namespace {

template <class HalRequest>
Result<Request> readOnce(const HalRequest& request) {
    NNAPI_ASSIGN_OR_RETURN(canonical, convert(request));
    driver::keepMappings(canonical);
    return canonical;
}

Result<std::shared_ptr<const Request>> readRequest(const V1_0::Request& request,
                                                   const RequestCaches& last) {
    return last.older.convert(request, readOnce<V1_0::Request>);
}
Result<std::shared_ptr<const Request>> readRequest(const V1_3::Request& request,
                                                   const RequestCaches& last) {
    return last.newer.convert(request, readOnce<V1_3::Request>);
}

template <class HalRequest>
Result<OwnedCall> read(const RequestCaches& last, const HalRequest& request,
                       V1_2::MeasureTiming measure, const V1_3::OptionalTimePoint& deadline,
                       const V1_3::OptionalTimeoutDuration& loopTimeoutDuration) NNAPI_TRY {
    OwnedCall execution;
    NNAPI_ASSIGN_OR_RETURN(canonical, readRequest(request, last));
    NNAPI_ASSIGN_OR_RETURN(canonicalMeasure, convert(measure));
    NNAPI_ASSIGN_OR_RETURN(canonicalDeadline, convert(deadline));
    NNAPI_ASSIGN_OR_RETURN(canonicalLoopTimeout, convert(loopTimeoutDuration));
    execution.request = std::move(canonical);
    execution.config.measureTiming = canonicalMeasure;
    execution.deadline = canonicalDeadline;
    execution.config.loopTimeoutDuration = canonicalLoopTimeout;
    return execution;
}
NNAPI_CATCH

// Success with shapes or times cannot be reported in HAL 1.0, which measures nothing.
void loseResults(const Executed& executed, CallLosses& losses) {
    if (losses.list() == nullptr) return;
    const std::vector<OutputShape>& outputShapes = executed.first;
    if (outputShapes.empty()) return;
    losses.list()->push_back({.path = "outputShapes",
                              .before = print(outputShapes),
                              .after = print(std::vector<OutputShape>{}),
                              .why = "HAL 1.0 has no output shapes"});
}

template <HalVersion V>
Status convertResults(const std::vector<OutputShape>& outputShapes, const Timing& timing,
                      HalExecutionResult<V>& halResult, CallLosses& losses) {
    constexpr HalVersion kSame = HalVersion::V1_2;
    NNAPI_ASSIGN_OR_RETURN(halShapes, convertTo<kSame>(outputShapes, losses.list()));
    NNAPI_ASSIGN_OR_RETURN(halTiming, convertTo<kSame>(timing, losses.list()));
    halResult.outputShapes = std::move(halShapes);
    halResult.timing = halTiming;
    return {};
}

Return<void> notify(V1_0::IExecutionCallback& callback,
                    const HalExecutionResult<HalVersion::V1_0>& halResult) {
    return callback.notify(halResult.status);
}
Return<void> notify(V1_2::IExecutionCallback& callback,
                    const HalExecutionResult<HalVersion::V1_2>& halResult) {
    return callback.notify_1_2(halResult.status, halResult.outputShapes, halResult.timing);
}
Return<void> notify(V1_3::IExecutionCallback& callback,
                    const HalExecutionResult<HalVersion::V1_3>& halResult) {
    return callback.notify_1_3(halResult.status, halResult.outputShapes, halResult.timing);
}

// Notifies the callback if there is one; returns the status that it was given. A client that is
// gone is not a failure.
template <HalVersion V>
StatusOf<V> notify(const Context& context, std::string_view call,
                   const sp<ExecutionCallback<V>>& callback,
                   const ExecutionResult<Executed>& result) {
    CallLosses losses(context, call);
    const HalExecutionResult<V> halResult = halResultOf<V>(result, losses);
    losses.report();
    if (callback != nullptr) ignoreExceptions([&] { (void)notify(*callback, halResult).isOk(); });
    return halResult.status;
}

}  // namespace

template <HalVersion V>
HalExecutionResult<V> halResultOf(const ExecutionResult<Executed>& result, CallLosses& losses) {
    HalExecutionResult<V> halResult;
    ErrorStatus code = errorStatus(result.status());
    const Status converted = contain([&]() -> Status {
        if constexpr (V == HalVersion::V1_0) {
            if (result.has_value()) loseResults(*result, losses);
        } else if (result.has_value()) {
            return convertResults(result->first, result->second, halResult, losses);
        } else if (code == ErrorStatus::OUTPUT_INSUFFICIENT_SIZE) {
            return convertResults(result.error().outputShapes, {}, halResult, losses);
        }
        return {};
    });
    if (!converted.ok()) code = ErrorStatus::GENERAL_FAILURE;
    halResult.status = statusFor<V>(code, losses);
    return halResult;
}

PreparedModelAdapter::PreparedModelAdapter(SharedContext context, SharedPreparedModel preparedModel,
                                           std::shared_ptr<const Model> signature)
    : PreparedModelAdapter(std::move(context), std::move(preparedModel), signature,
                           signature == nullptr ? nullptr : outputsOf(*signature)) {}

PreparedModelAdapter::PreparedModelAdapter(SharedContext context, SharedPreparedModel preparedModel,
                                           std::shared_ptr<const Model> signature,
                                           const driver::SharedOutputSignatures& outputs)
    : mContext(std::move(context)),
      mPreparedModel(std::move(preparedModel)),
      mSignature(std::move(signature)),
      mChecked(driver::checkResults(mPreparedModel, outputs)),
      mCheckedForCodes(
              driver::checkResults(mPreparedModel, outputs, driver::TooSmall::CODE_ALONE)) {
    mContext->preparedModels.add(static_cast<const V1_3::IPreparedModel*>(this));
}

PreparedModelAdapter::~PreparedModelAdapter() {
    mContext->preparedModels.remove(static_cast<const V1_3::IPreparedModel*>(this));
}

// ---- asynchronous

template <HalVersion V, class HalRequest>
StatusOf<V> PreparedModelAdapter::launchExecution(
        std::string_view call, const HalRequest& request, V1_2::MeasureTiming measure,
        const V1_3::OptionalTimePoint& deadline,
        const V1_3::OptionalTimeoutDuration& loopTimeoutDuration,
        const sp<ExecutionCallback<V>>& callback) const {
    const auto refuse = [&](const Status& why) {
        return notify<V>(*mContext, call, callback, blameClient(why));
    };
    if (callback == nullptr) {
        return refuse(error(ErrorStatus::INVALID_ARGUMENT) << "the callback is null");
    }
    Result<OwnedCall> execution =
            read(mLastRequests, request, measure, deadline, loopTimeoutDuration);
    if (!execution.ok()) return refuse(execution.status());

    // Prepared from a cache, the model is unknown: only the device can check the request.
    if (mSignature == nullptr) {
        const auto executed =
                contain([&] { return doOn(*executing<V>(), mContext->log, call, *execution); });
        const auto notified = notify<V>(*mContext, call, callback, executed);
        return notified == StatusOf<V>::INVALID_ARGUMENT ? notified : StatusOf<V>::NONE;
    }
    const auto fits = validateRequestForModel(*execution->request, *mSignature);
    if (!fits.ok()) return refuse(fits.status());

    const bool isLaunched = launchOn(
            executing<V>(), *mContext, call, *std::move(execution),
            [context = mContext, call, callback](const ExecutionResult<Executed>& executed) {
                notify<V>(*context, call, callback, executed);
            });
    return isLaunched ? StatusOf<V>::NONE : StatusOf<V>::GENERAL_FAILURE;
}

Return<V1_0::ErrorStatus> PreparedModelAdapter::execute(
        const V1_0::Request& request, const sp<V1_0::IExecutionCallback>& callback) {
    return launchExecution<HalVersion::V1_0>("execute", request, V1_2::MeasureTiming::NO, {}, {},
                                             callback);
}

Return<V1_0::ErrorStatus> PreparedModelAdapter::execute_1_2(
        const V1_0::Request& request, V1_2::MeasureTiming measure,
        const sp<V1_2::IExecutionCallback>& callback) {
    return launchExecution<HalVersion::V1_2>("execute_1_2", request, measure, {}, {}, callback);
}

Return<V1_3::ErrorStatus> PreparedModelAdapter::execute_1_3(
        const V1_3::Request& request, V1_2::MeasureTiming measure,
        const V1_3::OptionalTimePoint& deadline,
        const V1_3::OptionalTimeoutDuration& loopTimeoutDuration,
        const sp<V1_3::IExecutionCallback>& callback) {
    return launchExecution<HalVersion::V1_3>("execute_1_3", request, measure, deadline,
                                             loopTimeoutDuration, callback);
}

// ---- synchronous

template <HalVersion V, class HalRequest, class Callback>
Return<void> PreparedModelAdapter::executeNow(
        std::string_view call, const HalRequest& request, V1_2::MeasureTiming measure,
        const V1_3::OptionalTimePoint& deadline,
        const V1_3::OptionalTimeoutDuration& loopTimeoutDuration, const Callback& callback) const {
    if (!callback) return rejectNullCallback();
    const auto execution = read(mLastRequests, request, measure, deadline, loopTimeoutDuration);
    const auto executed = contain([&]() -> ExecutionResult<Executed> {
        if (execution.ok()) return doOn(*mChecked, mContext->log, call, *execution);
        return blameClient(execution.status());
    });
    CallLosses losses(*mContext, call);
    const HalExecutionResult<V> halResult = halResultOf<V>(executed, losses);
    losses.report();
    callback(halResult.status, halResult.outputShapes, halResult.timing);
    return hidl::Void();
}

Return<void> PreparedModelAdapter::executeSynchronously(const V1_0::Request& request,
                                                        V1_2::MeasureTiming measure,
                                                        executeSynchronously_cb callback) {
    return executeNow<HalVersion::V1_2>("executeSynchronously", request, measure, {}, {}, callback);
}

Return<void> PreparedModelAdapter::executeSynchronously_1_3(
        const V1_3::Request& request, V1_2::MeasureTiming measure,
        const V1_3::OptionalTimePoint& deadline,
        const V1_3::OptionalTimeoutDuration& loopTimeoutDuration,
        executeSynchronously_1_3_cb callback) {
    return executeNow<HalVersion::V1_3>("executeSynchronously_1_3", request, measure, deadline,
                                        loopTimeoutDuration, callback);
}

// ---- fenced

Return<void> PreparedModelAdapter::executeFenced(
        const V1_3::Request& request, const hidl_vec<hidl_handle>& waitFor,
        V1_2::MeasureTiming measure, const V1_3::OptionalTimePoint& deadline,
        const V1_3::OptionalTimeoutDuration& loopTimeoutDuration,
        const V1_3::OptionalTimeoutDuration& duration, executeFenced_cb callback) {
    if (!callback) return rejectNullCallback();
    hidl_handle handle;
    sp<V1_3::IFencedExecutionCallback> info;
    const Status ended = contain([&]() -> Status {
        const auto execution = read(mLastRequests, request, measure, deadline, loopTimeoutDuration);
        const auto fences = readFences(waitFor);
        const auto afterFences = convert(duration);
        for (const Status& argument : {execution.status(), fences.status(), afterFences.status()}) {
            if (!argument.ok()) return blameClient(argument);
        }
        auto executed = execution->lent().fencedOn(*mChecked, *fences, *afterFences);
        if (!executed.has_value()) return executed.status();
        auto& [fence, fencedInfo] = *executed;
        if (!fencedInfo) return error() << "the device gave no callback";
        const auto converted = convertTo<HalVersion::V1_3>(fence);
        if (!converted.ok()) return blameDevice(converted.status());
        info = sp<FencedExecutionAdapter>::make(mContext, std::move(fencedInfo));
        handle = *converted;
        return {};
    });
    CallLosses losses(*mContext, "executeFenced");
    const auto status = statusFor<HalVersion::V1_3>(errorStatus(ended), losses);
    losses.report();
    callback(status, handle, info);
    return hidl::Void();
}

Return<void> FencedExecutionAdapter::getExecutionInfo(getExecutionInfo_cb callback) {
    if (!callback) return rejectNullCallback();
    CallLosses losses(*mContext, "getExecutionInfo");
    V1_2::Timing launched = kNoTiming;
    V1_2::Timing fenced = kNoTiming;
    const Status ended = contain([&]() -> Status {
        const auto timings = mInfo();
        if (!timings.has_value()) return timings.status();
        const auto halLaunched = convertTo<HalVersion::V1_3>(timings->first, losses.list());
        const auto halFenced = convertTo<HalVersion::V1_3>(timings->second, losses.list());
        for (const Status& status : {halLaunched.status(), halFenced.status()}) {
            if (!status.ok()) return blameDevice(status);
        }
        launched = *halLaunched;
        fenced = *halFenced;
        return {};
    });
    const auto status = statusFor<HalVersion::V1_3>(errorStatus(ended), losses);
    losses.report();
    callback(status, launched, fenced);
    return hidl::Void();
}

// ---- bursts

Return<void> PreparedModelAdapter::configureExecutionBurst(
        const sp<V1_2::IBurstCallback>& callback,
        const hidl::MQDescriptorSync<V1_2::FmqRequestDatum>& requestChannel,
        const hidl::MQDescriptorSync<V1_2::FmqResultDatum>& resultChannel,
        configureExecutionBurst_cb results) {
    if (!results) return rejectNullCallback();
    using Context = sp<V1_2::IBurstContext>;
    const auto context = contain([&]() -> GeneralResult<Context> {
        if (callback == nullptr) return error() << "the callback is null";
        GeneralResult<SharedBurst> burst = mChecked->configureExecutionBurst();
        if (!burst.has_value()) return burst.status();
        if (*burst == nullptr) return error() << "the device gave no burst";
        return serveBurst(callback, requestChannel, resultChannel, *std::move(burst),
                          mContext->burstPollingTimeWindow);
    });
    CallLosses losses(*mContext, "configureExecutionBurst");
    auto status = statusFor<HalVersion::V1_2>(errorStatus(context.status()), losses);
    losses.report();
    results(status, context.has_value() ? *context : Context());
    return hidl::Void();
}

}  // namespace nn::hal::adapter
