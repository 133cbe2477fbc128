#include "nnapi/driver/default_burst.h"

#include "driver/memory/call_objects.h"

namespace nn {

// One execution at a time.
class DefaultBurst::Turn {
   public:
    explicit Turn(const DefaultBurst& burst)
        : mIsBusy(burst.mIsBusy.test_and_set() ? nullptr : &burst.mIsBusy) {}
    Turn(const Turn&) = delete;
    Turn& operator=(const Turn&) = delete;
    ~Turn() {
        if (mIsBusy != nullptr) mIsBusy->clear();
    }
    bool isTaken() const { return mIsBusy != nullptr; }
    static Status refusal() {
        return error() << "the burst executes already, allowed one at a time";
    }

   private:
    std::atomic_flag* mIsBusy;
};

// A reusable execution that waits for its turn in a burst.
class DefaultBurst::Execution final : public driver::UnfencedExecution {
   public:
    Execution(std::shared_ptr<const DefaultBurst> burst, SharedExecution execution)
        : mBurst(std::move(burst)), mExecution(std::move(execution)) {}

    ExecutionResult<Executed> compute(const OptionalTimePoint& deadline) const override {
        const Turn turn(*mBurst);
        if (!turn.isTaken()) return Turn::refusal();
        return mExecution->compute(deadline);
    }

   private:
    std::shared_ptr<const DefaultBurst> mBurst;
    SharedExecution mExecution;
};

DefaultBurst::DefaultBurst(SharedPreparedModel preparedModel)
    : mPreparedModel(std::move(preparedModel)) {}

IBurst::OptionalCacheHold DefaultBurst::cacheMemory(const SharedMemory&) const { return nullptr; }

ExecutionResult<Executed> DefaultBurst::execute(
        const Request& request, MeasureTiming measure, const OptionalTimePoint& deadline,
        const OptionalDuration& loopTimeoutDuration, const std::vector<TokenValuePair>& hints,
        const std::vector<ExtensionNameAndPrefix>& extensionNameToPrefix) const {
    const Turn turn(*this);
    if (!turn.isTaken()) return Turn::refusal();
    return mPreparedModel->execute(request, measure, deadline, loopTimeoutDuration, hints,
                                   extensionNameToPrefix);
}

GeneralResult<SharedExecution> DefaultBurst::createReusableExecution(
        const Request& request, MeasureTiming measure, const OptionalDuration& loopTimeoutDuration,
        const std::vector<TokenValuePair>& hints,
        const std::vector<ExtensionNameAndPrefix>& extensionNameToPrefix) const {
    auto execution = mPreparedModel->createReusableExecution(request, measure, loopTimeoutDuration,
                                                             hints, extensionNameToPrefix);
    if (!execution.has_value() || *execution == nullptr) return execution;
    return SharedExecution(
            std::make_shared<const Execution>(shared_from_this(), *std::move(execution)));
}

}  // namespace nn
