#include "runtime/plan/planned_prepared_model.h"

#include <absl/algorithm/container.h>

#include <utility>

#include "base/no_throw.h"
#include "driver/adapt/argument_checks.h"
#include "driver/adapt/default_execution.h"
#include "driver/fences/deadlines.h"
#include "driver/fences/fences.h"
#include "driver/memory/call_objects.h"
#include "driver/threads/exclusive_use.h"
#include "nnapi/validate.h"
#include "runtime/plan/plain_request.h"
#include "runtime/plan/step_callers.h"

namespace nn::runtime {
namespace {

// State for one execution at a time, with reusable executions of the steps.
struct ReusableSlot {
    ReusableSlot(std::unique_ptr<State> made, const CompiledPlan& plan)
        : state(std::move(made)), caller(plan) {}

    std::unique_ptr<State> state;
    ReusableCaller caller;
};

// State for one execution at a time by bursts, which cache its memory.
struct BurstSlot {
    BurstSlot(std::unique_ptr<State> made, const BurstCaller& caller) : state(std::move(made)) {
        if (state->memory.get() != nullptr) hold = caller.cacheMemory(state->memory);
    }

    std::unique_ptr<State> state;
    IBurst::OptionalCacheHold hold{};
};

class PlannedPreparedModel final : public driver::CallPreparedModel,
                                   public std::enable_shared_from_this<PlannedPreparedModel> {
   public:
    explicit PlannedPreparedModel(std::shared_ptr<const CompiledPlan> plan)
        : mPlan(std::move(plan)) {}

    ExecutionResult<Executed> executeCall(const ExecutionCall& call) const override {
        NNAPI_RETURN_IF_ERROR(check(call));
        DirectCaller caller;
        return compute(call, caller);
    }

    GeneralResult<ExecutedFenced> launchCall(
            const ExecutionCall& call, const std::vector<SyncFence>& waitFor,
            const OptionalDuration& timeoutDurationAfterFence) const override {
        NNAPI_RETURN_IF_ERROR(check(call, false));
        NNAPI_RETURN_IF_ERROR(driver::checkDeadlineBefore("executeFenced", call.deadline));
        const bool isApart = mPlan->allowsAliasing || !overlapOf(call.request).isAny();
        if (!mPlan->dynamics.empty() || !isApart) {
            return driver::executeAfterFences(*this, call, waitFor, timeoutDurationAfterFence);
        }
        OptionalTimePoint end = call.deadline;
        std::vector<SyncFence> fences = waitFor;
        if (timeoutDurationAfterFence) {
            // The timeout is for all steps together and starts when the fences have signaled.
            NNAPI_RETURN_IF_ERROR(driver::waitForAll(waitFor, call.deadline));
            end = driver::earlier(call.deadline,
                                  driver::after(Clock::now(), timeoutDurationAfterFence));
            fences.clear();
        }
        // Not from the pool: devices may use its memory until the last fence is signaled.
        NNAPI_ASSIGN_OR_RETURN(state, State::make(*mPlan));
        FencedCaller caller(std::move(fences), end, call.measure);
        const auto launched = launch(*mPlan, call.until(end), *state, caller);
        if (!launched.has_value()) {
            // Launched steps still write to outputs, which the caller may reuse after a failure.
            (void)caller.settle();
            // The reason may be an earlier step, whose fence has failed.
            NNAPI_RETURN_IF_ERROR(caller.times().failure());
            return launched.status();
        }
        return ExecutedFenced{caller.fence(),
                              [times = caller.times(), plan = mPlan] { return times.infos(); }};
    }

    GeneralResult<SharedExecution> makeExecution(const ExecutionCall& call) const override;

    GeneralResult<SharedBurst> configureExecutionBurst() const override;

    std::any getUnderlyingResource() const override { return {}; }

    const CompiledPlan& plan() const { return *mPlan; }

    Status check(const ExecutionCall& call, bool allowUnspecifiedOutput = true) const {
        const Request& request = call.request;
        NNAPI_RETURN_IF_ERROR(driver::checkExecution(call.measure, call.loopTimeoutDuration,
                                                     call.hints, call.extensionNameToPrefix));
        if (!hasBuffers(request)) {
            return validateRequestForModel(request, *mPlan->model, allowUnspecifiedOutput).status();
        }
        // Devices check the dimensions of their own buffers.
        NNAPI_RETURN_IF_ERROR(validate(request).status());
        const Model::Subgraph& main = mPlan->model->main;
        if (request.inputs.size() == main.inputIndexes.size() &&
            request.outputs.size() == main.outputIndexes.size()) {
            return {};
        }
        return error(ErrorStatus::INVALID_ARGUMENT)
               << request.inputs.size() << " inputs and " << request.outputs.size()
               << " outputs given, allowed " << main.inputIndexes.size() << " and "
               << main.outputIndexes.size() << " as in the model";
    }

    // Of a request that was checked.
    ExecutionResult<Executed> compute(const ExecutionCall& call, StepCaller& caller) const {
        NNAPI_RETURN_IF_ERROR(driver::checkDeadlineBefore("execute", call.deadline));
        auto state = mStates.take();
        if (state == nullptr) {
            NNAPI_ASSIGN_OR_RETURN(made, State::make(*mPlan));
            state = std::move(made);
        }
        auto executed = run(*mPlan, call, *state, caller);
        if (!state->isSpent) mStates.giveBack(std::move(state));
        return executed;
    }

   private:
    std::shared_ptr<const CompiledPlan> mPlan;
    mutable ObjectPool<State> mStates{};
};

using SharedCompound = std::shared_ptr<const PlannedPreparedModel>;

class CompoundExecution final : public IExecution {
   public:
    CompoundExecution(SharedCompound preparedModel, OwnedCall call)
        : mPreparedModel(std::move(preparedModel)), mCall(std::move(call)) {}

