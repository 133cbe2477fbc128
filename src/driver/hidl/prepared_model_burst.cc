// The bursts of a HIDL driver's own prepared model.
#include <memory>
#include <utility>

#include "base/no_throw.h"
#include "driver/hidl/adapter.h"
#include "driver/hidl/transport.h"
#include "nnapi/driver/burst.h"
#include "nnapi/driver/default_burst.h"

namespace nn {
namespace V1_2 NNAPI_BINDING::utils {

GeneralResult<hidl::sp<V1_2::IBurstContext>> serveBurst(
        const hidl::sp<V1_2::IPreparedModel>& preparedModel,
        const hidl::sp<V1_2::IBurstCallback>& callback,
        const hidl::MQDescriptorSync<V1_2::FmqRequestDatum>& requestChannel,
        const hidl::MQDescriptorSync<V1_2::FmqResultDatum>& resultChannel,
        std::chrono::microseconds pollingTimeWindow) NNAPI_TRY {
    if (preparedModel == nullptr) return error() << "the prepared model is null";
    const hidl::sp<V1_3::IPreparedModel> newer = V1_3::IPreparedModel::castFrom(preparedModel);
    NNAPI_ASSIGN_OR_RETURN(
            wrapped, newer != nullptr ? V1_3::utils::PreparedModel::create(newer, true)
                                      : V1_2::utils::PreparedModel::create(preparedModel, true));
    return hal::adapter::makeBurstContext(callback, requestChannel, resultChannel,
                                          std::make_shared<const DefaultBurst>(std::move(wrapped)),
                                          pollingTimeWindow);
}
NNAPI_CATCH

hidl::Return<void> serveBurst(const hidl::sp<V1_2::IPreparedModel>& preparedModel,
                              const hidl::sp<V1_2::IBurstCallback>& callback,
                              const hidl::MQDescriptorSync<V1_2::FmqRequestDatum>& requestChannel,
                              const hidl::MQDescriptorSync<V1_2::FmqResultDatum>& resultChannel,
                              const V1_2::IPreparedModel::configureExecutionBurst_cb& results,
                              std::chrono::microseconds pollingTimeWindow) {
    if (!results) return hal::adapter::rejectNullCallback();
    const auto context =
            serveBurst(preparedModel, callback, requestChannel, resultChannel, pollingTimeWindow);
    if (context.has_value()) {
        results(V1_0::ErrorStatus::NONE, *context);
    } else {
        results(driver::hidl_calls::halCodeOf(context.error().code), nullptr);
    }
    return hidl::Void();
}

}  // namespace NNAPI_BINDING::utils
}  // namespace nn
