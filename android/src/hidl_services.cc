#include <unistd.h>

#include "android/src/services.h"
#include "hidl/HidlTransportSupport.h"
#include "hidl/ServiceManagement.h"
#include "hwbinder/IPCThreadState.h"
#include "nnapi/driver/adapt.h"

namespace nn {
namespace hal::services {
namespace {

hidl::status_t registerHidl(const hidl::sp<V1_0::IDevice>& device, const std::string& name) {
    if (!callerWillStartThreads()) startThreads();
    const Status added = add(name, device);
    if (added.ok()) return hidl::OK;
    return errorStatus(added) == ErrorStatus::INVALID_ARGUMENT ? hidl::BAD_VALUE
                                                               : hidl::UNKNOWN_ERROR;
}

hidl::sp<V1_0::IDevice> findHidl(const std::string& name, bool getStub) {
    for (const Service& service : registered()) {
        const auto* driver = std::get_if<hidl::sp<V1_0::IDevice>>(&service.driver);
        if (service.name == name && driver != nullptr) return *driver;
    }
    if (getStub) return nullptr;
    SharedDevice device = find(name);
    if (device == nullptr) return nullptr;
    const auto driver = adapter::adapt(std::move(device));
    if (!driver.has_value()) return nullptr;
    return *driver;
}

}  // namespace
}  // namespace hal::services

// Weak: a shared object may define its own getService.
#define NNAPI_DEFINE_SERVICE(V)                                                              \
    __attribute__((weak)) hidl::sp<V::IDevice> V::IDevice::getService(                       \
            const std::string& serviceName, bool getStub) {                                  \
        return castFrom(hal::services::findHidl(serviceName, getStub)).withDefault(nullptr); \
    }                                                                                        \
    hidl::status_t V::IDevice::registerAsService(const std::string& serviceName) {           \
        return hal::services::registerHidl(hidl::sp<V1_0::IDevice>(this), serviceName);      \
    }
NNAPI_DEFINE_SERVICE(V1_0)
NNAPI_DEFINE_SERVICE(V1_1)
NNAPI_DEFINE_SERVICE(V1_2)
NNAPI_DEFINE_SERVICE(V1_3)
#undef NNAPI_DEFINE_SERVICE

}  // namespace nn

namespace android::hardware {

std::vector<std::string> getAllHalInstanceNames(const std::string& descriptor) {
    const bool isDevice = ::nn::V1_0::IDevice::descriptor == descriptor ||
                          ::nn::V1_1::IDevice::descriptor == descriptor ||
                          ::nn::V1_2::IDevice::descriptor == descriptor ||
                          ::nn::V1_3::IDevice::descriptor == descriptor;
    return isDevice ? ::nn::hal::services::names() : std::vector<std::string>();
}

void configureRpcThreadpool(size_t maxThreads, bool callerWillJoin) {
    ::nn::hal::services::configureThreads(maxThreads, callerWillJoin);
}

void joinRpcThreadpool() { ::nn::hal::services::joinThreads(); }

IPCThreadState* IPCThreadState::self() {
    static IPCThreadState state;
    return &state;
}

pid_t IPCThreadState::getCallingPid() const { return getpid(); }
uid_t IPCThreadState::getCallingUid() const { return geteuid(); }

}  // namespace android::hardware
