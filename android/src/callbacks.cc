// The waits of the callbacks of all HAL versions.

#include "nnapi_android/callbacks.h"

#include <chrono>

#include "nnapi/convert.h"
#include "nnapi/driver/wrap.h"

namespace nnapi_android {

namespace {

using ::nn::hidl::sp;

template <class Pending>
auto take(const Pending& pending, const char* call) {
    return pending.take(::nn::hal::utils::WaitPolicy({}, std::chrono::minutes(5)), call);
}

}  // namespace

::nn::GeneralResult<::nn::SharedPreparedModel> await(
        const ::nn::hal::utils::PendingPreparedModel& pending, bool executeSynchronously) {
    const sp<::nn::V1_0::IPreparedModel> oldest = NN_TRY(take(pending, "prepareModel"));
    const auto newest = ::nn::V1_3::IPreparedModel::castFrom(oldest);
    if (newest.isOk()) {
        if (const sp<::nn::V1_3::IPreparedModel> model = newest; model != nullptr) {
            return ::nn::V1_3::utils::PreparedModel::create(model, executeSynchronously);
        }
    }
    const auto newer = ::nn::V1_2::IPreparedModel::castFrom(oldest);
    if (newer.isOk()) {
        if (const sp<::nn::V1_2::IPreparedModel> model = newer; model != nullptr) {
            return ::nn::V1_2::utils::PreparedModel::create(model, executeSynchronously);
        }
    }
    return ::nn::V1_0::utils::PreparedModel::create(oldest);
}

::nn::GeneralResult<::nn::SharedPreparedModel> await(
        const ::nn::hal::utils::AidlPendingPreparedModel& pending) {
    const std::shared_ptr<::nn::aidl_hal::IPreparedModel> model =
            NN_TRY(take(pending, "prepareModel"));
    int32_t version = 0;
    const auto queried = model->getInterfaceVersion(&version);
    if (!queried.isOk()) return ::nn::hal::utils::failureOf(queried);
    switch (version) {
        case 1:
            return ::nn::AIDL1::utils::PreparedModel::create(model);
        case 2:
            return ::nn::AIDL2::utils::PreparedModel::create(model);
        case 3:
            return ::nn::AIDL3::utils::PreparedModel::create(model);
        default:
            return ::nn::AIDL4::utils::PreparedModel::create(model);
    }
}

ExecutionData await(const ::nn::hal::utils::PendingExecution& pending) {
    const ::nn::hal::utils::ExecutionReport report = NN_TRY(take(pending, "execute"));
    std::vector<::nn::OutputShape> shapes;
    if (report.outputShapes) shapes = NN_TRY(*report.outputShapes);
    if (report.code == ::nn::ErrorStatus::OUTPUT_INSUFFICIENT_SIZE) {
        return ::nn::ExecutionError("an output is too small", report.code, std::move(shapes));
    }
    if (report.code != ::nn::ErrorStatus::NONE) {
        return NN_ERROR(report.code) << "the execution fails";
    }
    return std::make_pair(std::move(shapes), NN_TRY(report.timing));
}

}  // namespace nnapi_android
