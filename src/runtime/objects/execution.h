// An execution of the C API, from its first argument to its results.
#pragma once

#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "runtime/objects/burst.h"
#include "runtime/objects/compilation_builder.h"
#include "runtime/objects/event.h"
#include "runtime/objects/execution_arguments.h"
#include "runtime/observe/telemetry.h"
#include "types/process_mutex.h"

namespace nn::runtime {

// As the functions of its name in the C API; pointers are not null. Thread-safe. Whoever calls it
// keeps it, and what computes it shares it, so that an application may free its handle meanwhile.
class ApiExecution : public std::enable_shared_from_this<ApiExecution> {
   public:
    explicit ApiExecution(std::shared_ptr<const Compiled> compiled);

    const std::shared_ptr<const Compiled>& compiled() const { return mCompiled; }

    Answer setArgument(bool isInput, int32_t index, const ANeuralNetworksOperandType* type,
                       const ArgumentPlace& place);
    Answer setMeasureTiming(bool measure);
    Answer setTimeout(uint64_t duration);
    Answer setLoopTimeout(uint64_t duration);
    Answer enablePadding(bool enable);
    Answer setReusable(bool reusable);
    Answer addExtensionAttribute(const std::string& extension, uint16_t code, const void* data,
                                 size_t length);

    Answer compute();
    // The burst is of the same compilation, and taken.
    Answer burstCompute(ApiBurst& burst);
    Answer startCompute(std::shared_ptr<ApiEvent>& event);
    Answer startComputeAfter(const std::vector<std::shared_ptr<ApiEvent>>& events,
                             uint64_t duration, std::shared_ptr<ApiEvent>& event);

    Answer outputRank(int32_t index, uint32_t* rank);
    Answer outputDimensions(int32_t index, uint32_t* dimensions);
    Answer duration(int32_t code, uint64_t* duration);

   private:
    enum class State { PREPARATION, COMPUTATION, COMPLETED };

    struct Output {
        Dimensions dimensions{};
        bool isSufficient = true;
    };
    using Infos = std::pair<Timing, Timing>;

    // A lock; what has ended under it is told when it is released.
    class EndingLock;

    // ---- with the lock
    Answer checkPreparing() const;
    Answer checkStart() const;
    // From now on it computes; `after`: what it waits for.
    Answer begin(ANeuralNetworksDiagnosticExecutionMode mode, OptionalTimePoint& deadline,
                 const std::vector<std::shared_ptr<ApiEvent>>& after = {});
    Answer end(ExecutionResult<Executed> executed);
    Answer endWith(const Status& status, const std::vector<OutputShape>& shapes,
                   const Infos& timings);
    // Without what all executions of the compilation have in common.
    ANeuralNetworksDiagnosticExecutionInfo info() const;
    Answer checkOutput(int32_t index) const;

    // ---- without it
    // Takes note of a fenced execution that has ended meanwhile.
    void refresh();
    // Before a start: also of those that write its inputs.
    void refreshAll();
    ExecutionResult<Executed> executePlain(const OptionalTimePoint& deadline);
    ExecutionResult<Executed> executeInBurst(ApiBurst& burst, const OptionalTimePoint& deadline);
    Answer run(const OptionalTimePoint& deadline, ApiBurst* burst);
    Answer computeNow(ApiBurst* burst);
    GeneralResult<ExecutedFenced> launch(const std::vector<std::shared_ptr<ApiEvent>>& events,
                                         const OptionalTimePoint& deadline,
                                         const OptionalDuration& afterFences);
    int settle(uint64_t start, const ExecuteFencedInfoCallback& callback,
               SyncFence::FenceState state);

    const std::shared_ptr<const Compiled> mCompiled;

    mutable ProcessMutex mMutex{};
    State mState = State::PREPARATION;
    ApiArguments mArguments;
    bool mIsReusable = false;
    MeasureTiming mMeasure = MeasureTiming::NO;
    OptionalDuration mTimeout{};
    OptionalDuration mLoopTimeout{};
    Hints mHints{};

    // Made by the first start, and the same from then on. Whoever computes reads them unlocked.
    std::optional<Request> mRequest{};
    SharedExecution mPrepared{};
    std::weak_ptr<const IBurst> mBurst{};  // of the next
    SharedExecution mPreparedInBurst{};

    // Of the last start.
    uint64_t mStart = 0;
    ANeuralNetworksDiagnosticExecutionMode mMode = ANNDIAG_EXECUTION_MODE_UNKNOWN;
    TimePoint mStarted{};
    std::optional<ANeuralNetworksDiagnosticExecutionInfo> mUntold{};
    std::shared_ptr<ApiEvent> mFenced{};
    int mCode = ANEURALNETWORKS_NO_ERROR;
    std::vector<Output> mOutputs{};
    Infos mTimings{};
};

// No lock is held while somebody is told.
class ApiExecution::EndingLock {
   public:
    explicit EndingLock(ApiExecution& execution) : mExecution(execution), mLock(execution.mMutex) {}
    EndingLock(const EndingLock&) = delete;
    EndingLock& operator=(const EndingLock&) = delete;
    ~EndingLock() {
        auto untold = std::exchange(mExecution.mUntold, std::nullopt);
        const auto compiled = untold ? mExecution.mCompiled : nullptr;
        mLock.unlock();
        if (!untold) return;
        try {
            static_cast<Diagnosed&>(*untold) = diagnose(*compiled);
            tell(*untold);
        } catch (...) {
            // a device has thrown, or there is no memory: nobody is told
        }
    }

   private:
    ApiExecution& mExecution;
    std::unique_lock<ProcessMutex> mLock;
};

}  // namespace nn::runtime
