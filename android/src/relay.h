// Relay -- a callback that outlives the callback that it notifies.
#pragma once

#include <condition_variable>
#include <mutex>
#include <thread>

#include "nnapi/driver/callbacks.h"

namespace nnapi_android {

// Notifies a callback that a death handler does not own. After detach() returns, the callback is
// not called any more. The callback itself may call detach(). Thread-safe.
class Relay final : public ::nn::hal::utils::IProtectedCallback {
    using Callback = ::nn::hal::utils::IProtectedCallback;

   public:
    explicit Relay(Callback* target) : mSubject(target), mTarget(target) {}

    void notifyAsDeadObject() override {
        Callback* const target = enter();
        if (target == nullptr) return;
        target->notifyAsDeadObject();
        const std::lock_guard lock(mMutex);
        mNotifier = {};
        mChanged.notify_all();
    }
    bool isOf(const Callback* target) const { return mSubject == target; }
    void detach() {
        std::unique_lock lock(mMutex);
        mTarget = nullptr;
        const std::thread::id nobody;
        while (mNotifier != nobody && mNotifier != std::this_thread::get_id()) mChanged.wait(lock);
    }

   private:
    Callback* enter() {
        const std::lock_guard lock(mMutex);
        if (mTarget != nullptr) mNotifier = std::this_thread::get_id();
        return mTarget;
    }

    const Callback* const mSubject;
    std::mutex mMutex{};
    std::condition_variable mChanged{};
    Callback* mTarget;
    std::thread::id mNotifier{};  // that is in the callback
};

}  // namespace nnapi_android
