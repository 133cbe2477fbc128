#include "driver/resilient/parts.h"

namespace nn::hal::utils {

using driver::Instance;

GeneralResult<std::shared_ptr<const ResilientExecution>> ResilientExecution::create(
        Factory makeExecution, ResilientOptions options) NNAPI_TRY {
    auto engine =
            driver::recoverableFrom<IExecution>(std::move(makeExecution), options.recoveryTimeout);
    if (!engine.has_value()) return engine.status();
    return std::make_shared<const ResilientExecution>(
            std::make_shared<const Parts>(Parts{.engine = *std::move(engine)}));
}
NNAPI_CATCH

SharedExecution ResilientExecution::getExecution() const {
    return mParts->engine->current().object;
}

GeneralResult<SharedExecution> ResilientExecution::recover(
        const IExecution* failingExecution) const {
    return driver::objectOf(mParts->engine->recover(failingExecution, /*isBlocking=*/false));
}

ExecutionResult<Executed> ResilientExecution::compute(const OptionalTimePoint& deadline) const {
    return mParts->engine->protect(
            [&](const Instance<IExecution>& on) { return on.object->compute(deadline); },
            /*isBlocking=*/false, deadline);
}

GeneralResult<ExecutedFenced> ResilientExecution::computeFenced(
        const std::vector<SyncFence>& waitFor, const OptionalTimePoint& deadline,
        const OptionalDuration& timeoutDurationAfterFence) const {
    return mParts->engine->protect(
            [&](const Instance<IExecution>& on) {
                return on.object->computeFenced(waitFor, deadline, timeoutDurationAfterFence);
            },
            /*isBlocking=*/false, deadline);
}

}  // namespace nn::hal::utils
