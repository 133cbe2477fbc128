// nnapi/driver/callbacks.h -- Callbacks, deadlines and death handling for calls to drivers.
//
//   auto pending = std::make_shared<nn::hal::utils::PendingPreparedModel>();
//   const auto hold = deathHandler.protectCallback(pending);
//   auto launched = driver->prepareModel_1_3(
//           ..., nn::hidl::sp<nn::V1_3::utils::PreparedModelCallback>::make(pending));
//   if (!launched.isOk()) return nn::hal::utils::failureOf(launched);
//   nn::GeneralResult<nn::hidl::sp<nn::V1_0::IPreparedModel>> prepared =
//           pending->take({deadline, ceiling}, "prepareModel_1_3");
//
// Building blocks of the wrappers, for shims that call drivers directly. The driver owns the
// callback and the caller owns the pending result, so a driver that drops the callback without
// calling it wakes the caller at once. Thread-safe; no lock is held while callbacks of other
// components run.
#pragma once

#include <algorithm>
#include <chrono>
#include <condition_variable>
#include <memory>
#include <mutex>
#include <optional>
#include <string_view>
#include <utility>
#include <vector>

#include "nnapi/driver/interfaces.h"
#include "nnapi/hal/aidl/interfaces.h"
#include "nnapi/hal/binding.h"
#include "nnapi/hal/v1_3_interfaces.h"

namespace nn::hal::utils {

// Of a call that did not return, described by the transport.
Status failedCall(bool isDead, std::string description, std::string_view call);

// The failure of a call that did not return: DEAD_OBJECT for a dead object, otherwise
// GENERAL_FAILURE. For AIDL also the code and message of a service-specific error; GENERAL_FAILURE
// for codes that AIDL does not define.
Status failureOf(const hidl::Status& transport, std::string_view call = {});
Status failureOf(const ndk::ScopedAStatus& returned, std::string_view call = {});
template <class T>
Status failureOf(const hidl::Return<T>& returned, std::string_view call = {}) {
    return returned.isOk() ? Status()
                           : failedCall(returned.isDeadObject(), returned.description(), call);
}

// How long to wait: until the deadline, or for `ceiling` from now if there is none (or the largest
// time point).
class WaitPolicy {
   public:
    // The ceiling counts from now.
    WaitPolicy(const OptionalTimePoint& deadline, Duration ceiling);
    // The end of the wait.
    TimePoint end() const { return mEnd; }
    // The error of a wait that ended without `what`: MISSED_DEADLINE_TRANSIENT if a deadline ended
    // it, otherwise GENERAL_FAILURE.
    Status exceeded(std::string_view what) const;

   private:
    TimePoint mEnd;
    bool mHasDeadline;
    Duration mCeiling;
};

// Passes one value from one thread to another. The first value counts.
template <class T>
class TransferValue {
   public:
    // False if there was a value already, and after close().
    bool put(T value) const {
        // Notifies under the lock: once unlocked, the receiver may destroy this object.
        const std::lock_guard lock(mMutex);
        if (mIsOver) return false;
        mIsOver = true;
        mValue = std::move(value);
        mCondition.notify_all();
        return true;
    }
    // Waits for the value until `end`; empty if there is none, or it was already taken.
    std::optional<T> take(TimePoint end) const {
        std::unique_lock lock(mMutex);
        while (!mIsOver) {
            const TimePoint now = Clock::now();
            if (now >= end) return std::nullopt;
            mCondition.wait_for(lock, std::min<Duration>(end - now, std::chrono::hours(1)));
        }
        return std::exchange(mValue, std::nullopt);
    }
    // Drops a value that was not taken, and all later ones.
    void close() const {
        std::optional<T> dropped;  // gone after the lock
        const std::lock_guard lock(mMutex);
        mIsOver = true;
        dropped.swap(mValue);
        mCondition.notify_all();
    }
    // True once there was a value, taken or not, and after close().
    bool isOver() const {
        const std::lock_guard lock(mMutex);
        return mIsOver;
    }

   private:
    mutable std::mutex mMutex{};
    mutable std::condition_variable mCondition{};
    mutable std::optional<T> mValue{};
    mutable bool mIsOver = false;
};

// A callback that must be notified if the process that has to call it dies.
class IProtectedCallback {
   public:
    virtual ~IProtectedCallback() = default;
    // The process has died. Called once at most by a DeathHandler, on any thread and without a
    // lock; must not block for long.
    virtual void notifyAsDeadObject() = 0;
};

// Notifies callbacks when an object dies: each once, immediately if it is already dead.
class DeathHandler {
   public:
    // INVALID_ARGUMENT for null; GENERAL_FAILURE or DEAD_OBJECT if the object rejects the link. An
    // AIDL object in this process needs none.
    static GeneralResult<DeathHandler> create(const hidl::sp<hidl::IBase>& object);
    static GeneralResult<DeathHandler> create(const std::shared_ptr<ndk::ICInterface>& object);
    static GeneralResult<DeathHandler> create(std::nullptr_t) {
        return create(hidl::sp<hidl::IBase>());
    }
    DeathHandler(DeathHandler&&) noexcept;
    DeathHandler& operator=(DeathHandler&&) noexcept;
    // Removes the link.
    ~DeathHandler();

