// ANeuralNetworksExecution, from its first argument to its results.
#pragma once

#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "base/process_mutex.h"
#include "driver/memory/execution_call.h"
#include "runtime/objects/burst.h"
#include "runtime/objects/compilation_builder.h"
#include "runtime/objects/event.h"
#include "runtime/objects/execution_arguments.h"
#include "runtime/observe/telemetry.h"

namespace nn::runtime {

// Methods correspond to the C API functions of the same names; pointers must not be null.
// Thread-safe. Callers and running computations share ownership, so that an application may free
// its handle at any time.
class ApiExecution : public std::enable_shared_from_this<ApiExecution> {
   public:
    explicit ApiExecution(std::shared_ptr<const Compiled> compiled);

    const std::shared_ptr<const Compiled>& compiled() const { return mCompiled; }

    ApiStatus setArgument(bool isInput, int32_t index, const ANeuralNetworksOperandType* type,
                          const ArgumentPlace& place);
    ApiStatus setMeasureTiming(bool measure);
    ApiStatus setTimeout(uint64_t duration);
    ApiStatus setLoopTimeout(uint64_t duration);
    ApiStatus enablePadding(bool enable);
    ApiStatus setReusable(bool reusable);
    ApiStatus addExtensionAttribute(const std::string& extension, uint16_t code, const void* data,
                                    size_t length);

    ApiStatus compute();
    // The burst belongs to the same compilation and is held by the caller.
    ApiStatus burstCompute(ApiBurst& burst);
    ApiStatus startCompute(std::shared_ptr<ApiEvent>& event);
    ApiStatus startComputeAfter(const std::vector<std::shared_ptr<ApiEvent>>& events,
                                uint64_t duration, std::shared_ptr<ApiEvent>& event);

    ApiStatus outputRank(int32_t index, uint32_t* rank);
    ApiStatus outputDimensions(int32_t index, uint32_t* dimensions);
    ApiStatus duration(int32_t code, uint64_t* duration);

   private:
    enum class State { PREPARATION, COMPUTATION, COMPLETED };

    struct Output {
        Dimensions dimensions{};
        bool isSufficient = true;
    };

    // A lock whose release reports the computations that ended under it.
    class EndingLock;

    // ---- with the lock
    ApiStatus checkPreparing() const;
    ApiStatus checkStart() const;
    // Marks the start of a computation, which waits for the events in `after`.
    ApiStatus begin(ANeuralNetworksDiagnosticExecutionMode mode, OptionalTimePoint& deadline,
                    const std::vector<std::shared_ptr<ApiEvent>>& after = {});
    ApiStatus end(ExecutionResult<Executed> executed);
    ApiStatus endWith(const Status& status, const std::vector<OutputShape>& shapes,
                      const FencedTimings& timings);
    // Excludes the fields that all executions of the compilation share.
    ANeuralNetworksDiagnosticExecutionInfo info() const;
    ApiStatus checkOutput(int32_t index) const;

    // ---- without it
    // Records the result of a fenced execution that has ended.
    void refresh();
    // The same before a start, including executions that write its inputs.
    void refreshAll();
    driver::ExecutionCall call(const OptionalTimePoint& deadline) const;
    ExecutionResult<Executed> executePlain(const OptionalTimePoint& deadline);
    ExecutionResult<Executed> executeInBurst(ApiBurst& burst, const OptionalTimePoint& deadline);
    ApiStatus run(const OptionalTimePoint& deadline, ApiBurst* burst);
    ApiStatus computeNow(ApiBurst* burst);
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
    OptionalDuration mLoopTimeoutDuration{};
    Hints mHints{};

    // Made by the first start and constant from then on, so that computations read them without the
    // lock.
    std::optional<Request> mRequest{};
    SharedExecution mPrepared{};
    std::weak_ptr<const IBurst> mBurst{};  // of the next
    SharedExecution mPreparedInBurst{};

    // State of the last start.
    uint64_t mStart = 0;
    ANeuralNetworksDiagnosticExecutionMode mMode = ANNDIAG_EXECUTION_MODE_UNKNOWN;
    TimePoint mStarted{};
    std::optional<ANeuralNetworksDiagnosticExecutionInfo> mUnreported{};
    std::shared_ptr<ApiEvent> mFenced{};
    int mCode = ANEURALNETWORKS_NO_ERROR;
    std::vector<Output> mOutputs{};
    FencedTimings mTimings{};
};

// No lock is held during callbacks.
class ApiExecution::EndingLock {
   public:
    explicit EndingLock(ApiExecution& execution) : mExecution(execution), mLock(execution.mMutex) {}
    EndingLock(const EndingLock&) = delete;
    EndingLock& operator=(const EndingLock&) = delete;
    ~EndingLock() {
        auto unreported = std::exchange(mExecution.mUnreported, std::nullopt);
        const auto compiled = unreported ? mExecution.mCompiled : nullptr;
        mLock.unlock();
        if (!unreported) return;
        try {
            static_cast<Diagnosed&>(*unreported) = diagnose(*compiled);
            reportTelemetry(*unreported);
        } catch (...) {
            // a device threw, or memory ran out: nothing is reported
        }
    }

   private:
    ApiExecution& mExecution;
    std::unique_lock<ProcessMutex> mLock;
};

}  // namespace nn::runtime
