// The sample NPU as a device of HAL 1.0.
#ifndef SAMPLE_NPU_HAL_1_0_DEVICE_H
#define SAMPLE_NPU_HAL_1_0_DEVICE_H

#include <android/hardware/neuralnetworks/1.0/IDevice.h>
#include <android/hardware/neuralnetworks/1.0/IPreparedModelCallback.h>
#include <android/hardware/neuralnetworks/1.0/types.h>
#include <hidl/Status.h>

#include <string>

namespace android::hardware::neuralnetworks::V1_0::implementation {

class Device : public IDevice {
   public:
    explicit Device(const char* name) : mName(name) {}

    Return<void> getCapabilities(getCapabilities_cb cb) override;
    Return<void> getSupportedOperations(const Model& model, getSupportedOperations_cb cb) override;
    Return<ErrorStatus> prepareModel(const Model& model,
                                     const sp<IPreparedModelCallback>& callback) override;
    Return<DeviceStatus> getStatus() override;

    const std::string& name() const { return mName; }

   private:
    const std::string mName;
};

}  // namespace android::hardware::neuralnetworks::V1_0::implementation

#endif  // SAMPLE_NPU_HAL_1_0_DEVICE_H