    // Notifies the callback until the hold is destroyed. Does nothing for null.
    class Hold;
    std::shared_ptr<const Hold> protectCallback(std::shared_ptr<IProtectedCallback> callback) const;
    // The same until this object is destroyed.
    void protectCallbackForLifetimeOfDeathHandler(
            std::shared_ptr<IProtectedCallback> callback) const;

    // True once the object has died; nothing makes it alive again.
    bool isDead() const;

   private:
    class Link;
    template <class Object>
    static GeneralResult<DeathHandler> createFor(const Object& object);
    explicit DeathHandler(std::unique_ptr<Link> link);
    std::unique_ptr<Link> mLink;
};

// A pending result of a driver; R is a GeneralResult. The first result is kept, later ones are
// dropped.
template <class R>
class PendingResult final : public IProtectedCallback {
   public:
    // False if there is a result already, or the caller has stopped waiting.
    bool put(R result) const { return mTransfer.put(std::move(result)); }
    // Stores DEAD_OBJECT as the result.
    void notifyAsDeadObject() override {
        put(R(makeError(ErrorStatus::DEAD_OBJECT, "the driver has died")));
    }
    // True once there is a result, and after close().
    bool isOver() const { return mTransfer.isOver(); }

    // Waits for the result; returns patience.exceeded(what) after a timeout. Later results are
    // dropped.
    R take(const WaitPolicy& patience, std::string_view what) const {
        std::optional<R> result = mTransfer.take(patience.end());
        close();
        return result ? *std::move(result) : R(patience.exceeded(what));
    }
    // Drops all later results.
    void close() const { mTransfer.close(); }

   private:
    TransferValue<R> mTransfer{};
};
template <class R>
using Answer [[deprecated("PendingResult")]] = PendingResult<R>;

// The callback's reference to a PendingResult: its destructor stores GENERAL_FAILURE if there is no
// result.
template <class R>
class Owed {
   public:
    // Null owes nothing.
    explicit Owed(std::shared_ptr<const PendingResult<R>> pending) : mPending(std::move(pending)) {}
    Owed(const Owed&) = delete;
    Owed& operator=(const Owed&) = delete;
    ~Owed() {
        if (mPending == nullptr || mPending->isOver()) return;
        mPending->put(R(makeError(ErrorStatus::GENERAL_FAILURE,
                                  "the driver has dropped the callback without calling it")));
    }
    // Stores the result; later results are dropped.
    void put(R result) const {
        if (mPending != nullptr) mPending->put(std::move(result));
    }

   private:
    std::shared_ptr<const PendingResult<R>> mPending;
};

// A prepared model by its oldest interface; castFrom finds newer ones. GENERAL_FAILURE for null and
// for unknown codes.
using PendingPreparedModel = PendingResult<GeneralResult<hidl::sp<V1_0::IPreparedModel>>>;
using PreparedModelAnswer [[deprecated("PendingPreparedModel")]] = PendingPreparedModel;

// Result of an execution, as reported by the driver. outputShapes is empty if the interface has no
// shapes (HAL 1.0), and an error if they do not convert.
struct ExecutionReport {
    ErrorStatus code = ErrorStatus::GENERAL_FAILURE;  // NONE: it succeeded
    std::optional<Result<std::vector<OutputShape>>> outputShapes{};
    Result<Timing> timing = Timing{};  // an error if it does not convert
};
// The driver's report, or the error if there is none.
using PendingExecution = PendingResult<GeneralResult<ExecutionReport>>;
using ExecutionAnswer [[deprecated("PendingExecution")]] = PendingExecution;

}  // namespace nn::hal::utils

namespace nn {
namespace V1_0 NNAPI_BINDING::utils {

// Callback of prepareModel and prepareModelFromCache.
class PreparedModelCallback final : public V1_0::IPreparedModelCallback {
   public:
    // `pending` receives the result; it may be null. The driver calls one of the methods, once.
    explicit PreparedModelCallback(std::shared_ptr<const hal::utils::PendingPreparedModel> pending)
        : mOwed(std::move(pending)) {}
    Return<void> notify(V1_0::ErrorStatus status,
                        const sp<V1_0::IPreparedModel>& preparedModel) override;

   private:
    hal::utils::Owed<GeneralResult<sp<V1_0::IPreparedModel>>> mOwed;
};

// Callback of execute.
class ExecutionCallback final : public V1_0::IExecutionCallback {
   public:
    // `pending` receives the result; it may be null. The driver calls one of the methods, once.
    explicit ExecutionCallback(std::shared_ptr<const hal::utils::PendingExecution> pending)
        : mOwed(std::move(pending)) {}
    Return<void> notify(V1_0::ErrorStatus status) override;

