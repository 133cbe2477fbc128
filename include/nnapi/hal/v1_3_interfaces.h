// nnapi/hal/v1_3_interfaces.h -- Driver interfaces of HAL 1.3: additions to 1.2.
//
//   nn::hidl::sp<nn::V1_3::IDevice> driver = new MyDriver();
//   nn::GeneralResult<nn::SharedDevice> device = nn::wrap("mine", driver);   // nnapi/driver/wrap.h
//
// The final revision. The early revision had no priorities, deadlines and device memory; see
// nnapi/driver/adapt.h. See v1_0_interfaces.h. Source: neuralnetworks/1.3.
#pragma once

#include "nnapi/hal/v1_2_interfaces.h"
#include "nnapi/hal/v1_3.h"

namespace nn::V1_3 {

using hidl::Return;
using hidl::sp;

class IPreparedModel;

class IExecutionCallback : public V1_2::IExecutionCallback {
   public:
    NNAPI_HIDL_INTERFACE(IExecutionCallback, V1_2::IExecutionCallback,
                         "android.hardware.neuralnetworks@1.3::IExecutionCallback")

    // Replaces notify and notify_1_2.
    virtual Return<void> notify_1_3(ErrorStatus status,
                                    const hidl_vec<V1_2::OutputShape>& outputShapes,
                                    const V1_2::Timing& timing) = 0;
};

class IPreparedModelCallback : public V1_2::IPreparedModelCallback {
   public:
    NNAPI_HIDL_INTERFACE(IPreparedModelCallback, V1_2::IPreparedModelCallback,
                         "android.hardware.neuralnetworks@1.3::IPreparedModelCallback")

    // Replaces notify and notify_1_2.
    virtual Return<void> notify_1_3(ErrorStatus status,
                                    const sp<IPreparedModel>& preparedModel) = 0;
};

// Returns status and timing of a fenced execution, once its fence is signaled.
class IFencedExecutionCallback : public hidl::IBase {
   public:
    NNAPI_HIDL_INTERFACE(IFencedExecutionCallback, hidl::IBase,
                         "android.hardware.neuralnetworks@1.3::IFencedExecutionCallback")

    using getExecutionInfo_cb =
            std::function<void(ErrorStatus status, const V1_2::Timing& timingLaunched,
                               const V1_2::Timing& timingFenced)>;

    virtual Return<void> getExecutionInfo(getExecutionInfo_cb callback) = 0;
};

// Device memory.
class IBuffer : public hidl::IBase {
   public:
    NNAPI_HIDL_INTERFACE(IBuffer, hidl::IBase, "android.hardware.neuralnetworks@1.3::IBuffer")

    virtual Return<ErrorStatus> copyTo(const hidl_memory& dst) = 0;
    virtual Return<ErrorStatus> copyFrom(const hidl_memory& src,
                                         const hidl_vec<uint32_t>& dimensions) = 0;
};

class IPreparedModel : public V1_2::IPreparedModel {
   public:
    NNAPI_HIDL_INTERFACE(IPreparedModel, V1_2::IPreparedModel,
                         "android.hardware.neuralnetworks@1.3::IPreparedModel")

    using executeSynchronously_1_3_cb =
            std::function<void(ErrorStatus status, const hidl_vec<V1_2::OutputShape>& outputShapes,
                               const V1_2::Timing& timing)>;
    using executeFenced_cb = std::function<void(ErrorStatus status, const hidl_handle& syncFence,
                                                const sp<IFencedExecutionCallback>& callback)>;

    virtual Return<ErrorStatus> execute_1_3(const Request& request, V1_2::MeasureTiming measure,
                                            const OptionalTimePoint& deadline,
                                            const OptionalTimeoutDuration& loopTimeoutDuration,
                                            const sp<IExecutionCallback>& callback) = 0;
    virtual Return<void> executeSynchronously_1_3(
            const Request& request, V1_2::MeasureTiming measure, const OptionalTimePoint& deadline,
            const OptionalTimeoutDuration& loopTimeoutDuration,
            executeSynchronously_1_3_cb callback) = 0;
    // Returns immediately; the handle is empty if the execution has already ended.
    virtual Return<void> executeFenced(const Request& request, const hidl_vec<hidl_handle>& waitFor,
                                       V1_2::MeasureTiming measure,
                                       const OptionalTimePoint& deadline,
                                       const OptionalTimeoutDuration& loopTimeoutDuration,
                                       const OptionalTimeoutDuration& duration,
                                       executeFenced_cb callback) = 0;
};

class IDevice : public V1_2::IDevice {
   public:
    NNAPI_HIDL_INTERFACE(IDevice, V1_2::IDevice, "android.hardware.neuralnetworks@1.3::IDevice")
    NNAPI_HIDL_SERVICE(IDevice)

    using getCapabilities_1_3_cb =
            std::function<void(ErrorStatus status, const Capabilities& capabilities)>;
    using getSupportedOperations_1_3_cb =
            std::function<void(ErrorStatus status, const hidl_vec<bool>& supportedOperations)>;
    using allocate_cb =
            std::function<void(ErrorStatus status, const sp<IBuffer>& buffer, uint32_t token)>;

    virtual Return<void> getCapabilities_1_3(getCapabilities_1_3_cb callback) = 0;
    virtual Return<void> getSupportedOperations_1_3(const Model& model,
                                                    getSupportedOperations_1_3_cb callback) = 0;
    virtual Return<ErrorStatus> prepareModel_1_3(
            const Model& model, V1_1::ExecutionPreference preference, Priority priority,
            const OptionalTimePoint& deadline, const hidl_vec<hidl_handle>& modelCache,
            const hidl_vec<hidl_handle>& dataCache, const HidlToken& token,
            const sp<IPreparedModelCallback>& callback) = 0;
    virtual Return<ErrorStatus> prepareModelFromCache_1_3(
            const OptionalTimePoint& deadline, const hidl_vec<hidl_handle>& modelCache,
            const hidl_vec<hidl_handle>& dataCache, const HidlToken& token,
            const sp<IPreparedModelCallback>& callback) = 0;
    virtual Return<void> allocate(const BufferDesc& desc,
                                  const hidl_vec<sp<IPreparedModel>>& preparedModels,
                                  const hidl_vec<BufferRole>& inputRoles,
                                  const hidl_vec<BufferRole>& outputRoles,
                                  allocate_cb callback) = 0;
};

}  // namespace nn::V1_3
