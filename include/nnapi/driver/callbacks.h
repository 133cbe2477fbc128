// nnapi/driver/callbacks.h -- waiting for a driver that may die, hang or answer twice.
//
//   auto answer = std::make_shared<nn::hal::utils::PreparedModelAnswer>();
//   const auto hold = deathHandler.protectCallback(answer);
//   auto launched = driver->prepareModel_1_3(
//           ..., nn::hidl::sp<nn::V1_3::utils::PreparedModelCallback>::make(answer));
//   if (!launched.isOk()) return nn::hal::utils::failureOf(launched);
//   nn::GeneralResult<nn::hidl::sp<nn::V1_0::IPreparedModel>> prepared =
//           answer->take({deadline, ceiling}, "prepareModel_1_3");
//
// What wrappers are built of, for shims that call drivers by themselves. The callback is the
// driver's and the answer the caller's, so that a driver which drops the callback without calling
// it wakes the caller at once. Thread-safe; no lock is held while a callback of somebody else runs.
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

#include "nnapi/driver/wrap.h"
#include "nnapi/hal/aidl/interfaces.h"

namespace nn::hal::utils {

// The failure of a call on its way: DEAD_OBJECT for a dead object, GENERAL_FAILURE otherwise. In
// AIDL it also has what the driver says: the code of a service specific error, GENERAL_FAILURE for
// one that AIDL does not have.
Status failureOf(const hidl::Status& transport, std::string_view call = {});
Status failureOf(const ndk::ScopedAStatus& answered, std::string_view call = {});
template <class T>
Status failureOf(const hidl::Return<T>& answered, std::string_view call = {}) {
    return failureOf(answered.status(), call);
}

// How long to wait: until a deadline; without one, or with the last time point of all, for a
// ceiling from now on.
class WaitPolicy {
   public:
    WaitPolicy(const OptionalTimePoint& deadline, Duration ceiling);
    TimePoint end() const { return mEnd; }
    // MISSED_DEADLINE_TRANSIENT where a deadline ended the wait for `what`, else GENERAL_FAILURE.
    Status exceeded(std::string_view what) const;

   private:
    TimePoint mEnd;
    bool mHasDeadline;
    Duration mCeiling;
};

// A value that one thread puts and another takes. The first one counts.
template <class T>
class TransferValue {
   public:
    // False where there was a value already, and after close().
    bool put(T value) const {
        // Notified before it is unlocked: from then on the taker may destroy this.
        const std::lock_guard lock(mMutex);
        if (mIsOver) return false;
        mIsOver = true;
        mValue = std::move(value);
        mCondition.notify_all();
        return true;
    }
    // Nothing where there is none until then, or where it was taken.
    std::optional<T> take(TimePoint end) const {
        std::unique_lock lock(mMutex);
        while (!mIsOver) {
            const TimePoint now = Clock::now();
            if (now >= end) return std::nullopt;
            mCondition.wait_for(lock, std::min<Duration>(end - now, std::chrono::hours(1)));
        }
        return std::exchange(mValue, std::nullopt);
    }
    // A value that nobody took is dropped, and so are those that come later.
    void close() const {
        std::optional<T> dropped;  // gone after the lock
        const std::lock_guard lock(mMutex);
        mIsOver = true;
        dropped.swap(mValue);
        mCondition.notify_all();
    }
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
    // INVALID_ARGUMENT for null; GENERAL_FAILURE or DEAD_OBJECT where the object takes no link. An
    // object of AIDL in this process needs none.
    static GeneralResult<DeathHandler> create(const hidl::sp<hidl::IBase>& object);
    static GeneralResult<DeathHandler> create(const std::shared_ptr<ndk::ICInterface>& object);
    static GeneralResult<DeathHandler> create(std::nullptr_t) {
        return create(hidl::sp<hidl::IBase>());
    }
    DeathHandler(DeathHandler&&) noexcept;
    DeathHandler& operator=(DeathHandler&&) noexcept;
    // Removes the link.
    ~DeathHandler();

