#include "driver/common/forwarding_burst.h"

#include <utility>

#include "driver/common/turns.h"
#include "types/no_throw.h"

namespace nn::driver {
namespace {

Status busy() { return error() << "the burst executes already, allowed one at a time"; }

class ForwardingBurst final : public IBurst, public std::enable_shared_from_this<ForwardingBurst> {
   public:
    explicit ForwardingBurst(SharedPreparedModel preparedModel)
        : mPreparedModel(std::move(preparedModel)) {}

    OptionalCacheHold cacheMemory(const SharedMemory&) const override { return nullptr; }

    ExecutionResult<Executed> execute(
            const Request& request, MeasureTiming measure, const OptionalTimePoint& deadline,
            const OptionalDuration& loopTimeoutDuration, const std::vector<TokenValuePair>& hints,
            const std::vector<ExtensionNameAndPrefix>& extensionNameToPrefix) const override {
        const Turns::Turn turn = mTurns.tryTake();
        if (!turn.isTaken()) return busy();
        return mPreparedModel->execute(request, measure, deadline, loopTimeoutDuration, hints,
                                       extensionNameToPrefix);
    }

    GeneralResult<SharedExecution> createReusableExecution(
            const Request& request, MeasureTiming measure,
            const OptionalDuration& loopTimeoutDuration, const std::vector<TokenValuePair>& hints,
            const std::vector<ExtensionNameAndPrefix>& extensionNameToPrefix) const override;

    Turns& turns() const { return mTurns; }

   private:
    SharedPreparedModel mPreparedModel;
    mutable Turns mTurns{};
};

// An execution that takes its turn in a burst.
class BurstExecution final : public IExecution {
   public:
    BurstExecution(std::shared_ptr<const ForwardingBurst> burst, SharedExecution execution)
        : mBurst(std::move(burst)), mExecution(std::move(execution)) {}

    ExecutionResult<Executed> compute(const OptionalTimePoint& deadline) const override {
        const Turns::Turn turn = mBurst->turns().tryTake();
        if (!turn.isTaken()) return busy();
        return mExecution->compute(deadline);
    }

    GeneralResult<ExecutedFenced> computeFenced(const std::vector<SyncFence>&,
                                                const OptionalTimePoint&,
                                                const OptionalDuration&) const override {
        return error() << "an execution of a burst has no fences";
    }

   private:
    std::shared_ptr<const ForwardingBurst> mBurst;
    SharedExecution mExecution;
};

GeneralResult<SharedExecution> ForwardingBurst::createReusableExecution(
        const Request& request, MeasureTiming measure, const OptionalDuration& loopTimeoutDuration,
        const std::vector<TokenValuePair>& hints,
        const std::vector<ExtensionNameAndPrefix>& extensionNameToPrefix) const NNAPI_TRY {
    auto execution = mPreparedModel->createReusableExecution(request, measure, loopTimeoutDuration,
                                                             hints, extensionNameToPrefix);
    if (!execution.has_value()) return execution;
    return SharedExecution(
            std::make_shared<const BurstExecution>(shared_from_this(), *std::move(execution)));
}
NNAPI_CATCH

}  // namespace

SharedBurst forwardingBurst(SharedPreparedModel preparedModel) {
    return std::make_shared<const ForwardingBurst>(std::move(preparedModel));
}

}  // namespace nn::driver
