#include "runtime/devices/pointer_staging.h"

#include <algorithm>
#include <atomic>
#include <utility>

#include "base/no_throw.h"
#include "driver/adapt/default_execution.h"
#include "driver/fences/fence_arguments.h"
#include "driver/memory/call_objects.h"
#include "nnapi/driver/callbacks.h"
#include "nnapi/driver/forwarding.h"
#include "nnapi/relocation.h"
#include "transform/pointers.h"

namespace nn::runtime {
namespace {

using driver::ExecutionCall;

bool hasPointers(const Request& request) {
    return nn::hasPointers(request.inputs) || nn::hasPointers(request.outputs);
}

template <class R>
bool isRefused(const R& result) {
    return !result.has_value() && result.error().code == ErrorStatus::INVALID_ARGUMENT;
}

class PreparedModel final : public driver::ForwardingCallPreparedModel,
                            public std::enable_shared_from_this<PreparedModel> {
   public:
    PreparedModel(SharedPreparedModel inner, Duration ceiling)
        : ForwardingCallPreparedModel(std::move(inner)), mCeiling(ceiling) {}

    GeneralResult<SharedBurst> configureExecutionBurst() const override;

    bool refusesPointers() const { return mRefusesPointers; }

   protected:
    ExecutionResult<Executed> executeCall(const ExecutionCall& call) const override {
        return moved<ExecutionResult<Executed>>(
                call.request, [&](const Request& any) { return call.with(any).on(*inner()); },
                [] { return Status(); }, [](ExecutionResult<Executed>&) { return Status(); });
    }

    GeneralResult<ExecutedFenced> launchCall(const ExecutionCall& call,
                                             const std::vector<SyncFence>& waitFor,
                                             const OptionalDuration& after) const override {
        driver::FenceArguments fences{waitFor, call.deadline, after};
        return moved<GeneralResult<ExecutedFenced>>(
                call.request,
                [&](const Request& any) -> GeneralResult<ExecutedFenced> {
                    auto launched =
                            call.with(any)
                                    .until(fences.deadline)
                                    .fencedOn(*inner(), fences.waitFor, fences.timeoutAfterFences);
                    if (!launched.has_value()) return launched;
                    return driver::launchedAfter(fences.waited, *std::move(launched));
                },
                [&]() -> Status {
                    if (!nn::hasPointers(call.request.inputs)) return {};
                    NNAPI_ASSIGN_OR_RETURN(
                            left, driver::waitBeforeCopying("executeFenced", fences, mCeiling));
                    fences = std::move(left);
                    return {};
                },
                [&](GeneralResult<ExecutedFenced>& launched) -> Status {
                    const SyncFence fence = std::exchange(launched->first, SyncFence());
                    if (!fence.hasFd()) return {};
                    const hal::utils::WaitPolicy patience(fences.deadline, mCeiling);
                    const Duration left = patience.end() - Clock::now();
                    const SyncFence::FenceState state =
                            fence.syncWait(std::max(left, Duration::zero()));
                    if (state == SyncFence::FenceState::SIGNALED) return {};
                    if (state == SyncFence::FenceState::ACTIVE) {
                        return patience.exceeded("the fence of the execution");
                    }
                    const auto infos = launched->second();
                    if (!infos.has_value()) return infos.status();
                    return error() << "the fence of the execution has failed";
                });
    }

    GeneralResult<SharedExecution> makeExecution(const ExecutionCall& call) const override {
        if (!hasPointers(call.request)) return call.reusableOn(*inner());
        return driver::defaultExecution(shared_from_this(), call);
    }

   private:
    // Calls with the request, or with its moved copy. `before` returns when the inputs are
    // available, `wait` when the results are.
    template <class R, class Call, class Before, class Wait>
    R moved(const Request& request, Call&& call, Before&& before, Wait&& wait) const NNAPI_TRY {
        if (!hasPointers(request)) return call(request);
        if (!mRefusesPointers) {
            R result = call(request);
            if (!isRefused(result)) return result;
        }
        NNAPI_ASSIGN_OR_RETURN(shared, convertRequestFromPointerToShared(request));
        NNAPI_RETURN_IF_ERROR(before());
        shared.relocation.input.flush();
        R result = call(shared.request);
        if (!isRefused(result)) mRefusesPointers = true;
        if (!result.has_value()) return result;
        NNAPI_RETURN_IF_ERROR(wait(result));
        shared.relocation.output.flush();
        return result;
    }
    NNAPI_CATCH

    Duration mCeiling;
    mutable std::atomic<bool> mRefusesPointers = false;
};

// If the inner burst rejects a request with pointers, the prepared model executes it, and all later
// ones.
class Burst final : public driver::ForwardingCallBurst, public std::enable_shared_from_this<Burst> {
   public:
    Burst(std::shared_ptr<const PreparedModel> model, SharedBurst inner)
        : ForwardingCallBurst(std::move(inner)), mModel(std::move(model)) {}

