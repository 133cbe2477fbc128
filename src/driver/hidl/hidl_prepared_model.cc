#include "driver/hidl/hidl_prepared_model.h"

#include "driver/hidl/burst_client.h"
#include "driver/wrap/execution_report.h"
#include "driver/wrap/versioned_arguments.h"
#include "nnapi/driver/callbacks.h"
#include "nnapi/driver/default_burst.h"

namespace nn::driver {

namespace {

using nn::hidl::hidl_handle;
using nn::hidl::hidl_vec;
using nn::hidl::Return;
using nn::hidl::sp;

// The status of a launch. OUTPUT_INSUFFICIENT_SIZE is not a failure here: the callback reports the
// shapes.
template <class HalErrorStatus>
Status launched(const Return<HalErrorStatus>& returned, std::string_view call) {
    if (returned.isOk() &&
        static_cast<HalErrorStatus>(returned) == HalErrorStatus::OUTPUT_INSUFFICIENT_SIZE) {
        return {};
    }
    return hidl_calls::statusOf(returned, call);
}

// Executes with invoke(callback). Only the first report counts.
template <class HalErrorStatus, class Invoke>
GeneralResult<hal::utils::ExecutionReport> reported(std::string_view call, const Invoke& invoke) {
    std::optional<hal::utils::ExecutionReport> report;
    const auto returned = invoke([&report](HalErrorStatus status,
                                           const hidl_vec<V1_2::OutputShape>& shapes,
                                           const V1_2::Timing& timing) {
        if (report) return;
        report = makeReport(hidl_calls::codeOf(status), shapes, timing, hidl_calls::kNoTiming);
    });
    if (!returned.isOk()) return hidl_calls::failureOf(returned, call);
    if (!report) return hidl_calls::noResult(call);
    return *std::move(report);
}

const V1_0::Request& older(const HidlPreparedModel::Request& request) {
    return std::get<V1_0::Request>(request);
}
const V1_3::Request& newer(const HidlPreparedModel::Request& request) {
    return std::get<V1_3::Request>(request);
}

}  // namespace

HidlPreparedModel::HidlPreparedModel(const sp<V1_0::IPreparedModel>& driver)
    : mVersion(HalVersion::V1_0), mV1_0(driver) {}
HidlPreparedModel::HidlPreparedModel(const sp<V1_2::IPreparedModel>& driver)
    : mVersion(HalVersion::V1_2), mV1_0(driver), mV1_2(driver) {}
HidlPreparedModel::HidlPreparedModel(const sp<V1_3::IPreparedModel>& driver)
    : mVersion(HalVersion::V1_3), mV1_0(driver), mV1_2(driver), mV1_3(driver) {}

HidlPreparedModel HidlPreparedModel::cast(const sp<V1_0::IPreparedModel>& driver,
                                          HalVersion newest) {
    if (newest >= HalVersion::V1_3) {
        const sp<V1_3::IPreparedModel> newer = V1_3::IPreparedModel::castFrom(driver);
        if (newer != nullptr) return HidlPreparedModel(newer);
    }
    if (newest >= HalVersion::V1_2) {
        const sp<V1_2::IPreparedModel> newer = V1_2::IPreparedModel::castFrom(driver);
        if (newer != nullptr) return HidlPreparedModel(newer);
    }
    return HidlPreparedModel(driver);
}

std::any HidlPreparedModel::resource() const {
    if (mV1_3 != nullptr) return mV1_3;
    if (mV1_2 != nullptr) return mV1_2;
    return mV1_0;
}

Result<HidlPreparedModel::Request> HidlPreparedModel::convertRequest(HalVersion version,
                                                                     const nn::Request& request,
                                                                     Losses* losses) {
    if (version < HalVersion::V1_3) return convertFor<HalVersion::V1_2>(version, request, losses);
    return convertFor<HalVersion::V1_3>(version, request, losses);
}

std::string_view HidlPreparedModel::nameOfExecute() const {
    if (mV1_3 != nullptr) return "execute_1_3";
    return mV1_2 != nullptr ? "execute_1_2" : "execute";
}

Status HidlPreparedModel::execute(const Request& request, const ExecuteArguments& arguments,
                                  const SharedPending& pending) const {
    const auto& [measure, deadline, loopTimeoutDuration] = arguments;
    const std::string_view call = nameOfExecute();
    if (mV1_3 != nullptr) {
        return launched(mV1_3->execute_1_3(newer(request), measure, deadline, loopTimeoutDuration,
                                           sp<V1_3::utils::ExecutionCallback>::make(pending)),
                        call);
    }
    if (mV1_2 != nullptr) {
        return launched(mV1_2->execute_1_2(older(request), measure,
                                           sp<V1_2::utils::ExecutionCallback>::make(pending)),
                        call);
    }
    return launched(
            mV1_0->execute(older(request), sp<V1_0::utils::ExecutionCallback>::make(pending)),
            call);
}

std::string_view HidlPreparedModel::nameOfExecuteSynchronously(Execution) const {
    return mV1_3 != nullptr ? "executeSynchronously_1_3" : "executeSynchronously";
}

GeneralResult<hal::utils::ExecutionReport> HidlPreparedModel::executeSynchronously(
        Execution execution, const Request& request, const ExecuteArguments& arguments) const {
    const std::string_view call = nameOfExecuteSynchronously(execution);
    if (mV1_3 != nullptr) {
        return reported<V1_3::ErrorStatus>(call, [&](auto callback) {
            return mV1_3->executeSynchronously_1_3(newer(request), arguments.measure,
                                                   arguments.deadline,
                                                   arguments.loopTimeoutDuration, callback);
        });
    }
    return reported<V1_0::ErrorStatus>(call, [&](auto callback) {
        return mV1_2->executeSynchronously(older(request), arguments.measure, callback);
    });
}

GeneralResult<SharedBurst> HidlPreparedModel::configureExecutionBurst(
        SharedPreparedModel self, const WrapOptions& options,
        SharedOutputSignatures outputs) const {
    if (mV1_2 == nullptr) return SharedBurst(std::make_shared<const DefaultBurst>(std::move(self)));
    return hidl_calls::wrapBurst(std::move(self), mV1_2, options.burstPollingTimeWindow, options,
                                 std::move(outputs));
}

Result<std::tuple<hidl_handle, HidlPreparedModel::FencedInfo>> HidlPreparedModel::executeFenced(
        Execution execution, const Request& request, const Fences& waitFor,
        const ExecuteArguments& arguments, const V1_3::OptionalTimeoutDuration& duration) const {
    return hidl_calls::ask<V1_3::ErrorStatus, hidl_handle, FencedInfo>(
            nameOfExecuteFenced(execution), [&](auto callback) {
                return mV1_3->executeFenced(newer(request), waitFor, arguments.measure,
                                            arguments.deadline, arguments.loopTimeoutDuration,
                                            duration, callback);
            });
}

Result<SyncFence> HidlPreparedModel::fenceOf(const hidl_handle& handle) {
    if (handle.getNativeHandle() == nullptr) return SyncFence::createAsSignaled();
    NNAPI_ASSIGN_OR_RETURN(shared, convert(handle));
    return SyncFence::create(std::move(shared));
}

Result<std::tuple<V1_2::Timing, V1_2::Timing>> HidlPreparedModel::getExecutionInfo(
        const FencedInfo& callback) {
    return hidl_calls::ask<V1_3::ErrorStatus, V1_2::Timing, V1_2::Timing>(
            "getExecutionInfo", [&](auto put) { return callback->getExecutionInfo(put); });
}

}  // namespace nn::driver
