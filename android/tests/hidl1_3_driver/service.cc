#define LOG_TAG "sample-npu@1.3-service"

#include <android-base/logging.h>
#include <android-base/properties.h>
#include <hidl/HidlTransportSupport.h>

#include "Utils.h"
#include "device.h"

int main(int argc, char* argv[]) {
    android::base::InitLogging(argv);
    android::nn::initVLogMask();
    const android::sp<sample::npu::Device> device =
            new sample::npu::Device(argc > 1 ? argv[1] : "vendor-1.3");
    const auto threads = android::base::GetUintProperty<size_t>("sample.npu.threads", 4);
    android::hardware::configureRpcThreadpool(threads, true);
    if (device->registerAsService(device->name()) != android::OK) {
        LOG(ERROR) << device->name() << " cannot be registered";
        return 1;
    }
    LOG(INFO) << device->name() << " is ready, with " << threads << " threads";
    android::hardware::joinRpcThreadpool();
    LOG(ERROR) << "the threads have ended";
    return 1;
}
