// The rule of all resilient objects: forward each call; if the object has died, recover once and
// forward again.
#pragma once

#include <algorithm>
#include <chrono>
#include <condition_variable>
#include <cstdint>
#include <exception>
#include <functional>
#include <memory>
#include <mutex>
#include <new>
#include <optional>
#include <thread>
#include <type_traits>
#include <utility>

#include "base/no_throw.h"
#include "base/per_process.h"
#include "base/process_mutex.h"
#include "driver/fences/fences.h"
#include "nnapi/driver/interfaces.h"
#include "nnapi/driver/invalid.h"

namespace nn::driver {

template <class I>
struct Instance {
    std::shared_ptr<const I> object{};

    // The object that made it: a device, prepared model or burst; kept alive, so that its address
    // is not reused. Null for one made by a user's factory.
    std::shared_ptr<const void> parent{};

    // The device at the root of the parents.
    std::shared_ptr<const void> device{};

    // Never recovered.
    bool isFinal = false;

    // For an execution whose request names buffers: true if one of them has been recreated. Holds
    // the original buffers. May be null.
    std::shared_ptr<const std::function<bool()>> isOutdated{};
};

// DEAD_OBJECT with the message of the call, and why there was no recovery.
Status recoveryFailed(const Status& call, const Status& recovery);

// Rejects null.
template <class I>
GeneralResult<Instance<I>> withObject(GeneralResult<Instance<I>> made) {
    if (made.has_value() && made->object == nullptr) {
        return error() << "a null object came without an error";
    }
    return made;
}

// Calls user code and contains its exceptions.
template <class Factory, class... Arguments>
std::invoke_result_t<const Factory&, Arguments...> callFactory(const Factory& factory,
                                                               Arguments... arguments) {
    try {
        return factory(arguments...);
    } catch (const std::bad_alloc&) {
        return statusOfException();
    } catch (const std::exception& exception) {
        return error() << "the factory has thrown: " << exception.what();
    } catch (...) {
        return error() << "the factory has thrown what is not a std::exception";
    }
}

// Holds the current object. Thread-safe; calls and releases nothing while it holds its lock.
template <class I>
class Recoverable {
   public:
    // Recreates an object that has died.
    using Make =
            std::function<GeneralResult<Instance<I>>(const Instance<I>& dead, bool isBlocking)>;

    // True if a newer parent exists to recreate the object from.
    using IsStale = std::function<bool(const Instance<I>&)>;

    // first has an object. patience: how long a thread waits for another thread's recovery.
    Recoverable(Instance<I> first, Make make, Duration patience, IsStale isStale = nullptr)
        : mMake(std::move(make)),
          mIsStale(std::move(isStale)),
          mPatience(std::clamp<Duration>(patience, Duration::zero(), std::chrono::hours(1))),
          mCurrent(std::move(first)) {}

    Instance<I> current() const {
        const std::lock_guard lock(mMutex);
        return mCurrent;
    }

    // The current object, recreated if it is stale and recreation succeeds.
    Instance<I> refreshed(const OptionalTimePoint& deadline = {}) const {
        Instance<I> used = current();
        if (mIsStale == nullptr || used.isFinal || !mIsStale(used)) return used;
        auto made = recover(used.object.get(), /*isBlocking=*/false, deadline);
        return made.has_value() ? *std::move(made) : used;
    }

    // Replaces a failing object, or returns the current one if it has been replaced already. Waits
    // for a recovery that another thread has begun.
    GeneralResult<Instance<I>> recover(const I* failing, bool isBlocking,
                                       const OptionalTimePoint& deadline = {}) const {
        const OptionalTimePoint until = earlier(after(Clock::now(), mPatience), deadline);
        Instance<I> dead;
        {
            std::unique_lock lock(mMutex);
            for (;;) {
                if (mCurrent.object.get() != failing || mCurrent.isFinal) return mCurrent;
                if (mRecovering != processGeneration()) break;  // none, or of the parent process
                if (mRecoverer == std::this_thread::get_id()) {
                    return error() << "the factory needs the object that it is to make";
                }
                if (!waitUntilOver(lock, *until)) {
                    const bool isLate = deadline && *deadline <= *until;
                    return error(isLate ? ErrorStatus::MISSED_DEADLINE_TRANSIENT
                                        : ErrorStatus::DEVICE_UNAVAILABLE)
                           << "another thread is still recovering the object";
                }
                if (mCurrent.object.get() != failing || !mLastFailure) return mCurrent;
                if (!isBlocking || mWasBlocking) return GeneralError(*mLastFailure);
            }
            mRecovering = processGeneration();
            mRecoverer = std::this_thread::get_id();
            dead = mCurrent;
        }
        GeneralResult<Instance<I>> made = make(dead, isBlocking);
        {
            const std::lock_guard lock(mMutex);
            if (made.has_value()) mCurrent = *made;  // dead keeps the old one
            mLastFailure.reset();
            if (!made.has_value()) mLastFailure = made.error();
            mWasBlocking = isBlocking;
            mRecovering.reset();
            mRecoverer = {};
            ++mNumberOfRecoveries;
        }
        mIsOver.get()->notify_all();
        return made;
    }

