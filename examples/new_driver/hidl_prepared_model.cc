#include "hidl_prepared_model.h"

#include <utility>

#include "nnapi/convert.h"
#include "nnapi/driver/burst.h"

namespace npu_driver {
namespace {

using nn::hidl::hidl_handle;
using nn::hidl::hidl_vec;
using nn::hidl::Void;

namespace V1_0 = nn::V1_0;
namespace V1_2 = nn::V1_2;
namespace V1_3 = nn::V1_3;

constexpr V1_2::Timing kNoTiming{.timeOnDevice = UINT64_MAX, .timeInDriver = UINT64_MAX};

// The result of an execution: shapes after a success and for outputs that are too small, times
// after a success.
struct HidlResult {
    nn::ErrorStatus code = nn::ErrorStatus::GENERAL_FAILURE;
    hidl_vec<V1_2::OutputShape> shapes{};
    V1_2::Timing timing = kNoTiming;
};

nn::Result<HidlResult> hidlResultOf(const nn::ExecutionResult<nn::Executed>& executed) {
    if (executed.has_value()) {
        NNAPI_ASSIGN_OR_RETURN(shapes, V1_2::utils::convert(executed->first));
        NNAPI_ASSIGN_OR_RETURN(timing, V1_2::utils::convert(executed->second));
        return HidlResult{nn::ErrorStatus::NONE, std::move(shapes), timing};
    }
    const nn::ExecutionError error = executed.error();
    if (error.code != nn::ErrorStatus::OUTPUT_INSUFFICIENT_SIZE)
        return HidlResult{.code = error.code};
    NNAPI_ASSIGN_OR_RETURN(shapes, V1_2::utils::convert(error.outputShapes));
    return HidlResult{error.code, std::move(shapes)};
}

template <class Request>
nn::ExecutionResult<nn::Executed> compute(const nn::IPreparedModel& model, const Request& request,
                                          V1_2::MeasureTiming measure,
                                          const V1_3::OptionalTimePoint& deadline,
                                          const V1_3::OptionalTimeoutDuration& loopTimeout) {
    NNAPI_ASSIGN_OR_RETURN(canonicalRequest, nn::convert(request));
    NNAPI_ASSIGN_OR_RETURN(canonicalMeasure, nn::convert(measure));
    NNAPI_ASSIGN_OR_RETURN(canonicalDeadline, nn::convert(deadline));
    NNAPI_ASSIGN_OR_RETURN(canonicalLoopTimeout, nn::convert(loopTimeout));
    return model.execute(canonicalRequest, canonicalMeasure, canonicalDeadline,
                         canonicalLoopTimeout, {}, {});
}

template <class Request>
HidlResult run(const nn::IPreparedModel& model, const Request& request, V1_2::MeasureTiming measure,
               const V1_3::OptionalTimePoint& deadline = {},
               const V1_3::OptionalTimeoutDuration& loopTimeout = {}) {
    auto result = hidlResultOf(compute(model, request, measure, deadline, loopTimeout));
    return result.ok() ? *std::move(result) : HidlResult();
}

class FencedCallback final : public V1_3::IFencedExecutionCallback {
   public:
    explicit FencedCallback(nn::ExecuteFencedInfoCallback info) : mInfo(std::move(info)) {}

    nn::hidl::Return<void> getExecutionInfo(getExecutionInfo_cb callback) override {
        const auto info = mInfo();
        if (!info.has_value()) {
            callback(newCode(info.error().code), kNoTiming, kNoTiming);
            return Void();
        }
        const auto launched = V1_2::utils::convert(info->first);
        const auto fenced = V1_2::utils::convert(info->second);
        if (launched.ok() && fenced.ok()) {
            callback(V1_3::ErrorStatus::NONE, *launched, *fenced);
        } else {
            callback(V1_3::ErrorStatus::GENERAL_FAILURE, kNoTiming, kNoTiming);
        }
        return Void();
    }

