// Serves a canonical prepared model to clients of HAL 1.0 to 1.3.
#pragma once

#include <memory>

#include "driver/hidl/adapter.h"

namespace nn::hal::adapter {

// Decides which pools of HIDL requests are cached and compared. Not those whose handle is only
// borrowed, since the caller may reuse it, nor buffers. Pools with the same handle are the same.
struct SameHidlPools {
    using Pool = V1_3::Request::MemoryPool;

    // Only where copies share a handle: those of generated types never have the same.
    template <class AnyMemory>
    static bool isShared(const AnyMemory& memory) {
        if constexpr (requires { memory.ownsHandle(); }) return memory.ownsHandle();
        return false;
    }
    static bool isKept(const hidl_memory& memory) { return isShared(memory); }
    static bool isKept(const Pool& pool) {
        return pool.getDiscriminator() == Pool::hidl_discriminator::hidlMemory &&
               isKept(pool.hidlMemory());
    }
    static bool isSame(const hidl_memory& a, const hidl_memory& b) {
        return a.handle() == b.handle() && a.size() == b.size() && a.name() == b.name();
    }
    static bool isSame(const Pool& a, const Pool& b) {
        return isSame(a.hidlMemory(), b.hidlMemory());
    }
};

// For clients of HAL 1.0 to 1.2, and of 1.3.
struct RequestCaches {
    driver::RequestCache<V1_0::Request, Request, SameHidlPools> older{};
    driver::RequestCache<V1_3::Request, Request, SameHidlPools> newer{};
};

class PreparedModelAdapter final : public V1_3::IPreparedModel {
   public:
    // The signature is null if the model is unknown.
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
            configureExecutionBurst_cb results) override;
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
    PreparedModelAdapter(SharedContext context, SharedPreparedModel preparedModel,
                         std::shared_ptr<const Model> signature,
                         const driver::SharedOutputSignatures& outputs);
    template <HalVersion V>
    const SharedPreparedModel& executing() const {
        return V == HalVersion::V1_0 ? mCheckedForCodes : mChecked;
    }
    template <HalVersion V, class HalRequest>
    StatusOf<V> launchExecution(std::string_view call, const HalRequest& request,
                                V1_2::MeasureTiming measure,
                                const V1_3::OptionalTimePoint& deadline,
                                const V1_3::OptionalTimeoutDuration& loopTimeoutDuration,
                                const sp<ExecutionCallback<V>>& callback) const;
    template <HalVersion V, class HalRequest, class Callback>
    Return<void> executeNow(std::string_view call, const HalRequest& request,
                            V1_2::MeasureTiming measure, const V1_3::OptionalTimePoint& deadline,
                            const V1_3::OptionalTimeoutDuration& loopTimeoutDuration,
                            const Callback& callback) const;

    const SharedContext mContext;
    const SharedPreparedModel mPreparedModel;
    const std::shared_ptr<const Model> mSignature;
    // All executions use these, which check the results.
    const SharedPreparedModel mChecked;
    const SharedPreparedModel mCheckedForCodes;  // for HAL 1.0
    const RequestCaches mLastRequests{};
};

}  // namespace nn::hal::adapter
