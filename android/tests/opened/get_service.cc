// A HIDL device exported through the function that the runtime of ChromeOS calls.
#include "device.h"

using android::sp;
using android::hardware::neuralnetworks::V1_0::IDevice;

sp<IDevice> IDevice::getService(const std::string& name, bool /*getStub*/) {
    return new android::hardware::neuralnetworks::V1_0::implementation::Device(name.c_str());
}
