// nnapi/hal/v1_0_interfaces.h -- Driver interfaces of HAL 1.0.
//
//   class Driver : public nn::V1_0::IDevice {
//       nn::hidl::Return<void> getCapabilities(getCapabilities_cb callback) override {
//           callback(nn::V1_0::ErrorStatus::NONE, capabilities);
//           return nn::hidl::Void();
//       }
//       ...
//   };
//
// Spelled as HIDL generates them. A method with several results passes them to a callback, once,
// before it returns. Methods may be called from any thread, concurrently. docs/drivers.md lists the
// duties of a driver and explains how to use one. Source: neuralnetworks/1.0.
#pragma once

#include <functional>

#include "nnapi/hal/hidl/base.h"
#include "nnapi/hal/v1_0.h"

namespace nn::V1_0 {

using hidl::Return;
using hidl::sp;

class IPreparedModel;

class IExecutionCallback : public hidl::IBase {
   public:
    NNAPI_HIDL_INTERFACE(IExecutionCallback, hidl::IBase,
                         "android.hardware.neuralnetworks@1.0::IExecutionCallback")

    // Called once for each execution, even if its launch failed.
    virtual Return<void> notify(ErrorStatus status) = 0;
};

class IPreparedModelCallback : public hidl::IBase {
   public:
    NNAPI_HIDL_INTERFACE(IPreparedModelCallback, hidl::IBase,
                         "android.hardware.neuralnetworks@1.0::IPreparedModelCallback")

    // Called once for each preparation, even if its launch failed; null unless the status is NONE.
    virtual Return<void> notify(ErrorStatus status, const sp<IPreparedModel>& preparedModel) = 0;
};

class IPreparedModel : public hidl::IBase {
   public:
    NNAPI_HIDL_INTERFACE(IPreparedModel, hidl::IBase,
                         "android.hardware.neuralnetworks@1.0::IPreparedModel")

    // Launches an execution; the callback reports its end.
    virtual Return<ErrorStatus> execute(const Request& request,
                                        const sp<IExecutionCallback>& callback) = 0;
};

class IDevice : public hidl::IBase {
   public:
    NNAPI_HIDL_INTERFACE(IDevice, hidl::IBase, "android.hardware.neuralnetworks@1.0::IDevice")
    NNAPI_HIDL_SERVICE(IDevice)

    using getCapabilities_cb =
            std::function<void(ErrorStatus status, const Capabilities& capabilities)>;
    using getSupportedOperations_cb =
            std::function<void(ErrorStatus status, const hidl_vec<bool>& supportedOperations)>;

    virtual Return<void> getCapabilities(getCapabilities_cb callback) = 0;
    // One entry for each operation.
    virtual Return<void> getSupportedOperations(const Model& model,
                                                getSupportedOperations_cb callback) = 0;
    // Launches a preparation; the callback reports its end.
    virtual Return<ErrorStatus> prepareModel(const Model& model,
                                             const sp<IPreparedModelCallback>& callback) = 0;
    virtual Return<DeviceStatus> getStatus() = 0;
};

}  // namespace nn::V1_0