    ExecutionResult<Executed> compute(const OptionalTimePoint& deadline) const override NNAPI_TRY {
        NNAPI_RETURN_IF_ERROR(driver::checkDeadlineBefore("compute", deadline));
        const CompiledPlan& plan = mPreparedModel->plan();
        auto slot = mSlots.take();
        if (slot == nullptr) {
            NNAPI_ASSIGN_OR_RETURN(state, State::make(plan));
            slot = std::make_unique<ReusableSlot>(std::move(state), plan);
        }
        auto executed = run(plan, mCall.lent(deadline), *slot->state, slot->caller);
        if (!slot->state->isSpent) mSlots.giveBack(std::move(slot));
        return executed;
    }
    NNAPI_CATCH

    GeneralResult<ExecutedFenced> computeFenced(
            const std::vector<SyncFence>& waitFor, const OptionalTimePoint& deadline,
            const OptionalDuration& timeoutDurationAfterFence) const override {
        return mCall.lent(deadline).fencedOn(*mPreparedModel, waitFor, timeoutDurationAfterFence);
    }

   private:
    SharedCompound mPreparedModel;
    OwnedCall mCall;
    mutable ObjectPool<ReusableSlot> mSlots{};
};

GeneralResult<SharedExecution> PlannedPreparedModel::makeExecution(
        const ExecutionCall& call) const {
    NNAPI_RETURN_IF_ERROR(check(call));
    return SharedExecution(
            std::make_shared<const CompoundExecution>(shared_from_this(), OwnedCall(call)));
}

// Executes one call at a time, with memory that the bursts of the steps cache.
class CompoundBurst final : public driver::CallBurst,
                            public std::enable_shared_from_this<CompoundBurst> {
   public:
    CompoundBurst(SharedCompound preparedModel, std::unique_ptr<State> state)
        : mPreparedModel(std::move(preparedModel)), mCaller(mPreparedModel->plan()) {
        mSlots.giveBack(std::make_unique<BurstSlot>(std::move(state), mCaller));
    }

    OptionalCacheHold cacheMemory(const SharedMemory& memory) const override {
        return mCaller.cacheMemory(memory);
    }

    ExecutionResult<Executed> executeCall(const ExecutionCall& call) const override {
        NNAPI_RETURN_IF_ERROR(mPreparedModel->check(call));
        return compute(call);
    }

    GeneralResult<SharedExecution> makeExecution(const ExecutionCall& call) const override;

    // Of a request that was checked.
    ExecutionResult<Executed> compute(const ExecutionCall& call) const NNAPI_TRY {
        const driver::ExclusiveUse::Turn turn = mExclusiveUse.tryTake();
        if (!turn.isTaken()) {
            return error() << "the burst executes already, allowed one at a time";
        }
        NNAPI_RETURN_IF_ERROR(driver::checkDeadlineBefore("execute", call.deadline));
        const CompiledPlan& plan = mPreparedModel->plan();
        auto slot = mSlots.take();
        if (slot == nullptr) {
            NNAPI_ASSIGN_OR_RETURN(state, State::make(plan));
            slot = std::make_unique<BurstSlot>(std::move(state), mCaller);
        }
        auto executed = run(plan, call, *slot->state, mCaller);
        if (!slot->state->isSpent) mSlots.giveBack(std::move(slot));
        return executed;
    }
    NNAPI_CATCH

   private:
    SharedCompound mPreparedModel;
    mutable BurstCaller mCaller;
    mutable ObjectPool<BurstSlot> mSlots{};
    mutable driver::ExclusiveUse mExclusiveUse{};
};

class BurstExecution final : public driver::UnfencedExecution {
   public:
    BurstExecution(std::shared_ptr<const CompoundBurst> burst, OwnedCall call)
        : mBurst(std::move(burst)), mCall(std::move(call)) {}

    ExecutionResult<Executed> compute(const OptionalTimePoint& deadline) const override {
        return mBurst->compute(mCall.lent(deadline));
    }

   private:
    std::shared_ptr<const CompoundBurst> mBurst;
    OwnedCall mCall;
};

GeneralResult<SharedExecution> CompoundBurst::makeExecution(const ExecutionCall& call) const {
    NNAPI_RETURN_IF_ERROR(mPreparedModel->check(call));
    return SharedExecution(
            std::make_shared<const BurstExecution>(shared_from_this(), OwnedCall(call)));
}

GeneralResult<SharedBurst> PlannedPreparedModel::configureExecutionBurst() const NNAPI_TRY {
    NNAPI_ASSIGN_OR_RETURN(state, State::make(*mPlan));
    return SharedBurst(std::make_shared<const CompoundBurst>(shared_from_this(), std::move(state)));
}
NNAPI_CATCH

}  // namespace

SharedPreparedModel compoundPreparedModel(std::shared_ptr<const CompiledPlan> plan) {
    return std::make_shared<const PlannedPreparedModel>(std::move(plan));
}

}  // namespace nn::runtime
