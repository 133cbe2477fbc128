#include "nnapi/hal/aidl/ProtectCallback.h"

#include <algorithm>

namespace aidl::android::hardware::neuralnetworks::utils {

void DeathMonitor::serviceDied() {
    const std::lock_guard lock(mMutex);  // so that none is destroyed meanwhile
    for (IProtectedCallback* callback : mCallbacks) callback->notifyAsDeadObject();
}

void DeathMonitor::add(IProtectedCallback* killable) const {
    const std::lock_guard lock(mMutex);
    mCallbacks.push_back(killable);
}

void DeathMonitor::remove(IProtectedCallback* killable) const {
    const std::lock_guard lock(mMutex);
    const auto found = std::find(mCallbacks.begin(), mCallbacks.end(), killable);
    if (found != mCallbacks.end()) mCallbacks.erase(found);
}

nn::GeneralResult<DeathHandler> DeathHandler::create(
        const std::shared_ptr<::ndk::ICInterface>& object) {
    hal::utils::DeathHandler handler = NN_TRY(hal::utils::DeathHandler::create(object));
    auto monitor = std::make_shared<DeathMonitor>(reinterpret_cast<uintptr_t>(object.get()));
    handler.protectCallbackForLifetimeOfDeathHandler(monitor.get());
    return DeathHandler(std::move(handler), std::move(monitor));
}

::android::base::ScopeGuard<DeathHandler::Cleanup> DeathHandler::protectCallback(
        IProtectedCallback* killable) const {
    kDeathMonitor->add(killable);
    return ::android::base::make_scope_guard(
            Cleanup([monitor = kDeathMonitor, killable] { monitor->remove(killable); }));
}

}  // namespace aidl::android::hardware::neuralnetworks::utils
