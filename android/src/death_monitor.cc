#include <algorithm>

#include "android/src/relay.h"
#include "nnapi/hal/aidl/ProtectCallback.h"

namespace aidl::android::hardware::neuralnetworks::utils {

using ::nnapi_android::Relay;

void DeathMonitor::serviceDied() {
    std::vector<std::shared_ptr<Relay>> relays;
    {
        const std::lock_guard lock(mMutex);
        if (std::exchange(mIsDead, true)) return;
        relays = mRelays;
    }
    for (const auto& relay : relays) relay->notifyAsDeadObject();
}

void DeathMonitor::add(IProtectedCallback* killable) const {
    const auto relay = std::make_shared<Relay>(killable);
    bool isDead = false;
    {
        const std::lock_guard lock(mMutex);
        mRelays.push_back(relay);
        isDead = mIsDead;
    }
    if (isDead) relay->notifyAsDeadObject();
}

void DeathMonitor::remove(IProtectedCallback* killable) const {
    std::shared_ptr<Relay> relay;
    {
        const std::lock_guard lock(mMutex);
        const auto found = std::find_if(mRelays.begin(), mRelays.end(),
                                        [&](const auto& each) { return each->isOf(killable); });
        if (found == mRelays.end()) return;
        relay = *found;
        mRelays.erase(found);
    }
    relay->detach();
}

nn::GeneralResult<DeathHandler> DeathHandler::create(
        const std::shared_ptr<::ndk::ICInterface>& object) {
    // Notifies the monitor, as one callback of the object.
    struct Notifier final : IProtectedCallback {
        explicit Notifier(std::shared_ptr<DeathMonitor> monitor) : kMonitor(std::move(monitor)) {}
        void notifyAsDeadObject() override { kMonitor->serviceDied(); }
        const std::shared_ptr<DeathMonitor> kMonitor;
    };
    auto handler = NN_TRY(::nn::hal::utils::DeathHandler::create(object));
    auto monitor = std::make_shared<DeathMonitor>(reinterpret_cast<uintptr_t>(object.get()));
    handler.protectCallbackForLifetimeOfDeathHandler(std::make_shared<Notifier>(monitor));
    return DeathHandler(std::move(handler), std::move(monitor));
}

::android::base::ScopeGuard<DeathHandler::Cleanup> DeathHandler::protectCallback(
        IProtectedCallback* killable) const {
    kDeathMonitor->add(killable);
    return ::android::base::make_scope_guard(
            Cleanup([monitor = kDeathMonitor, killable] { monitor->remove(killable); }));
}

}  // namespace aidl::android::hardware::neuralnetworks::utils
