#include "driver/resilient/parts.h"

namespace nn::hal::utils {

GeneralResult<std::shared_ptr<const ResilientBurst>> ResilientBurst::create(
        Factory makeBurst, ResilientOptions options) NNAPI_TRY {
    auto engine = driver::recoverableFrom<IBurst>(std::move(makeBurst), options.recoveryTimeout);
    if (!engine.has_value()) return engine.status();
    return std::make_shared<const ResilientBurst>(std::make_shared<const Parts>(
            Parts{.engine = *std::move(engine), .options = options, .buffers = nullptr}));
}
NNAPI_CATCH

SharedBurst ResilientBurst::getBurst() const { return mParts->engine->current().object; }

GeneralResult<SharedBurst> ResilientBurst::recover(const IBurst* failingBurst) const {
    return driver::objectOf(mParts->engine->recover(failingBurst, /*isBlocking=*/false));
}

IBurst::OptionalCacheHold ResilientBurst::cacheMemory(const SharedMemory& memory) const {
    return getBurst()->cacheMemory(memory);
}

ExecutionResult<Executed> ResilientBurst::execute(
        const Request& request, MeasureTiming measure, const OptionalTimePoint& deadline,
        const OptionalDuration& loopTimeoutDuration, const std::vector<TokenValuePair>& hints,
        const std::vector<ExtensionNameAndPrefix>& extensionNameToPrefix) const {
    return driver::forwardRequest<ExecutionResult<Executed>>(
            *mParts->engine, mParts->buffers.get(), request, deadline,
            [&](const IBurst& on, const Request& known) {
                return on.execute(known, measure, deadline, loopTimeoutDuration, hints,
                                  extensionNameToPrefix);
            });
}

GeneralResult<SharedExecution> ResilientBurst::createReusableExecution(
        const Request& request, MeasureTiming measure, const OptionalDuration& loopTimeoutDuration,
        const std::vector<TokenValuePair>& hints,
        const std::vector<ExtensionNameAndPrefix>& extensionNameToPrefix) const NNAPI_TRY {
    return driver::reusableExecution(mParts->engine, mParts->options, mParts->buffers, request,
                                     {measure, loopTimeoutDuration, hints, extensionNameToPrefix});
}
NNAPI_CATCH

}  // namespace nn::hal::utils
