// The four ways to start an execution.
#include <exception>
#include <utility>

#include "base/no_throw.h"
#include "driver/threads/thread_pool.h"
#include "runtime/objects/execution.h"
#include "runtime/objects/runtime.h"

namespace nn::runtime {
namespace {

constexpr size_t kMaxThreads = 64;
constexpr size_t kIdleThreads = 4;
constexpr auto kPatience = std::chrono::milliseconds(50);

// The threads of startCompute. A driver may hold an execution until another one is done: behind it
// in a queue of the hardware, or until the application signals a fence. With a hard limit all
// threads could wait for an execution that gets no thread, so the pool grows while nothing begins.
//
// Created when the library is loaded, since a process may fork at any time. Never destroyed: a
// process that ends does not wait for its executions, and the library cannot be unloaded.
driver::ThreadPool& gThreads =
        *new driver::ThreadPool(kMaxThreads, kIdleThreads, Duration(kPatience));

}  // namespace

ApiStatus ApiExecution::checkStart() const {
    if (mState == State::COMPUTATION) return badState("the execution is being computed");
    if (mState == State::COMPLETED && !mIsReusable) {
        return badState("the execution has been computed, and is not reusable");
    }
    return {};
}

ApiStatus ApiExecution::begin(ANeuralNetworksDiagnosticExecutionMode mode,
                              OptionalTimePoint& deadline,
                              const std::vector<std::shared_ptr<ApiEvent>>& after) {
    mMode = mode;
    mStarted = Clock::now();
    if (mTimeout) deadline = makeDeadline(*mTimeout);
    ApiStatus complete = mArguments.checkComplete();
    if (!complete.ok()) {
        (void)endWith(makeError(ErrorStatus::INVALID_ARGUMENT, complete.why), {}, {});
        return complete;
    }
    if (!mRequest) mRequest = mArguments.request();
    mState = State::COMPUTATION;
    mStart = nextStart();
    const Status values = mArguments.checkValues(after);
    if (!values.ok()) return endWith(values, {}, {});
    return {};
}

// ---- at once

driver::ExecutionCall ApiExecution::call(const OptionalTimePoint& deadline) const {
    return {*mRequest, mMeasure, deadline, mLoopTimeoutDuration, mHints.values, mHints.prefixes};
}

ExecutionResult<Executed> ApiExecution::executePlain(const OptionalTimePoint& deadline) {
    const IPreparedModel& model = *mCompiled->prepared;
    if (mIsReusable && mPrepared == nullptr) {
        auto made = call(deadline).reusableOn(model);
        if (made.has_value()) mPrepared = *std::move(made);
    }
    if (mPrepared != nullptr) return mPrepared->compute(deadline);
    return call(deadline).on(model);
}

ExecutionResult<Executed> ApiExecution::executeInBurst(ApiBurst& burst,
                                                       const OptionalTimePoint& deadline) {
    const SharedBurst& driver = burst.burst();
    if (driver == nullptr) return executePlain(deadline);
    burst.keep(*mRequest);
    if (mIsReusable && mBurst.lock() != driver) {
        auto made = call(deadline).reusableOn(*driver);
        mPreparedInBurst = made.has_value() ? *std::move(made) : nullptr;
        mBurst = driver;
    }
    if (mIsReusable && mPreparedInBurst != nullptr) return mPreparedInBurst->compute(deadline);
    return call(deadline).on(*driver);
}

ApiStatus ApiExecution::run(const OptionalTimePoint& deadline, ApiBurst* burst) {
    ExecutionResult<Executed> executed = error() << "it has thrown";
    try {
        executed = burst == nullptr ? executePlain(deadline) : executeInBurst(*burst, deadline);
    } catch (...) {
        executed = statusOfException();
    }
    const EndingLock lock(*this);
    return end(std::move(executed));
}

ApiStatus ApiExecution::computeNow(ApiBurst* burst) {
    refreshAll();
    OptionalTimePoint deadline;
    {
        const EndingLock lock(*this);
        NNAPI_API_RETURN_IF_ERROR(checkStart());
        NNAPI_API_RETURN_IF_ERROR(
                begin(burst == nullptr ? ANNDIAG_EXECUTION_MODE_SYNC : ANNDIAG_EXECUTION_MODE_BURST,
                      deadline));
    }
    return run(deadline, burst);
}

ApiStatus ApiExecution::compute() { return computeNow(nullptr); }

ApiStatus ApiExecution::burstCompute(ApiBurst& burst) { return computeNow(&burst); }

// ---- in a thread

ApiStatus ApiExecution::startCompute(std::shared_ptr<ApiEvent>& event) {
    refreshAll();
    auto made = std::make_shared<ApiEvent>();
    OptionalTimePoint deadline;
    {
        const EndingLock lock(*this);
        NNAPI_API_RETURN_IF_ERROR(checkStart());
        const ApiStatus begun = begin(ANNDIAG_EXECUTION_MODE_ASYNC, deadline);
        // A missing value ends the execution with its code.
        if (mState == State::COMPLETED && begun.code == ANEURALNETWORKS_OP_FAILED) {
            made->end(begun.code);
            event = std::move(made);
            return {};
        }
        NNAPI_API_RETURN_IF_ERROR(begun);
    }
    try {
        gThreads.run([self = shared_from_this(), made, deadline]() mutable {
            int code = ANEURALNETWORKS_OP_FAILED;
            try {
                const ApiStatus status = self->run(deadline, nullptr);
                // The event has only the code.
                code = status.ok() ? status.code
                                   : codeOfFailure("ANeuralNetworksExecution_startCompute", status);
            } catch (...) {
                // out of memory: not logged
            }
            // Destroyed before the event ends: a thread that waits for the event may then unload
            // code that the destructor needs.
            self = nullptr;
            made->end(code);
        });
    } catch (const std::exception&) {
        const EndingLock lock(*this);
        return endWith(makeError(ErrorStatus::RESOURCE_EXHAUSTED_TRANSIENT,
                                 "there is no thread to compute"),
                       {}, {});
    }
    event = std::move(made);
    return {};
}

// ---- after others

GeneralResult<ExecutedFenced> ApiExecution::launch(
        const std::vector<std::shared_ptr<ApiEvent>>& events, const OptionalTimePoint& deadline,
        const OptionalDuration& afterFences) NNAPI_TRY {
    std::vector<SyncFence> fences;
    for (const auto& event : events) {
        if (event->fence().hasFd()) {
            fences.push_back(event->fence());
        } else if (event->wait() != ANEURALNETWORKS_NO_ERROR) {
            return error() << "an execution that it depends on has failed";
        }
    }
    if (mIsReusable && mPrepared == nullptr) {
        auto made = call(deadline).reusableOn(*mCompiled->prepared);
        if (made.has_value()) mPrepared = *std::move(made);
    }
    if (mPrepared != nullptr) return mPrepared->computeFenced(fences, deadline, afterFences);
    return call(deadline).fencedOn(*mCompiled->prepared, fences, afterFences);
}
NNAPI_CATCH

int ApiExecution::settle(uint64_t start, const ExecuteFencedInfoCallback& callback,
                         SyncFence::FenceState state) {
    GeneralResult<FencedTimings> infos = error() << "the execution has ended without a reason";
    if (callback != nullptr) {
        try {
            infos = callback();
        } catch (...) {
            infos = statusOfException();
        }
    }
    if (infos.has_value() && state != SyncFence::FenceState::SIGNALED) {
        infos = error() << "the fence of the execution has failed";
    }
    const EndingLock lock(*this);
    // Another thread may have refreshed it meanwhile, and started it again.
    if (mStart != start || mState != State::COMPUTATION) {
        return infos.has_value() ? ANEURALNETWORKS_NO_ERROR : codeOf(infos.status());
    }
    if (!infos.has_value()) return endWith(infos.status(), {}, {}).code;
    return endWith({}, {}, *infos).code;
}

ApiStatus ApiExecution::startComputeAfter(const std::vector<std::shared_ptr<ApiEvent>>& events,
                                          uint64_t duration, std::shared_ptr<ApiEvent>& event) {
    refreshAll();
    OptionalTimePoint deadline;
    uint64_t start = 0;
    {
        const EndingLock lock(*this);
        NNAPI_API_RETURN_IF_ERROR(checkStart());
        if (duration > 0 && !mCompiled->hasOneExplicitDevice()) {
            return badData("the compilation was not made for one device");
        }
        if (mArguments.checkComplete().ok())
            NNAPI_API_RETURN_IF_ERROR(mArguments.checkOutputsKnown());
        NNAPI_API_RETURN_IF_ERROR(begin(ANNDIAG_EXECUTION_MODE_ASYNC_WITH_DEPS, deadline, events));
        start = mStart;
    }
    const auto self = shared_from_this();
    auto launched = launch(events, deadline, durationOf(duration));
    if (!launched.has_value()) {
        const EndingLock lock(*this);
        return endWith(launched.status(), {}, {});
    }
    const auto& [fence, callback] = *launched;
    if (!fence.hasFd()) {
        const int code = settle(start, callback, SyncFence::FenceState::SIGNALED);
        event = std::make_shared<ApiEvent>();
        event->end(code);
        return {};
    }
    event = std::make_shared<ApiEvent>(
            fence, [self, start, callback = callback](SyncFence::FenceState state) {
                return self->settle(start, callback, state);
            });
    const EndingLock lock(*this);
    mFenced = event;
    mArguments.promiseValues(event, start);
    return {};
}

}  // namespace nn::runtime