   private:
    const nn::ExecuteFencedInfoCallback mInfo;
};

}  // namespace

V1_0::ErrorStatus oldCode(nn::ErrorStatus code) {
    const auto converted = V1_0::utils::convert(code);
    return converted.ok() ? *converted : V1_0::ErrorStatus::GENERAL_FAILURE;
}
V1_3::ErrorStatus newCode(nn::ErrorStatus code) {
    const auto converted = V1_3::utils::convert(code);
    return converted.ok() ? *converted : V1_3::ErrorStatus::GENERAL_FAILURE;
}

// ---- with a callback

nn::hidl::Return<V1_0::ErrorStatus> HidlPreparedModel::execute(
        const V1_0::Request& request, const sp<V1_0::IExecutionCallback>& callback) {
    if (callback == nullptr) return V1_0::ErrorStatus::INVALID_ARGUMENT;
    const auto code = oldCode(run(*mCanonical, request, V1_2::MeasureTiming::NO).code);
    (void)callback->notify(code).isOk();
    return code;
}

nn::hidl::Return<V1_0::ErrorStatus> HidlPreparedModel::execute_1_2(
        const V1_0::Request& request, V1_2::MeasureTiming measure,
        const sp<V1_2::IExecutionCallback>& callback) {
    if (callback == nullptr) return V1_0::ErrorStatus::INVALID_ARGUMENT;
    const HidlResult result = run(*mCanonical, request, measure);
    (void)callback->notify_1_2(oldCode(result.code), result.shapes, result.timing).isOk();
    return oldCode(result.code);
}

nn::hidl::Return<V1_3::ErrorStatus> HidlPreparedModel::execute_1_3(
        const V1_3::Request& request, V1_2::MeasureTiming measure,
        const V1_3::OptionalTimePoint& deadline, const V1_3::OptionalTimeoutDuration& loopTimeout,
        const sp<V1_3::IExecutionCallback>& callback) {
    if (callback == nullptr) return V1_3::ErrorStatus::INVALID_ARGUMENT;
    const HidlResult result = run(*mCanonical, request, measure, deadline, loopTimeout);
    (void)callback->notify_1_3(newCode(result.code), result.shapes, result.timing).isOk();
    return newCode(result.code);
}

// ---- without

nn::hidl::Return<void> HidlPreparedModel::executeSynchronously(const V1_0::Request& request,
                                                               V1_2::MeasureTiming measure,
                                                               executeSynchronously_cb callback) {
    const HidlResult computed = run(*mCanonical, request, measure);
    callback(oldCode(computed.code), computed.shapes, computed.timing);
    return Void();
}

nn::hidl::Return<void> HidlPreparedModel::executeSynchronously_1_3(
        const V1_3::Request& request, V1_2::MeasureTiming measure,
        const V1_3::OptionalTimePoint& deadline, const V1_3::OptionalTimeoutDuration& loopTimeout,
        executeSynchronously_1_3_cb callback) {
    const HidlResult computed = run(*mCanonical, request, measure, deadline, loopTimeout);
    callback(newCode(computed.code), computed.shapes, computed.timing);
    return Void();
}

nn::hidl::Return<void> HidlPreparedModel::executeFenced(
        const V1_3::Request& request, const hidl_vec<hidl_handle>& waitFor,
        V1_2::MeasureTiming measure, const V1_3::OptionalTimePoint& deadline,
        const V1_3::OptionalTimeoutDuration& loopTimeout,
        const V1_3::OptionalTimeoutDuration& timeAfterFences, executeFenced_cb callback) {
    const auto executed = [&]() -> nn::GeneralResult<nn::ExecutedFenced> {
        NNAPI_ASSIGN_OR_RETURN(canonicalRequest, nn::convert(request));
        NNAPI_ASSIGN_OR_RETURN(canonicalMeasure, nn::convert(measure));
        NNAPI_ASSIGN_OR_RETURN(canonicalDeadline, nn::convert(deadline));
        NNAPI_ASSIGN_OR_RETURN(canonicalLoopTimeout, nn::convert(loopTimeout));
        NNAPI_ASSIGN_OR_RETURN(canonicalTimeAfter, nn::convert(timeAfterFences));
        NNAPI_ASSIGN_OR_RETURN(handles, nn::convert(waitFor));
        std::vector<nn::SyncFence> fences;
        for (nn::SharedHandle& handle : handles) {
            NNAPI_ASSIGN_OR_RETURN(fence, nn::SyncFence::create(std::move(handle)));
            fences.push_back(std::move(fence));
        }
        return mCanonical->executeFenced(canonicalRequest, fences, canonicalMeasure,
                                         canonicalDeadline, canonicalLoopTimeout,
                                         canonicalTimeAfter, {}, {});
    }();
    if (!executed.has_value()) {
        callback(newCode(executed.error().code), hidl_handle(nullptr), nullptr);
        return Void();
    }
    // A null handle is a signaled fence.
    const auto fence = V1_3::utils::convert(executed->first);
    if (fence.ok()) {
        callback(V1_3::ErrorStatus::NONE, *fence, new FencedCallback(executed->second));
    } else {
        callback(V1_3::ErrorStatus::GENERAL_FAILURE, hidl_handle(nullptr), nullptr);
    }
    return Void();
}

// ---- bursts

nn::hidl::Return<void> HidlPreparedModel::configureExecutionBurst(
        const sp<V1_2::IBurstCallback>& callback,
        const nn::hidl::MQDescriptorSync<V1_2::FmqRequestDatum>& requestChannel,
        const nn::hidl::MQDescriptorSync<V1_2::FmqResultDatum>& resultChannel,
        configureExecutionBurst_cb results) {
#if NPU_BURST
    const auto context = [&]() -> nn::GeneralResult<sp<V1_2::IBurstContext>> {
        NNAPI_ASSIGN_OR_RETURN(burst, mCanonical->configureExecutionBurst());
        return nn::hal::adapter::makeBurstContext(callback, requestChannel, resultChannel, burst,
                                                  std::chrono::microseconds(0));
    }();
    results(oldCode(context.error().code), context.has_value() ? *context : nullptr);
    return Void();
#else
    return V1_2::utils::serveBurst(this, callback, requestChannel, resultChannel, results);
#endif
}

}  // namespace npu_driver