    // Returns call(current), or call(recovered) if the current object has died. No wait exceeds the
    // deadline of the call.
    template <class Call>
    std::invoke_result_t<const Call&, const Instance<I>&> protect(
            const Call& call, bool isBlocking = false,
            const OptionalTimePoint& deadline = {}) const {
        const Instance<I> used = refreshed(deadline);
        auto result = call(used);
        if (result.has_value() || errorStatus(result.status()) != ErrorStatus::DEAD_OBJECT) {
            return result;
        }
        const auto recovered = recover(used.object.get(), isBlocking, deadline);
        if (!recovered.has_value()) return recoveryFailed(result.status(), recovered.status());
        return call(*recovered);
    }

   private:
    // Waits for a recovery in progress. False if it has not ended by then.
    bool waitUntilOver(std::unique_lock<ProcessMutex>& lock, TimePoint until) const {
        const uint64_t number = mNumberOfRecoveries;
        while (mNumberOfRecoveries == number) {
            const Duration left = until - Clock::now();
            if (left <= Duration::zero()) return false;
            std::unique_lock inner(lock.mutex()->inner(), std::adopt_lock);
            mIsOver.get()->wait_for(inner, left);
            inner.release();
        }
        return true;
    }

    GeneralResult<Instance<I>> make(const Instance<I>& dead, bool isBlocking) const NNAPI_TRY {
        return withObject(mMake(dead, isBlocking));
    }
    NNAPI_CATCH

    const Make mMake;
    const IsStale mIsStale;
    const Duration mPatience;

    mutable ProcessMutex mMutex;
    PerProcess<std::condition_variable> mIsOver{};
    mutable Instance<I> mCurrent;
    mutable std::optional<uint64_t> mRecovering{};  // the process
    mutable std::thread::id mRecoverer{};
    mutable uint64_t mNumberOfRecoveries = 0;
    // Of the last recovery. Each thread has a separate status: Abseil counts the owners of a shared
    // one in a way that ThreadSanitizer does not see.
    mutable std::optional<GeneralError> mLastFailure{};
    mutable bool mWasBlocking = false;
};

template <class I>
using SharedRecoverable = std::shared_ptr<const Recoverable<I>>;

// For objects that a user's factory makes, first and again.
template <class I, class Factory>
GeneralResult<SharedRecoverable<I>> recoverableFrom(Factory factory, Duration patience) NNAPI_TRY {
    if (!factory) {
        return error(ErrorStatus::INVALID_ARGUMENT)
               << "the factory is empty, and a resilient object needs one";
    }
    const auto make = [factory = std::move(factory)](const Instance<I>&,
                                                     bool) -> GeneralResult<Instance<I>> {
        auto made = callFactory(factory);
        if (!made.has_value()) return made.status();
        return Instance<I>{.object = *std::move(made)};
    };
    auto first = withObject<I>(make({}, false));
    if (!first.has_value()) return first.status();
    return std::make_shared<const Recoverable<I>>(*std::move(first), make, patience);
}
NNAPI_CATCH

// makeOn(current parent), as a child that stores its parent.
template <class Child, class Parent, class MakeOn>
GeneralResult<Instance<Child>> childOf(const Recoverable<Parent>& parent, const MakeOn& makeOn) {
    return parent.protect([&](const Instance<Parent>& on) -> GeneralResult<Instance<Child>> {
        GeneralResult<Instance<Child>> child = makeOn(on);
        if (!child.has_value()) return child;
        child->parent = on.object;
        child->device = on.device;
        return child;
    });
}

// For objects that a recoverable object creates, and recreates with makeOn. Creating one does not
// always show that the peer is dead. Therefore a child is called only if it belongs to the current
// parent, and if it has died, the parent is recovered with it. If the parent becomes invalid, so
// does the child.
template <class Child, class Parent, class MakeOn>
GeneralResult<SharedRecoverable<Child>> recoverableChild(const SharedRecoverable<Parent>& parent,
                                                         MakeOn makeOn, Duration patience) {
    auto first = withObject<Child>(childOf<Child>(*parent, makeOn));
    if (!first.has_value()) return first.status();
    const auto make = [parent, makeOn = std::move(makeOn)](
                              const Instance<Child>& dead,
                              bool isBlocking) -> GeneralResult<Instance<Child>> {
        const auto recovered =
                parent->recover(static_cast<const Parent*>(dead.parent.get()), isBlocking);
        if (!recovered.has_value()) return recovered.status();
        auto child = childOf<Child>(*parent, makeOn);
        if (!child.has_value() && recovered->isFinal) {
            using Invalid =
                    std::conditional_t<std::is_same_v<Child, IBurst>, hal::utils::InvalidBurst,
                                       hal::utils::InvalidExecution>;
            return Instance<Child>{.object = std::make_shared<const Invalid>(child.error().message),
                                   .isFinal = true};
        }
        return child;
    };
    const auto isStale = [parent](const Instance<Child>& child) {
        return parent->refreshed().object != child.parent ||
               (child.isOutdated != nullptr && (*child.isOutdated)());
    };
    return std::make_shared<const Recoverable<Child>>(*std::move(first), make, patience, isStale);
}

}  // namespace nn::driver
