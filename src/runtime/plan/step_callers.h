// Executes the steps of a plan by bursts, reusable executions or fences.
#pragma once

#include <memory>
#include <optional>
#include <utility>
#include <vector>

#include "runtime/plan/plan_execution.h"

namespace nn::runtime {

// By a burst of each step. One execution at a time.
class BurstCaller final : public StepCaller {
   public:
    // A step whose device gives no burst is executed without.
    explicit BurstCaller(const Compound& plan);

    ExecutionResult<Executed> call(const Step& step, size_t index,
                                   const ExecutionCall& call) override;

    // In each burst, until the hold is gone; null where none keeps it.
    IBurst::OptionalCacheHold cacheMemory(const SharedMemory& memory) const;

   private:
    std::vector<SharedBurst> mBursts{};  // null where there is none
};

// By reusable executions, each made when a step first has that request. One execution at a time.
class ReusableCaller final : public StepCaller {
   public:
    explicit ReusableCaller(const Compound& plan) : mKnown(plan.steps.size()) {}

    ExecutionResult<Executed> call(const Step& step, size_t index,
                                   const ExecutionCall& call) override;

   private:
    struct Known {
        Request request{};
        SharedExecution execution{};
    };
    SharedExecution find(const Step& step, size_t index, const ExecutionCall& call);

    // In loops a step has some few requests; with others it is executed without.
    static constexpr size_t kMaxRequests = 4;
    std::vector<std::vector<Known>> mKnown;
};

// What steps have taken that are launched one after the other.
class FencedTimes {
   public:
    explicit FencedTimes(MeasureTiming measure) : mMeasure(measure) {}

    // Of a step that has ended.
    void add(const Timing& timing) { add(FencedInfos(timing, timing)); }
    // Of one that is asked when it has ended.
    void add(ExecuteFencedInfoCallback callback) { mPending.push_back(std::move(callback)); }

    // All have ended: they are asked, and let go, since a driver may keep descriptors in them.
    void settle();

    // Since the launch and since the fences were signalled, of all together; the failure of the
    // first that has failed. Those that are pending are asked each time.
    GeneralResult<FencedInfos> infos() const;

   private:
    void add(const GeneralResult<FencedInfos>& infos);

    MeasureTiming mMeasure;
    std::vector<ExecuteFencedInfoCallback> mPending{};  // after all that is added up
    Status mFailure{};                                  // the first
    std::optional<Timing> mSinceFences{};
    Timing mLast{};
};

// Each step after the fence of the one before it. Devices without fences are waited for.
class FencedCaller final : public StepCaller {
   public:
    // The first step waits for these.
    FencedCaller(std::vector<SyncFence> waitFor, const OptionalTimePoint& deadline,
                 MeasureTiming measure)
        : mPending(std::move(waitFor)), mDeadline(deadline), mTimes(measure) {}

    ExecutionResult<Executed> call(const Step& step, size_t index,
                                   const ExecutionCall& call) override;
    Status settle() override;

    // Of the last step; signalled where all has ended.
    SyncFence fence() const { return mPending.empty() ? SyncFence() : mPending.front(); }
    const FencedTimes& times() const { return mTimes; }

   private:
    std::vector<SyncFence> mPending;
    OptionalTimePoint mDeadline;
    FencedTimes mTimes;
};

}  // namespace nn::runtime
