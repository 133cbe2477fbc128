// Launches work on an executor and guarantees that its caller receives one result.
#pragma once

#include <atomic>
#include <memory>
#include <optional>
#include <type_traits>
#include <utility>

#include "driver/threads/contain.h"
#include "nnapi/driver/adapt.h"

namespace nn::hal::adapter {

using driver::contain;

// Calls a user's function, and ignores its exceptions.
template <class Function>
void ignoreExceptions(Function&& function) {
    try {
        function();
    } catch (...) {  // the work is done; there is no caller to notify
    }
}

// GENERAL_FAILURE, without allocating memory.
inline Status refusal() { return Status(absl::StatusCode::kUnknown, {}); }

// Work that is either run or dropped, whichever happens first.
class OwedWork {
   public:
    OwedWork() = default;
    OwedWork(const OwedWork&) = delete;
    OwedWork& operator=(const OwedWork&) = delete;
    virtual ~OwedWork() = default;

    void run() {
        if (claim(State::RUN)) work();
    }
    void drop() {
        if (claim(State::DROPPED)) refuse();
    }
    bool wasDropped() const { return mState == State::DROPPED; }

   private:
    enum class State { OWED, RUN, DROPPED };

    bool claim(State state) {
        State owed = State::OWED;
        return mState.compare_exchange_strong(owed, state);
    }
    virtual void work() = 0;
    virtual void refuse() = 0;

    std::atomic<State> mState{State::OWED};
};

template <class Compute, class Receive>
class OwedResult final : public OwedWork {
   public:
    using Result = std::invoke_result_t<Compute>;

    OwedResult(Compute&& compute, Receive& receive)
        : mCompute(std::move(compute)), mReceive(std::move(receive)) {}

   private:
    // Releases the resources of the computation before it delivers the result, so that nothing is
    // held once the caller has the result, even if the executor keeps the task.
    void work() override {
        Result result = contain(*mCompute);
        deliver(std::move(result));
    }
    void refuse() override { deliver(refusal()); }
    void deliver(Result result) {
        mCompute.reset();
        ignoreExceptions([&] { (*mReceive)(std::move(result)); });
        mReceive.reset();
    }

    std::optional<Compute> mCompute;
    std::optional<Receive> mReceive;
};

// False if the executor rejected the work: it threw, or dropped the task before it returned.
bool launchWork(const Executor& executor, const OptionalTimePoint& deadline,
                const std::shared_ptr<OwedWork>& owed);

// Computes on the executor and calls `receive` with the result, exactly once: GENERAL_FAILURE if
// the executor drops the work. False if it has already dropped it.
template <class Compute, class Receive>
bool launch(const Executor& executor, const OptionalTimePoint& deadline, Compute compute,
            Receive receive) {
    std::shared_ptr<OwedWork> owed;
    try {
        owed = std::make_shared<OwedResult<Compute, Receive>>(std::move(compute), receive);
    } catch (...) {
        ignoreExceptions([&] { receive(refusal()); });
        return false;
    }
    return launchWork(executor, deadline, owed);
}

}  // namespace nn::hal::adapter
