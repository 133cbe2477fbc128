#define LOG_TAG "lanes-service-1"

#include <LegacyUtils.h>
#include <android-base/logging.h>
#include <android/binder_interface_utils.h>
#include <android/binder_manager.h>
#include <android/binder_process.h>

#include <cstdlib>
#include <string>

#include "Driver.h"

int main(int /*argc*/, char** argv) {
    ::android::base::InitLogging(argv);
    ::android::nn::initVLogMask();
    constexpr size_t kNumberOfThreads = 4;
    ABinderProcess_setThreadPoolMaxThreadCount(kNumberOfThreads);

    const auto device = ndk::SharedRefBase::make<vendor::lanes::Device>("vendor-aidl1");
    const std::string name = std::string(vendor::lanes::Device::descriptor) + "/vendor-aidl1";
    const binder_status_t status =
            AServiceManager_addService(device->asBinder().get(), name.c_str());
    if (status != STATUS_OK) {
        LOG(ERROR) << "the service " << name << " cannot be added: " << status;
        return EXIT_FAILURE;
    }
    ABinderProcess_joinThreadPool();
    return EXIT_FAILURE;
}