    // Protected until the hold is gone. Nothing happens for null.
    class Hold;
    std::shared_ptr<const Hold> protectCallback(std::shared_ptr<IProtectedCallback> callback) const;
    void protectCallbackForLifetimeOfDeathHandler(
            std::shared_ptr<IProtectedCallback> callback) const;

    bool isDead() const;

   private:
    class Link;
    template <class Object>
    static GeneralResult<DeathHandler> createFor(const Object& object);
    explicit DeathHandler(std::unique_ptr<Link> link);
    std::unique_ptr<Link> mLink;
};

// What a driver owes: R is a GeneralResult. The first answer counts.
template <class R>
class Answer final : public IProtectedCallback {
   public:
    bool put(R answer) const { return mTransfer.put(std::move(answer)); }
    void notifyAsDeadObject() override {
        put(R(makeError(ErrorStatus::DEAD_OBJECT, "the driver has died")));
    }
    bool isOver() const { return mTransfer.isOver(); }

    // The answer; what patience.exceeded(what) says where there is none until then. Whatever comes
    // later is dropped.
    R take(const WaitPolicy& patience, std::string_view what) const {
        std::optional<R> answer = mTransfer.take(patience.end());
        close();
        return answer ? *std::move(answer) : R(patience.exceeded(what));
    }
    void close() const { mTransfer.close(); }

   private:
    TransferValue<R> mTransfer{};
};

// The callback's end of an answer: without an answer until it is gone, the answer is
// GENERAL_FAILURE.
template <class R>
class Owed {
   public:
    explicit Owed(std::shared_ptr<const Answer<R>> answer) : mAnswer(std::move(answer)) {}
    Owed(const Owed&) = delete;
    Owed& operator=(const Owed&) = delete;
    ~Owed() {
        if (mAnswer == nullptr || mAnswer->isOver()) return;
        mAnswer->put(R(makeError(ErrorStatus::GENERAL_FAILURE,
                                 "the driver has dropped the callback without calling it")));
    }
    void put(R answer) const {
        if (mAnswer != nullptr) mAnswer->put(std::move(answer));
    }

   private:
    std::shared_ptr<const Answer<R>> mAnswer;
};

// The prepared model by its oldest interface; castFrom finds newer ones. GENERAL_FAILURE for null,
// and for a code that no version has.
using PreparedModelAnswer = Answer<GeneralResult<hidl::sp<V1_0::IPreparedModel>>>;

// How an execution ended, as the driver says it. Without a value where the interface does not carry
// shapes, as in HAL 1.0; with an error where they do not convert.
struct ExecutionReport {
    ErrorStatus code = ErrorStatus::GENERAL_FAILURE;
    std::optional<Result<std::vector<OutputShape>>> outputShapes{};
    Result<Timing> timing = Timing{};
};
using ExecutionAnswer = Answer<GeneralResult<ExecutionReport>>;

}  // namespace nn::hal::utils

namespace nn::V1_0::utils {

class PreparedModelCallback final : public V1_0::IPreparedModelCallback {
   public:
    explicit PreparedModelCallback(std::shared_ptr<const hal::utils::PreparedModelAnswer> answer)
        : mOwed(std::move(answer)) {}
    Return<void> notify(V1_0::ErrorStatus status,
                        const sp<V1_0::IPreparedModel>& preparedModel) override;

   private:
    hal::utils::Owed<GeneralResult<sp<V1_0::IPreparedModel>>> mOwed;
};

class ExecutionCallback final : public V1_0::IExecutionCallback {
   public:
    explicit ExecutionCallback(std::shared_ptr<const hal::utils::ExecutionAnswer> answer)
        : mOwed(std::move(answer)) {}
    Return<void> notify(V1_0::ErrorStatus status) override;

   private:
    hal::utils::Owed<GeneralResult<hal::utils::ExecutionReport>> mOwed;
};

}  // namespace nn::V1_0::utils

