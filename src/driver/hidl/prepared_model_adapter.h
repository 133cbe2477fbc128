// A canonical prepared model offered to clients of HAL 1.0 to 1.3.
#pragma once

#include <memory>

#include "driver/hidl/adapter.h"
#include "driver/hidl/last_request.h"

namespace nn::hal::adapter {

// Of a model, what its requests are validated by: the types and dimensions of inputs and outputs.
std::shared_ptr<const Model> signatureOf(const Model& model);

// Of clients of HAL 1.0 to 1.2, and of 1.3.
struct LastRequests {
    driver::hidl::LastRequest<V1_0::Request, Request> older{};
    driver::hidl::LastRequest<V1_3::Request, Request> newer{};
};

class PreparedModelAdapter final : public V1_3::IPreparedModel {
   public:
    // The signature is null where the model is not known.
    PreparedModelAdapter(SharedContext context, SharedPreparedModel preparedModel,
                         std::shared_ptr<const Model> signature);
    ~PreparedModelAdapter() override;

    const SharedPreparedModel& underlying() const { return mPreparedModel; }

    Return<V1_0::ErrorStatus> execute(const V1_0::Request& request,
                                      const sp<V1_0::IExecutionCallback>& callback) override;
    Return<V1_0::ErrorStatus> execute_1_2(const V1_0::Request& request, V1_2::MeasureTiming measure,
                                          const sp<V1_2::IExecutionCallback>& callback) override;
    Return<void> executeSynchronously(const V1_0::Request& request, V1_2::MeasureTiming measure,
                                      executeSynchronously_cb callback) override;
    Return<void> configureExecutionBurst(
            const sp<V1_2::IBurstCallback>& callback,
            const hidl::MQDescriptorSync<V1_2::FmqRequestDatum>& requestChannel,
            const hidl::MQDescriptorSync<V1_2::FmqResultDatum>& resultChannel,
            configureExecutionBurst_cb answer) override;
    Return<V1_3::ErrorStatus> execute_1_3(const V1_3::Request& request, V1_2::MeasureTiming measure,
                                          const V1_3::OptionalTimePoint& deadline,
                                          const V1_3::OptionalTimeoutDuration& loopTimeoutDuration,
                                          const sp<V1_3::IExecutionCallback>& callback) override;
    Return<void> executeSynchronously_1_3(const V1_3::Request& request, V1_2::MeasureTiming measure,
                                          const V1_3::OptionalTimePoint& deadline,
                                          const V1_3::OptionalTimeoutDuration& loopTimeoutDuration,
                                          executeSynchronously_1_3_cb callback) override;
    Return<void> executeFenced(const V1_3::Request& request, const hidl_vec<hidl_handle>& waitFor,
                               V1_2::MeasureTiming measure, const V1_3::OptionalTimePoint& deadline,
                               const V1_3::OptionalTimeoutDuration& loopTimeoutDuration,
                               const V1_3::OptionalTimeoutDuration& duration,
                               executeFenced_cb callback) override;

   private:
    template <HalVersion V, class HalRequest>
    StatusOf<V> launchExecution(std::string_view call, const HalRequest& request,
                                V1_2::MeasureTiming measure,
                                const V1_3::OptionalTimePoint& deadline,
                                const V1_3::OptionalTimeoutDuration& loopTimeoutDuration,
                                const sp<ExecutionCallback<V>>& callback) const;
    template <HalVersion V, class HalRequest, class Answer>
    Return<void> executeNow(std::string_view call, const HalRequest& request,
                            V1_2::MeasureTiming measure, const V1_3::OptionalTimePoint& deadline,
                            const V1_3::OptionalTimeoutDuration& loopTimeoutDuration,
                            const Answer& answer) const;

    const SharedContext mContext;
    const SharedPreparedModel mPreparedModel;
    const std::shared_ptr<const Model> mSignature;
    const LastRequests mLastRequests{};
};

}  // namespace nn::hal::adapter