   private:
    hal::utils::Owed<GeneralResult<hal::utils::ExecutionReport>> mOwed;
};

}  // namespace NNAPI_BINDING::utils

// HAL 1.1 uses the callbacks of 1.0.
namespace V1_1 NNAPI_BINDING::utils {
using V1_0::utils::ExecutionCallback;
using V1_0::utils::PreparedModelCallback;
}  // namespace NNAPI_BINDING::utils

// Newer callbacks also implement the methods of older versions.
namespace V1_2 NNAPI_BINDING::utils {

// Callback of prepareModel_1_2 and prepareModelFromCache.
class PreparedModelCallback final : public V1_2::IPreparedModelCallback {
   public:
    // `pending` receives the result; it may be null. The driver calls one of the methods, once.
    explicit PreparedModelCallback(std::shared_ptr<const hal::utils::PendingPreparedModel> pending)
        : mOwed(std::move(pending)) {}
    Return<void> notify(V1_0::ErrorStatus status,
                        const sp<V1_0::IPreparedModel>& preparedModel) override;
    // Receives the result of a newer driver; never fails.
    Return<void> notify_1_2(V1_0::ErrorStatus status,
                            const sp<V1_2::IPreparedModel>& preparedModel) override;

   private:
    hal::utils::Owed<GeneralResult<sp<V1_0::IPreparedModel>>> mOwed;
};

// Callback of execute_1_2.
class ExecutionCallback final : public V1_2::IExecutionCallback {
   public:
    // `pending` receives the result; it may be null. The driver calls one of the methods, once.
    explicit ExecutionCallback(std::shared_ptr<const hal::utils::PendingExecution> pending)
        : mOwed(std::move(pending)) {}
    Return<void> notify(V1_0::ErrorStatus status) override;
    // Receives the result of a newer driver; never fails.
    Return<void> notify_1_2(V1_0::ErrorStatus status, const hidl_vec<V1_2::OutputShape>& shapes,
                            const V1_2::Timing& timing) override;

   private:
    hal::utils::Owed<GeneralResult<hal::utils::ExecutionReport>> mOwed;
};

}  // namespace NNAPI_BINDING::utils

namespace V1_3 NNAPI_BINDING::utils {

// Callback of prepareModel_1_3 and prepareModelFromCache_1_3.
class PreparedModelCallback final : public V1_3::IPreparedModelCallback {
   public:
    // `pending` receives the result; it may be null. The driver calls one of the methods, once.
    explicit PreparedModelCallback(std::shared_ptr<const hal::utils::PendingPreparedModel> pending)
        : mOwed(std::move(pending)) {}
    Return<void> notify(V1_0::ErrorStatus status,
                        const sp<V1_0::IPreparedModel>& preparedModel) override;
    // Receive the result of a newer driver; never fail.
    Return<void> notify_1_2(V1_0::ErrorStatus status,
                            const sp<V1_2::IPreparedModel>& preparedModel) override;
    Return<void> notify_1_3(V1_3::ErrorStatus status,
                            const sp<V1_3::IPreparedModel>& preparedModel) override;

   private:
    hal::utils::Owed<GeneralResult<sp<V1_0::IPreparedModel>>> mOwed;
};

// Callback of execute_1_3.
class ExecutionCallback final : public V1_3::IExecutionCallback {
   public:
    // `pending` receives the result; it may be null. The driver calls one of the methods, once.
    explicit ExecutionCallback(std::shared_ptr<const hal::utils::PendingExecution> pending)
        : mOwed(std::move(pending)) {}
    Return<void> notify(V1_0::ErrorStatus status) override;
    // Receive the result of a newer driver; never fail.
    Return<void> notify_1_2(V1_0::ErrorStatus status, const hidl_vec<V1_2::OutputShape>& shapes,
                            const V1_2::Timing& timing) override;
    Return<void> notify_1_3(V1_3::ErrorStatus status, const hidl_vec<V1_2::OutputShape>& shapes,
                            const V1_2::Timing& timing) override;

   private:
    hal::utils::Owed<GeneralResult<hal::utils::ExecutionReport>> mOwed;
};

}  // namespace NNAPI_BINDING::utils
}  // namespace nn

namespace nn::hal::utils {

// The callback of all AIDL versions; executions have none.
using AidlPendingPreparedModel =
        PendingResult<GeneralResult<std::shared_ptr<aidl_hal::IPreparedModel>>>;
using AidlPreparedModelAnswer [[deprecated("AidlPendingPreparedModel")]] = AidlPendingPreparedModel;

// Callback of prepareModel, prepareModelFromCache and prepareModelWithConfig.
class AidlPreparedModelCallback final : public AidlObject<aidl_hal::IPreparedModelCallback> {
   public:
    // `pending` receives the result; it may be null. The driver calls notify once.
    explicit AidlPreparedModelCallback(std::shared_ptr<const AidlPendingPreparedModel> pending)
        : AidlObject(aidl_hal::IPreparedModelCallback::version), mOwed(std::move(pending)) {}
    // Receives the driver's result; never fails.
    ndk::ScopedAStatus notify(
            aidl_hal::ErrorStatus status,
            const std::shared_ptr<aidl_hal::IPreparedModel>& preparedModel) override;

   private:
    Owed<GeneralResult<std::shared_ptr<aidl_hal::IPreparedModel>>> mOwed;
};

}  // namespace nn::hal::utils