// HAL 1.1 has the callbacks of 1.0.
namespace nn::V1_1::utils {
using V1_0::utils::ExecutionCallback;
using V1_0::utils::PreparedModelCallback;
}  // namespace nn::V1_1::utils

// Callbacks take also the answers of older versions.
namespace nn::V1_2::utils {

class PreparedModelCallback final : public V1_2::IPreparedModelCallback {
   public:
    explicit PreparedModelCallback(std::shared_ptr<const hal::utils::PreparedModelAnswer> answer)
        : mOwed(std::move(answer)) {}
    Return<void> notify(V1_0::ErrorStatus status,
                        const sp<V1_0::IPreparedModel>& preparedModel) override;
    Return<void> notify_1_2(V1_0::ErrorStatus status,
                            const sp<V1_2::IPreparedModel>& preparedModel) override;

   private:
    hal::utils::Owed<GeneralResult<sp<V1_0::IPreparedModel>>> mOwed;
};

class ExecutionCallback final : public V1_2::IExecutionCallback {
   public:
    explicit ExecutionCallback(std::shared_ptr<const hal::utils::ExecutionAnswer> answer)
        : mOwed(std::move(answer)) {}
    Return<void> notify(V1_0::ErrorStatus status) override;
    Return<void> notify_1_2(V1_0::ErrorStatus status, const hidl_vec<V1_2::OutputShape>& shapes,
                            const V1_2::Timing& timing) override;

   private:
    hal::utils::Owed<GeneralResult<hal::utils::ExecutionReport>> mOwed;
};

}  // namespace nn::V1_2::utils

namespace nn::V1_3::utils {

class PreparedModelCallback final : public V1_3::IPreparedModelCallback {
   public:
    explicit PreparedModelCallback(std::shared_ptr<const hal::utils::PreparedModelAnswer> answer)
        : mOwed(std::move(answer)) {}
    Return<void> notify(V1_0::ErrorStatus status,
                        const sp<V1_0::IPreparedModel>& preparedModel) override;
    Return<void> notify_1_2(V1_0::ErrorStatus status,
                            const sp<V1_2::IPreparedModel>& preparedModel) override;
    Return<void> notify_1_3(V1_3::ErrorStatus status,
                            const sp<V1_3::IPreparedModel>& preparedModel) override;

   private:
    hal::utils::Owed<GeneralResult<sp<V1_0::IPreparedModel>>> mOwed;
};

class ExecutionCallback final : public V1_3::IExecutionCallback {
   public:
    explicit ExecutionCallback(std::shared_ptr<const hal::utils::ExecutionAnswer> answer)
        : mOwed(std::move(answer)) {}
    Return<void> notify(V1_0::ErrorStatus status) override;
    Return<void> notify_1_2(V1_0::ErrorStatus status, const hidl_vec<V1_2::OutputShape>& shapes,
                            const V1_2::Timing& timing) override;
    Return<void> notify_1_3(V1_3::ErrorStatus status, const hidl_vec<V1_2::OutputShape>& shapes,
                            const V1_2::Timing& timing) override;

   private:
    hal::utils::Owed<GeneralResult<hal::utils::ExecutionReport>> mOwed;
};

}  // namespace nn::V1_3::utils

namespace nn::hal::utils {

// Of AIDL, all of whose versions have the same callback; executions have none.
using AidlPreparedModelAnswer = Answer<GeneralResult<std::shared_ptr<aidl_hal::IPreparedModel>>>;

class AidlPreparedModelCallback final : public aidl_hal::BnPreparedModelCallback {
   public:
    explicit AidlPreparedModelCallback(std::shared_ptr<const AidlPreparedModelAnswer> answer)
        : mOwed(std::move(answer)) {}
    ndk::ScopedAStatus notify(
            aidl_hal::ErrorStatus status,
            const std::shared_ptr<aidl_hal::IPreparedModel>& preparedModel) override;

   private:
    Owed<GeneralResult<std::shared_ptr<aidl_hal::IPreparedModel>>> mOwed;
};

}  // namespace nn::hal::utils
