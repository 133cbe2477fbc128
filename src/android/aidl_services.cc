#include <fmt/format.h>

#include <unistd.h>

#include <chrono>
#include <optional>
#include <thread>

#include "android/binder_manager.h"
#include "android/binder_process.h"
#include "android/services.h"
#include "nnapi/driver/adapt.h"

namespace nn::hal::services {
namespace {

using aidl_hal::IDevice;
using SharedAidlDevice = std::shared_ptr<IDevice>;

// "npu" of "android.hardware.neuralnetworks.IDevice/npu".
std::optional<std::string> nameIn(const char* instance) {
    if (instance == nullptr) return std::nullopt;
    const std::string_view text(instance);
    const std::string prefix = fmt::format("{}/", IDevice::descriptor);
    if (!text.starts_with(prefix) || text.size() == prefix.size()) return std::nullopt;
    return std::string(text.substr(prefix.size()));
}

// Keeps the proxy of a device; no other object does.
class ProxyBinder final : public AIBinder {
   public:
    explicit ProxyBinder(SharedAidlDevice device) : mDevice(std::move(device)) {}
    bool isRemote() const override { return true; }
    std::shared_ptr<ndk::ICInterface> objectOf(std::string_view descriptor) const override {
        return descriptor == IDevice::descriptor ? mDevice : nullptr;
    }

   private:
    SharedAidlDevice mDevice;
};

AIBinder* withReference(AIBinder* binder) {
    AIBinder_incStrong(binder);
    return binder;
}

AIBinder* findAidl(const std::string& name) {
    for (const Service& service : registered()) {
        const auto* driver = std::get_if<SharedAidlDevice>(&service.driver);
        if (service.name != name || driver == nullptr) continue;
        return withReference((*driver)->asBinder().get());
    }
    SharedDevice device = find(name);
    if (device == nullptr) return nullptr;
    auto driver = adapter::adaptAidl(std::move(device));
    if (!driver.has_value()) return nullptr;
    return withReference(std::make_shared<ProxyBinder>(*std::move(driver)).get());
}

// Looks again and again until there is one, or until then.
AIBinder* waitFor(const char* instance, OptionalTimePoint until) {
    const auto name = nameIn(instance);
    if (!name) return nullptr;
    while (true) {
        AIBinder* const found = findAidl(*name);
        if (found != nullptr || (until && Clock::now() >= *until)) return found;
        std::this_thread::sleep_for(std::chrono::milliseconds(20));
    }
}

}  // namespace
}  // namespace nn::hal::services

using namespace nn::hal::services;

binder_exception_t AServiceManager_addService(AIBinder* binder, const char* instance) {
    if (binder == nullptr || instance == nullptr) return EX_NULL_POINTER;
    const auto name = nameIn(instance);
    auto object = std::static_pointer_cast<nn::aidl_hal::IDevice>(
            binder->objectOf(nn::aidl_hal::IDevice::descriptor));
    if (!name || object == nullptr) return EX_ILLEGAL_ARGUMENT;
    const nn::Status added = add(*name, std::move(object));
    if (added.ok()) return STATUS_OK;
    return nn::errorStatus(added) == nn::ErrorStatus::INVALID_ARGUMENT ? EX_ILLEGAL_ARGUMENT
                                                                       : EX_ILLEGAL_STATE;
}

binder_exception_t AServiceManager_registerLazyService(AIBinder* binder, const char* instance) {
    return AServiceManager_addService(binder, instance);
}

AIBinder* AServiceManager_checkService(const char* instance) {
    return waitFor(instance, nn::TimePoint());
}

AIBinder* AServiceManager_getService(const char* instance) {
    return waitFor(instance, nn::Clock::now() + std::chrono::seconds(5));
}

AIBinder* AServiceManager_waitForService(const char* instance) { return waitFor(instance, {}); }

bool AServiceManager_isDeclared(const char* instance) {
    const auto name = nameIn(instance);
    return name && isKnown(*name);
}

void AServiceManager_forEachDeclaredInstance(const char* interface, void* context,
                                             void (*callback)(const char* instance,
                                                              void* context)) {
    if (interface == nullptr || callback == nullptr) return;
    if (std::string_view(interface) != nn::aidl_hal::IDevice::descriptor) return;
    for (const std::string& name : names()) callback(name.c_str(), context);
}

bool ABinderProcess_setThreadPoolMaxThreadCount(uint32_t numThreads) {
    configureThreads(numThreads, /*callerWillStart=*/true);
    return true;
}

void ABinderProcess_startThreadPool() { startThreads(); }

void ABinderProcess_joinThreadPool() { joinThreads(); }

uid_t AIBinder_getCallingUid() { return geteuid(); }
pid_t AIBinder_getCallingPid() { return getpid(); }
