// Executes the steps of a plan by bursts, reusable executions or fences.
#pragma once

#include <memory>
#include <optional>
#include <utility>
#include <vector>

#include "runtime/plan/plan_execution.h"

namespace nn::runtime {

// Executes each step through a separate burst. One execution at a time.
class BurstCaller final : public StepCaller {
   public:
    // Steps whose devices have no bursts are executed without one.
    explicit BurstCaller(const CompiledPlan& plan);

    ExecutionResult<Executed> call(const Step& step, size_t index,
                                   const ExecutionCall& call) override;

    // Caches the memory in each burst until the hold is released. Null if no burst caches it.
    IBurst::OptionalCacheHold cacheMemory(const SharedMemory& memory) const;

   private:
    std::vector<SharedBurst> mBursts{};  // null if there is none
};

// Executes each step by reusable executions, one for each distinct request. One execution at a
// time.
class ReusableCaller final : public StepCaller {
   public:
    explicit ReusableCaller(const CompiledPlan& plan) : mCache(plan.steps.size()) {}

    ExecutionResult<Executed> call(const Step& step, size_t index,
                                   const ExecutionCall& call) override;

   private:
    struct CachedExecution {
        Request request{};
        SharedExecution execution{};
    };
    SharedExecution find(const Step& step, size_t index, const ExecutionCall& call);

    // A step in a loop alternates between a few requests. Further ones are executed directly.
    static constexpr size_t kMaxRequests = 4;
    std::vector<std::vector<CachedExecution>> mCache;
};

// The total time of steps that are launched one after the other.
class FencedTimes {
   public:
    explicit FencedTimes(MeasureTiming measure) : mMeasure(measure) {}

    // Adds a step that has ended.
    void add(const Timing& timing) { add(FencedTimings(timing, timing)); }
    // A step whose times are known when it has ended.
    struct Launched {
        SyncFence fence{};
        ExecuteFencedInfoCallback callback{};
    };
    void add(Launched step) { mPending.push_back(std::move(step)); }

    // Called when all steps have ended, or one has failed; returns the first failure. Releases the
    // callbacks, since a driver's callback may hold descriptors.
    Status settle();

    // The first failure of the steps that have been added up.
    const Status& failure() const { return mFailure; }

    // The total since the launch, and since the fences were signaled; or the first failure.
    // Pending callbacks are called each time.
    GeneralResult<FencedTimings> infos() const;

   private:
    void add(const GeneralResult<FencedTimings>& infos);

    MeasureTiming mMeasure;
    std::vector<Launched> mPending{};  // not yet added up
    Status mFailure{};
    std::optional<Timing> mSinceFences{};
    Timing mLast{};
};

// Launches each step with the fence of the previous one. Waits for devices without fences.
class FencedCaller final : public StepCaller {
   public:
    // `waitFor`: the fences of the first step.
    FencedCaller(std::vector<SyncFence> waitFor, const OptionalTimePoint& deadline,
                 MeasureTiming measure)
        : mPending(std::move(waitFor)), mDeadline(deadline), mTimes(measure) {}

    ExecutionResult<Executed> call(const Step& step, size_t index,
                                   const ExecutionCall& call) override;
    Status settle() override;

    // The fence of the last step; a signaled one if everything has ended.
    SyncFence fence() const { return mPending.empty() ? SyncFence() : mPending.front(); }
    const FencedTimes& times() const { return mTimes; }

   private:
    std::vector<SyncFence> mPending;
    OptionalTimePoint mDeadline;
    FencedTimes mTimes;
};

}  // namespace nn::runtime
