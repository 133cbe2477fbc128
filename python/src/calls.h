// Long calls: without the GIL, and interrupted by ^C.
#pragma once

#include "python/src/bindings.h"
// After Python's header.
#include <atomic>
#include <chrono>
#include <condition_variable>
#include <exception>
#include <functional>
#include <mutex>
#include <thread>
#include <type_traits>
#include <utility>

#include "nnapi/stop_condition.h"
#include "python/src/errors.h"

namespace nn::python {

// Releases the GIL. If Python exits meanwhile, the destructor never returns: Python would end the
// thread by an exception, which a destructor must not throw.
class Unlocked {
   public:
    Unlocked() : mState(PyEval_SaveThread()) {}
    Unlocked(const Unlocked&) = delete;
    Unlocked& operator=(const Unlocked&) = delete;
    ~Unlocked();

   private:
    PyThreadState* mState;
};

// True on the thread on which Python handles signals.
bool isMainThread();

// Polls Python for ^C, if the library is called on the main thread.
class __attribute__((visibility("hidden"))) Interruption {
   public:
    // Valid as long as this object lives.
    StopFunction stop() {
        return [this] { return isRequested(); };
    }
    // Raises the exception of a signal handler, usually KeyboardInterrupt.
    void raiseIfRequested() {
        if (mError) throw *std::exchange(mError, std::nullopt);
    }

   private:
    bool isRequested() noexcept;

    const std::thread::id mCaller = isMainThread() ? std::this_thread::get_id() : std::thread::id();
    std::atomic<bool> mIsRequested = false;
    std::chrono::steady_clock::time_point mNext{};
    std::optional<py::error_already_set> mError{};
};

// work(stop), which returns a value of C++.
template <class Work>
auto untilInterrupted(Work work) {
    Interruption interruption;
    auto result = [&] {
        const Unlocked unlocked;
        return work(interruption.stop());
    }();
    interruption.raiseIfRequested();
    return result;
}

template <class Work>
auto unlocked(Work work) {
    const Unlocked unlocked;
    return work();
}

// How long after its deadline a driver may still return.
inline constexpr Duration kLateness = std::chrono::seconds(1);

// Runs work that cannot be stopped, since a driver performs it. At ^C, and if it does not end soon
// after its deadline, its thread continues without the caller: the work must own its objects;
// `used`, its Python objects, stay alive.
template <class Work>
auto untilAbandoned(Work work, std::vector<py::object> used = {},
                    const OptionalTimePoint& deadline = {}) {
    using Value = std::invoke_result_t<Work>;
    if (!isMainThread() && !deadline) return unlocked(std::move(work));
    struct Shared {
        std::mutex mutex{};
        std::condition_variable changed{};
        std::optional<Value> value{};
        std::exception_ptr exception{};
        bool isDone = false;
    };
    const auto shared = std::make_shared<Shared>();
    std::thread([shared, work = std::move(work)]() mutable {
        std::optional<Value> value;
        std::exception_ptr exception;
        try {
            value.emplace(work());
        } catch (...) {
            exception = std::current_exception();
        }
        const std::lock_guard lock(shared->mutex);
        shared->value = std::move(value);
        shared->exception = std::move(exception);
        shared->isDone = true;
        shared->changed.notify_all();
    }).detach();
    for (bool isDone = false; !isDone;) {
        {
            const Unlocked unlocked;
            std::unique_lock lock(shared->mutex);
            isDone = shared->changed.wait_for(lock, std::chrono::milliseconds(20),
                                              [&] { return shared->isDone; });
        }
        if (isDone) break;
        const bool isInterrupted = PyErr_CheckSignals() != 0;
        const bool isLate = deadline && Clock::now() - kLateness > *deadline;
        if (!isInterrupted && !isLate) continue;
        for (py::object& object : used) object.release();
        if (isInterrupted) throw py::error_already_set();
        raise(ErrorStatus::MISSED_DEADLINE_PERSISTENT,
              "the driver has not returned a second after its deadline");
    }
    if (shared->exception) std::rethrow_exception(shared->exception);
    return *std::move(shared->value);
}

}  // namespace nn::python
