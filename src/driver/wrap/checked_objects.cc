#include "driver/wrap/checked_objects.h"

#include <string_view>
#include <utility>
#include <vector>

#include "driver/memory/call_objects.h"
#include "driver/wrap/result_checks.h"

namespace nn::driver {
namespace {

GeneralResult<ExecutedFenced> checkFenced(GeneralResult<ExecutedFenced> executed,
                                          MeasureTiming measure) {
    if (!executed.has_value() || !executed->second) return executed;
    auto& info = executed->second;
    info = [inner = std::move(info), measure] {
        return checkExecutionResult(inner(), measure, "getExecutionInfo");
    };
    return executed;
}

class CheckedExecution final : public IExecution {
   public:
    CheckedExecution(SharedExecution inner, std::vector<Request::Argument> arguments,
                     SharedOutputSignatures outputs, MeasureTiming measure)
        : mInner(std::move(inner)),
          mArguments(std::move(arguments)),
          mOutputs(std::move(outputs)),
          mMeasure(measure) {}

    ExecutionResult<Executed> compute(const OptionalTimePoint& deadline) const override {
        return checkExecutionResult(mInner->compute(deadline), {mArguments, mOutputs.get()},
                                    mMeasure, "IExecution::compute");
    }
    GeneralResult<ExecutedFenced> computeFenced(
            const std::vector<SyncFence>& waitFor, const OptionalTimePoint& deadline,
            const OptionalDuration& timeoutDurationAfterFence) const override {
        return checkFenced(mInner->computeFenced(waitFor, deadline, timeoutDurationAfterFence),
                           mMeasure);
    }

   private:
    const SharedExecution mInner;
    const std::vector<Request::Argument> mArguments;  // the outputs
    const SharedOutputSignatures mOutputs;
    const MeasureTiming mMeasure;
};

bool isTooSmallWithoutShapes(const ExecutionResult<Executed>& executed) {
    if (executed.has_value()) return false;
    const ExecutionError failure = executed.error();
    return failure.code == ErrorStatus::OUTPUT_INSUFFICIENT_SIZE && failure.outputShapes.empty();
}

// Shared by prepared models and bursts.
template <class Base, class Interface>
class Checked : public Base {
   public:
    Checked(std::shared_ptr<const Interface> inner, SharedOutputSignatures outputs,
            TooSmall tooSmall)
        : mInner(std::move(inner)), mOutputs(std::move(outputs)), mTooSmall(tooSmall) {}

    ExecutionResult<Executed> executeCall(const ExecutionCall& call) const override {
        auto executed = call.on(*mInner);
        if (mTooSmall == TooSmall::CODE_ALONE && isTooSmallWithoutShapes(executed)) return executed;
        return checkExecutionResult(std::move(executed), {call.request.outputs, mOutputs.get()},
                                    call.measure, "execute");
    }
    GeneralResult<SharedExecution> makeExecution(const ExecutionCall& call) const override {
        auto made = call.reusableOn(*mInner);
        if (!made.has_value() || *made == nullptr) return made;
        return SharedExecution(std::make_shared<const CheckedExecution>(
                *std::move(made), call.request.outputs, mOutputs, call.measure));
    }

   protected:
    const std::shared_ptr<const Interface> mInner;
    const SharedOutputSignatures mOutputs;
    const TooSmall mTooSmall;
};

class CheckedBurst final : public Checked<CallBurst, IBurst> {
   public:
    using Checked::Checked;
    OptionalCacheHold cacheMemory(const SharedMemory& memory) const override {
        return mInner->cacheMemory(memory);
    }
};

class CheckedPreparedModel final : public Checked<CallPreparedModel, IPreparedModel> {
   public:
    using Checked::Checked;
    GeneralResult<ExecutedFenced> launchCall(
            const ExecutionCall& call, const std::vector<SyncFence>& waitFor,
            const OptionalDuration& timeoutDurationAfterFence) const override {
        return checkFenced(call.fencedOn(*mInner, waitFor, timeoutDurationAfterFence),
                           call.measure);
    }
    GeneralResult<SharedBurst> configureExecutionBurst() const override {
        auto burst = mInner->configureExecutionBurst();
        if (!burst.has_value()) return burst;
        return checkResults(*std::move(burst), mOutputs);
    }
    std::any getUnderlyingResource() const override { return mInner->getUnderlyingResource(); }
};

}  // namespace

SharedPreparedModel checkResults(SharedPreparedModel preparedModel, SharedOutputSignatures outputs,
                                 TooSmall tooSmall) {
    if (preparedModel == nullptr) return nullptr;
    return std::make_shared<const CheckedPreparedModel>(std::move(preparedModel),
                                                        std::move(outputs), tooSmall);
}

SharedBurst checkResults(SharedBurst burst, SharedOutputSignatures outputs) {
    if (burst == nullptr) return nullptr;
    return std::make_shared<const CheckedBurst>(std::move(burst), std::move(outputs),
                                                TooSmall::WITH_SHAPES);
}

}  // namespace nn::driver
