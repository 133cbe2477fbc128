// nnapi/hal/v1_1_interfaces.h -- Driver interfaces of HAL 1.1: additions to 1.0.
//
//   nn::hidl::sp<nn::V1_1::IDevice> device = nn::V1_1::IDevice::castFrom(older);
//
// See v1_0_interfaces.h. Source: neuralnetworks/1.1.
#pragma once

#include "nnapi/hal/v1_0_interfaces.h"
#include "nnapi/hal/v1_1.h"

namespace nn::V1_1 {

using hidl::Return;
using hidl::sp;

class IDevice : public V1_0::IDevice {
   public:
    NNAPI_HIDL_INTERFACE(IDevice, V1_0::IDevice, "android.hardware.neuralnetworks@1.1::IDevice")
    NNAPI_HIDL_SERVICE(IDevice)

    using getCapabilities_1_1_cb =
            std::function<void(V1_0::ErrorStatus status, const Capabilities& capabilities)>;
    using getSupportedOperations_1_1_cb = std::function<void(
            V1_0::ErrorStatus status, const hidl_vec<bool>& supportedOperations)>;

    virtual Return<void> getCapabilities_1_1(getCapabilities_1_1_cb callback) = 0;
    virtual Return<void> getSupportedOperations_1_1(const Model& model,
                                                    getSupportedOperations_1_1_cb callback) = 0;
    virtual Return<V1_0::ErrorStatus> prepareModel_1_1(
            const Model& model, ExecutionPreference preference,
            const sp<V1_0::IPreparedModelCallback>& callback) = 0;
};

}  // namespace nn::V1_1
