// nnapi/hal/v1_2_interfaces.h -- Driver interfaces of HAL 1.2: additions to 1.1.
//
//   preparedModel->executeSynchronously(request, nn::V1_2::MeasureTiming::NO,
//           [&](auto status, const auto& outputShapes, const auto& timing) { ... });
//
// See v1_0_interfaces.h. Source: neuralnetworks/1.2.
#pragma once

#include "nnapi/hal/hidl/queue_descriptor.h"
#include "nnapi/hal/v1_1_interfaces.h"
#include "nnapi/hal/v1_2.h"

namespace nn::V1_2 {

using hidl::hidl_handle;
using hidl::MQDescriptorSync;
using hidl::Return;
using hidl::sp;

class IPreparedModel;

class IExecutionCallback : public V1_0::IExecutionCallback {
   public:
    NNAPI_HIDL_INTERFACE(IExecutionCallback, V1_0::IExecutionCallback,
                         "android.hardware.neuralnetworks@1.2::IExecutionCallback")

    // Replaces notify. Shapes are empty unless the status is NONE or OUTPUT_INSUFFICIENT_SIZE.
    virtual Return<void> notify_1_2(ErrorStatus status, const hidl_vec<OutputShape>& outputShapes,
                                    const Timing& timing) = 0;
};

class IPreparedModelCallback : public V1_0::IPreparedModelCallback {
   public:
    NNAPI_HIDL_INTERFACE(IPreparedModelCallback, V1_0::IPreparedModelCallback,
                         "android.hardware.neuralnetworks@1.2::IPreparedModelCallback")

    // Replaces notify.
    virtual Return<void> notify_1_2(ErrorStatus status,
                                    const sp<IPreparedModel>& preparedModel) = 0;
};

// The client's side of a burst: provides the memory of a slot.
class IBurstCallback : public hidl::IBase {
   public:
    NNAPI_HIDL_INTERFACE(IBurstCallback, hidl::IBase,
                         "android.hardware.neuralnetworks@1.2::IBurstCallback")

    using getMemories_cb =
            std::function<void(ErrorStatus status, const hidl_vec<hidl_memory>& buffers)>;

    // One memory for each slot, or none and an error.
    virtual Return<void> getMemories(const hidl_vec<int32_t>& slots, getMemories_cb callback) = 0;
};

// The driver's side of a burst; lives as long as the burst.
class IBurstContext : public hidl::IBase {
   public:
    NNAPI_HIDL_INTERFACE(IBurstContext, hidl::IBase,
                         "android.hardware.neuralnetworks@1.2::IBurstContext")

    // The client no longer uses the slot.
    virtual Return<void> freeMemory(int32_t slot) = 0;
};

class IPreparedModel : public V1_0::IPreparedModel {
   public:
    NNAPI_HIDL_INTERFACE(IPreparedModel, V1_0::IPreparedModel,
                         "android.hardware.neuralnetworks@1.2::IPreparedModel")

    using executeSynchronously_cb = std::function<void(
            ErrorStatus status, const hidl_vec<OutputShape>& outputShapes, const Timing& timing)>;
    using configureExecutionBurst_cb =
            std::function<void(ErrorStatus status, const sp<IBurstContext>& context)>;

    virtual Return<ErrorStatus> execute_1_2(const Request& request, MeasureTiming measure,
                                            const sp<IExecutionCallback>& callback) = 0;
    virtual Return<void> executeSynchronously(const Request& request, MeasureTiming measure,
                                              executeSynchronously_cb callback) = 0;
    virtual Return<void> configureExecutionBurst(
            const sp<IBurstCallback>& callback,
            const MQDescriptorSync<FmqRequestDatum>& requestChannel,
            const MQDescriptorSync<FmqResultDatum>& resultChannel,
            configureExecutionBurst_cb results) = 0;
};

class IDevice : public V1_1::IDevice {
   public:
    NNAPI_HIDL_INTERFACE(IDevice, V1_1::IDevice, "android.hardware.neuralnetworks@1.2::IDevice")
    NNAPI_HIDL_SERVICE(IDevice)

    using getVersionString_cb = std::function<void(ErrorStatus status, const hidl_string& version)>;
    using getType_cb = std::function<void(ErrorStatus status, DeviceType type)>;
    using getCapabilities_1_2_cb =
            std::function<void(ErrorStatus status, const Capabilities& capabilities)>;
    using getSupportedExtensions_cb =
            std::function<void(ErrorStatus status, const hidl_vec<Extension>& extensions)>;
    using getSupportedOperations_1_2_cb =
            std::function<void(ErrorStatus status, const hidl_vec<bool>& supportedOperations)>;
    using getNumberOfCacheFilesNeeded_cb =
            std::function<void(ErrorStatus status, uint32_t numModelCache, uint32_t numDataCache)>;

    virtual Return<void> getVersionString(getVersionString_cb callback) = 0;
    virtual Return<void> getType(getType_cb callback) = 0;
    virtual Return<void> getCapabilities_1_2(getCapabilities_1_2_cb callback) = 0;
    virtual Return<void> getSupportedExtensions(getSupportedExtensions_cb callback) = 0;
    virtual Return<void> getSupportedOperations_1_2(const Model& model,
                                                    getSupportedOperations_1_2_cb callback) = 0;
    virtual Return<void> getNumberOfCacheFilesNeeded(getNumberOfCacheFilesNeeded_cb callback) = 0;
    virtual Return<ErrorStatus> prepareModel_1_2(const Model& model, ExecutionPreference preference,
                                                 const hidl_vec<hidl_handle>& modelCache,
                                                 const hidl_vec<hidl_handle>& dataCache,
                                                 const HidlToken& token,
                                                 const sp<IPreparedModelCallback>& callback) = 0;
    virtual Return<ErrorStatus> prepareModelFromCache(
            const hidl_vec<hidl_handle>& modelCache, const hidl_vec<hidl_handle>& dataCache,
            const HidlToken& token, const sp<IPreparedModelCallback>& callback) = 0;
};

}  // namespace nn::V1_2
