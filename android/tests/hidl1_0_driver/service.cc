#define LOG_TAG "sample-npu@1.0-service"

#include <hidl/HidlTransportSupport.h>
#include <log/log.h>

#include "Utils.h"
#include "device.h"

using android::OK;
using android::sp;
using android::status_t;
using android::hardware::configureRpcThreadpool;
using android::hardware::joinRpcThreadpool;
using android::hardware::neuralnetworks::V1_0::IDevice;
using android::hardware::neuralnetworks::V1_0::implementation::Device;

namespace {

constexpr size_t kThreads = 4;
constexpr char kDefaultName[] = "vendor-1.0";

}  // namespace

int main(int argc, char* argv[]) {
    android::nn::initVLogMask();
    const sp<Device> device = new Device(argc > 1 ? argv[1] : kDefaultName);
    configureRpcThreadpool(kThreads, /*callerWillJoin=*/true);
    const status_t registered = device->registerAsService(device->name());
    if (registered != OK) {
        ALOGE("%s cannot be registered: %d", device->name().c_str(), registered);
        return 1;
    }
    ALOGI("%s is ready", device->name().c_str());
    joinRpcThreadpool();
    ALOGE("the threads have ended");
    return 1;
}
