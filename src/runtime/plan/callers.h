// The ways to execute steps but the plain one.
#pragma once

#include <memory>
#include <vector>

#include "runtime/plan/run.h"

namespace nn::runtime {

// By a burst of each step. One execution at a time.
class BurstCaller final : public StepCaller {
   public:
    // A step whose device gives no burst is executed without.
    explicit BurstCaller(const Compound& plan);

    ExecutionResult<Executed> call(const Step& step, size_t index, const Request& request,
                                   const CallArguments& arguments) override;

    // In each burst, until the hold is gone; null where none keeps it.
    IBurst::OptionalCacheHold cacheMemory(const SharedMemory& memory) const;

   private:
    std::vector<SharedBurst> mBursts{};  // null where there is none
};

// By reusable executions, each made when a step first has that request. One execution at a time.
class ReusableCaller final : public StepCaller {
   public:
    explicit ReusableCaller(const Compound& plan) : mKnown(plan.steps.size()) {}

    ExecutionResult<Executed> call(const Step& step, size_t index, const Request& request,
                                   const CallArguments& arguments) override;

   private:
    struct Known {
        Request request{};
        SharedExecution execution{};
    };
    SharedExecution find(const Step& step, size_t index, const Request& request,
                         const CallArguments& arguments);

    // In loops a step has some few requests; with others it is executed without.
    static constexpr size_t kMost = 4;
    std::vector<std::vector<Known>> mKnown;
};

// Each step behind the fence of the one before it. Devices without fences are waited for.
class FencedCaller final : public StepCaller {
   public:
    // One answer for each step, in their order.
    struct Part {
        ExecuteFencedInfoCallback callback{};  // empty: it has ended, and took so long
        Timing timing{};
    };

    // The first step waits for these.
    FencedCaller(std::vector<SyncFence> waitFor, const OptionalTimePoint& deadline)
        : mPending(std::move(waitFor)), mDeadline(deadline) {}

    ExecutionResult<Executed> call(const Step& step, size_t index, const Request& request,
                                   const CallArguments& arguments) override;
    Status settle() override;

    // Of the last step; signalled where all has ended.
    SyncFence fence() const { return mPending.empty() ? SyncFence() : mPending.front(); }
    const std::vector<Part>& parts() const { return mParts; }

   private:
    std::vector<SyncFence> mPending;
    OptionalTimePoint mDeadline;
    std::vector<Part> mParts{};
};

// Since the launch and since the fences were signalled, of all parts together.
GeneralResult<std::pair<Timing, Timing>> infoOf(const std::vector<FencedCaller::Part>& parts);

}  // namespace nn::runtime
