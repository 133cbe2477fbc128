// nnapi/hal/aidl/ProtectCallback.h -- notifies callbacks when an AIDL driver dies, by Android's
// names.
//
//   const DeathHandler handler = NN_TRY(DeathHandler::create(device));
//   const auto scoped = handler.protectCallback(callback.get());
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <mutex>
#include <utility>
#include <vector>

#include <android-base/scopeguard.h>
#include <android/binder_auto_utils.h>
#include <android/binder_interface_utils.h>

#include "nnapi/Result.h"
#include "nnapi/Types.h"
#include "nnapi/hal/CommonUtils.h"
#include "nnapi/hal/ProtectCallback.h"

namespace nnapi_android {
class Relay;
}

namespace aidl::android::hardware::neuralnetworks::utils {

using hal::utils::IProtectedCallback;

// The callbacks to notify of a death, each once. Thread-safe.
class DeathMonitor final {
   public:
    explicit DeathMonitor(uintptr_t cookieKey) : kCookieKey(cookieKey) {}

    // Notifies all callbacks. `cookie` is a DeathMonitor.
    static void serviceDied(void* cookie) { static_cast<DeathMonitor*>(cookie)->serviceDied(); }
    void serviceDied();

    // Callbacks are not null. A callback that is added after the death is notified at once.
    void add(IProtectedCallback* killable) const;
    // The callback is not called any more after this returns. A callback may remove itself.
    void remove(IProtectedCallback* killable) const;

    uintptr_t getCookieKey() const { return kCookieKey; }

   private:
    const uintptr_t kCookieKey;
    mutable std::mutex mMutex{};
    mutable std::vector<std::shared_ptr<::nnapi_android::Relay>> mRelays{};
    bool mIsDead = false;
};

class DeathHandler final {
   public:
    static nn::GeneralResult<DeathHandler> create(
            const std::shared_ptr<::ndk::ICInterface>& object);

    using Cleanup = std::function<void()>;

    // Notifies the callback, which is not null, until the guard is destroyed.
    [[nodiscard]] ::android::base::ScopeGuard<Cleanup> protectCallback(
            IProtectedCallback* killable) const;
    // The same for good: the callback lives longer than this object.
    void protectCallbackForLifetimeOfDeathHandler(IProtectedCallback* killable) const {
        kDeathMonitor->add(killable);
    }

    std::shared_ptr<DeathMonitor> getDeathMonitor() const { return kDeathMonitor; }

   private:
    DeathHandler(::nn::hal::utils::DeathHandler handler, std::shared_ptr<DeathMonitor> monitor)
        : kDeathMonitor(std::move(monitor)), mHandler(std::move(handler)) {}

    std::shared_ptr<DeathMonitor> kDeathMonitor;
    ::nn::hal::utils::DeathHandler mHandler;  // notifies the monitor
};

}  // namespace aidl::android::hardware::neuralnetworks::utils