   protected:
    ExecutionResult<Executed> executeCall(const ExecutionCall& call) const override {
        const bool hasAny = hasPointers(call.request);
        if (!hasAny || (!mRefusesPointers && !mModel->refusesPointers())) {
            auto executed = call.on(*inner());
            if (!hasAny || !isRefused(executed)) return executed;
        }
        auto executed = call.on(*mModel);
        if (!isRefused(executed)) mRefusesPointers = true;
        return executed;
    }
    GeneralResult<SharedExecution> makeExecution(const ExecutionCall& call) const override;

   private:
    std::shared_ptr<const PreparedModel> mModel;
    mutable std::atomic<bool> mRefusesPointers = false;
};

// A reusable execution with pointers.
class BurstExecution final : public IExecution {
   public:
    BurstExecution(std::shared_ptr<const Burst> burst, const ExecutionCall& call,
                   SharedExecution byModel)
        : mBurst(std::move(burst)), mCall(call), mByModel(std::move(byModel)) {}

    ExecutionResult<Executed> compute(const OptionalTimePoint& deadline) const override {
        return mCall.lent(deadline).on(*mBurst);
    }
    GeneralResult<ExecutedFenced> computeFenced(const std::vector<SyncFence>& waitFor,
                                                const OptionalTimePoint& deadline,
                                                const OptionalDuration& after) const override {
        return mByModel->computeFenced(waitFor, deadline, after);
    }

   private:
    std::shared_ptr<const Burst> mBurst;
    driver::OwnedCall mCall;
    SharedExecution mByModel;
};

GeneralResult<SharedExecution> Burst::makeExecution(const ExecutionCall& call) const {
    if (!hasPointers(call.request)) return call.reusableOn(*inner());
    NNAPI_ASSIGN_OR_RETURN(byModel, call.reusableOn(*mModel));
    return SharedExecution(
            std::make_shared<const BurstExecution>(shared_from_this(), call, std::move(byModel)));
}

GeneralResult<SharedBurst> PreparedModel::configureExecutionBurst() const {
    NNAPI_ASSIGN_OR_RETURN(burst, inner()->configureExecutionBurst());
    if (burst == nullptr) return error() << "the burst is null";
    return SharedBurst(std::make_shared<const Burst>(shared_from_this(), std::move(burst)));
}

class Device final : public ForwardingDevice {
   public:
    Device(SharedDevice inner, Duration ceiling)
        : ForwardingDevice(std::move(inner)), mCeiling(ceiling) {}

   protected:
    SharedPreparedModel wrapPreparedModel(SharedPreparedModel made) const override {
        return std::make_shared<const PreparedModel>(std::move(made), mCeiling);
    }
    SharedPreparedModel unwrapPreparedModel(SharedPreparedModel given) const override {
        return innerOf<PreparedModel>(std::move(given));
    }

   private:
    Duration mCeiling;
};

}  // namespace

SharedDevice takingPointers(SharedDevice device, Duration ceiling) {
    return std::make_shared<const Device>(std::move(device), ceiling);
}

}  // namespace nn::runtime
