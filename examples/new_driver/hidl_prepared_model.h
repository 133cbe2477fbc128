// A prepared model for clients of HIDL.
#pragma once

#include <vector>

#include "nnapi/driver/interfaces.h"
#include "nnapi/hal/v1_3_interfaces.h"

namespace npu_driver {

// The codes of HAL 1.0 to 1.2 and of 1.3; older versions get GENERAL_FAILURE for those they lack.
nn::V1_0::ErrorStatus oldCode(nn::ErrorStatus code);
nn::V1_3::ErrorStatus newCode(nn::ErrorStatus code);
template <class Code>
Code codeAs(nn::ErrorStatus code) {
    if constexpr (std::is_same_v<Code, nn::V1_0::ErrorStatus>) {
        return oldCode(code);
    } else {
        return newCode(code);
    }
}

// Executions take place in the calling thread, before the call returns.
class HidlPreparedModel final : public nn::V1_3::IPreparedModel {
   public:
    template <class T>
    using Return = nn::hidl::Return<T>;
    template <class T>
    using sp = nn::hidl::sp<T>;

    explicit HidlPreparedModel(nn::SharedPreparedModel canonical)
        : mCanonical(std::move(canonical)) {}

    const nn::SharedPreparedModel& canonical() const { return mCanonical; }

    // FILL IN: threads, so that these return before the execution has ended. Each callback is
    // called exactly once.
    Return<nn::V1_0::ErrorStatus> execute(
            const nn::V1_0::Request& request,
            const sp<nn::V1_0::IExecutionCallback>& callback) override;
    Return<nn::V1_0::ErrorStatus> execute_1_2(
            const nn::V1_0::Request& request, nn::V1_2::MeasureTiming measure,
            const sp<nn::V1_2::IExecutionCallback>& callback) override;
    Return<nn::V1_3::ErrorStatus> execute_1_3(
            const nn::V1_3::Request& request, nn::V1_2::MeasureTiming measure,
            const nn::V1_3::OptionalTimePoint& deadline,
            const nn::V1_3::OptionalTimeoutDuration& loopTimeout,
            const sp<nn::V1_3::IExecutionCallback>& callback) override;

    Return<void> executeSynchronously(const nn::V1_0::Request& request,
                                      nn::V1_2::MeasureTiming measure,
                                      executeSynchronously_cb callback) override;
    Return<void> executeSynchronously_1_3(const nn::V1_3::Request& request,
                                          nn::V1_2::MeasureTiming measure,
                                          const nn::V1_3::OptionalTimePoint& deadline,
                                          const nn::V1_3::OptionalTimeoutDuration& loopTimeout,
                                          executeSynchronously_1_3_cb callback) override;
    Return<void> executeFenced(const nn::V1_3::Request& request,
                               const nn::hidl::hidl_vec<nn::hidl::hidl_handle>& waitFor,
                               nn::V1_2::MeasureTiming measure,
                               const nn::V1_3::OptionalTimePoint& deadline,
                               const nn::V1_3::OptionalTimeoutDuration& loopTimeout,
                               const nn::V1_3::OptionalTimeoutDuration& timeAfterFences,
                               executeFenced_cb callback) override;
    Return<void> configureExecutionBurst(
            const sp<nn::V1_2::IBurstCallback>& callback,
            const nn::hidl::MQDescriptorSync<nn::V1_2::FmqRequestDatum>& requestChannel,
            const nn::hidl::MQDescriptorSync<nn::V1_2::FmqResultDatum>& resultChannel,
            configureExecutionBurst_cb results) override;

   private:
    const nn::SharedPreparedModel mCanonical;
};

}  // namespace npu_driver
