#include "driver/aidl/aidl_prepared_model.h"
#include "driver/wrap/prepared_model_wrapper.h"
#include "nnapi/driver/wrap.h"

namespace nn {
namespace driver {
namespace {

// A driver's reusable execution without the prepared model that made it: nothing can be sent
// instead while it is busy, so it is waited for.
class LoneExecution final : public IExecution {
    using Wrapper = PreparedModelWrapper<AidlPreparedModel>;

   public:
    LoneExecution(std::shared_ptr<aidl_hal::IExecution> execution, const Request& request,
                  MeasureTiming measure, const WrapOptions& options)
        : mWrapper(AidlPreparedModel(nullptr, AidlDevice::kNewest), {}, options, {}),
          mOutputs(request.outputs),
          mCall{.request = std::make_shared<const aidl_hal::Request>(),
                .execution = std::move(execution),
                .measure = measure} {}

    ExecutionResult<Executed> compute(const OptionalTimePoint& deadline) const override NNAPI_TRY {
        const ExclusiveUse::Turn turn = mTurns.take(deadline, ceiling());
        NNAPI_RETURN_IF_ERROR(ready(turn, deadline));
        LossReporter reporter(mWrapper.version(), mWrapper.options().onLoss);
        return mWrapper.run(mCall, mOutputs, deadline, reporter);
    }
    NNAPI_CATCH

    GeneralResult<ExecutedFenced> computeFenced(
            const std::vector<SyncFence>& waitFor, const OptionalTimePoint& deadline,
            const OptionalDuration& timeoutDurationAfterFence) const override NNAPI_TRY {
        NNAPI_ASSIGN_OR_RETURN(
                fences, mWrapper.beforeLaunch(mWrapper.nameOfExecuteFenced(mCall), false,
                                              {waitFor, deadline, timeoutDurationAfterFence}));
        const ExclusiveUse::Turn turn = mTurns.take(deadline, ceiling());
        NNAPI_RETURN_IF_ERROR(ready(turn, deadline));
        LossReporter reporter(mWrapper.version(), mWrapper.options().onLoss);
        auto executed = mWrapper.runFenced(mCall, fences, reporter);
        if (executed.has_value()) mLast = executed->first;
        return executed;
    }
    NNAPI_CATCH

   private:
    Duration ceiling() const { return mWrapper.options().ceiling; }

    Status ready(const ExclusiveUse::Turn& turn, const OptionalTimePoint& deadline) const {
        constexpr std::string_view kWhat = "the execution before this one";
        if (!turn.isTaken()) return WaitPolicy(deadline, ceiling()).exceeded(kWhat);
        if (!mLast.hasFd()) return {};
        // Its failure is that of the execution before.
        (void)mWrapper.waitUntilDone(mLast, deadline, kWhat);
        if (mLast.syncWait(Duration::zero()) == SyncFence::FenceState::ACTIVE) {
            return WaitPolicy(deadline, ceiling()).exceeded(kWhat);
        }
        mLast = SyncFence::createAsSignaled();
        return {};
    }

    Wrapper mWrapper;
    std::vector<Request::Argument> mOutputs;
    Call<AidlPreparedModel> mCall;
    mutable ExclusiveUse mTurns{};
    mutable SyncFence mLast{};  // guarded by the turn
};

}  // namespace
}  // namespace driver

GeneralResult<SharedExecution> AIDL4::utils::Execution::create(
        std::shared_ptr<aidl_hal::IExecution> execution, const nn::Request& request,
        MeasureTiming measure, WrapOptions options) NNAPI_TRY {
    if (execution == nullptr) return error() << "the execution is null";
    return SharedExecution(std::make_shared<const driver::LoneExecution>(
            std::move(execution), request, measure, options));
}
NNAPI_CATCH

}  // namespace nn
