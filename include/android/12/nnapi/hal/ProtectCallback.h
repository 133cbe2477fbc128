// nnapi/hal/ProtectCallback.h -- callbacks that are notified when the process dies that must call
// them.
//
//   const auto callback = sp<PreparedModelCallback>::make();
//   const auto scoped = deathHandler.protectCallback(callback.get());
//   HANDLE_TRANSPORT_FAILURE(driver->prepareModel(model, callback));
//   return callback->get();
#pragma once

#include <functional>
#include <memory>
#include <utility>

#include <android-base/scopeguard.h>

#include "nnapi/Result.h"
#include "nnapi/driver/callbacks.h"

namespace android::hardware::neuralnetworks::utils {

using ::nn::hal::utils::IProtectedCallback;

// Notifies callbacks when an object dies: of HIDL, or of AIDL.
class DeathHandler final {
   public:
    static nn::GeneralResult<DeathHandler> create(const ::nn::hidl::sp<::nn::hidl::IBase>& object);
    static nn::GeneralResult<DeathHandler> create(
            const std::shared_ptr<::ndk::ICInterface>& object);

    using Cleanup = std::function<void()>;

    // Notifies the callback, which is not null, until the guard is destroyed; from then on it may
    // be destroyed too.
    [[nodiscard]] base::ScopeGuard<Cleanup> protectCallback(IProtectedCallback* killable) const;

    // The same for good: the callback lives longer than this object.
    void protectCallbackForLifetimeOfDeathHandler(IProtectedCallback* killable) const;

   private:
    explicit DeathHandler(::nn::hal::utils::DeathHandler handler) : mHandler(std::move(handler)) {}

    ::nn::hal::utils::DeathHandler mHandler;
};

}  // namespace android::hardware::neuralnetworks::utils
