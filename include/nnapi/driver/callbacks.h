// nnapi/driver/callbacks.h -- waiting for a driver that may die, hang or answer twice.
//
//   auto callback = nn::hidl::sp<nn::V1_3::utils::PreparedModelCallback>::make();
//   const auto hold = deathHandler.protectCallback(callback.get());
//   auto launched = driver->prepareModel_1_3(..., callback);
//   if (nn::Status failed = nn::hal::utils::failureOf(launched); !failed.ok()) return failed;
//   nn::GeneralResult<nn::SharedPreparedModel> prepared = callback->get(deadline);
//
// What wrappers are built of, for shims that call drivers by themselves. Thread-safe; no lock is
// held while a callback of somebody else runs.
#pragma once

#include <condition_variable>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <utility>
#include <vector>

#include "nnapi/driver/wrap.h"

namespace nn::hal::utils {

// The failure of a call on its way: DEAD_OBJECT for a dead object, GENERAL_FAILURE otherwise.
Status failureOf(const hidl::Status& transport);
template <class T>
Status failureOf(const hidl::Return<T>& answered) {
    return failureOf(answered.status());
}

// A value that one thread puts and another takes. The first one counts.
template <class T>
class TransferValue {
   public:
    // False where there was a value already.
    bool put(T value) const {
        {
            const std::lock_guard lock(mMutex);
            if (mWasPut) return false;
            mWasPut = true;
            mValue = std::move(value);
        }
        mCondition.notify_all();
        return true;
    }
    // Nothing where there is none until then, or where it was taken.
    std::optional<T> take(TimePoint end) const {
        std::unique_lock lock(mMutex);
        while (!mWasPut) {
            const Duration left = end - Clock::now();
            if (left <= Duration::zero()) return std::nullopt;
            mCondition.wait_for(lock, left);
        }
        return std::exchange(mValue, std::nullopt);
    }

   private:
    mutable std::mutex mMutex{};
    mutable std::condition_variable mCondition{};
    mutable std::optional<T> mValue{};
    mutable bool mWasPut = false;
};

// Whoever must learn that the process that owes an answer is gone.
class IProtectedCallback {
   public:
    virtual ~IProtectedCallback() = default;
    virtual void notifyAsDeadObject() = 0;
};

// Tells callbacks that are owed by an object when that object dies: each once, at once where it is
// dead already.
class DeathHandler {
   public:
    // INVALID_ARGUMENT for null; GENERAL_FAILURE or DEAD_OBJECT where the object takes no link.
    static GeneralResult<DeathHandler> create(const hidl::sp<hidl::IBase>& object);
    DeathHandler(DeathHandler&&) noexcept;
    DeathHandler& operator=(DeathHandler&&) noexcept;
    // Removes the link.
    ~DeathHandler();

    // Protected until the hold is gone.
    class Hold;
    std::shared_ptr<const Hold> protectCallback(IProtectedCallback* callback) const;
    void protectCallbackForLifetimeOfDeathHandler(
            std::shared_ptr<IProtectedCallback> callback) const;

    bool isDead() const;

   private:
    class Link;
    explicit DeathHandler(std::shared_ptr<Link> link);
    std::shared_ptr<Link> mLink;
};

}  // namespace nn::hal::utils
