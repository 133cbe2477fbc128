#include "driver/resilient/parts.h"

namespace nn::hal::utils {

using driver::Instance;

GeneralResult<std::shared_ptr<const ResilientPreparedModel>> ResilientPreparedModel::create(
        Factory makePreparedModel, ResilientOptions options) NNAPI_TRY {
    auto engine = driver::recoverableFrom<IPreparedModel>(std::move(makePreparedModel),
                                                          options.recoveryTimeout);
    if (!engine.has_value()) return engine.status();
    return std::make_shared<const ResilientPreparedModel>(std::make_shared<const Parts>(
            Parts{.engine = *std::move(engine), .options = options, .buffers = nullptr}));
}
NNAPI_CATCH

SharedPreparedModel ResilientPreparedModel::getPreparedModel() const {
    return mParts->engine->current().object;
}

GeneralResult<SharedPreparedModel> ResilientPreparedModel::recover(
        const IPreparedModel* failingPreparedModel) const {
    return driver::objectOf(mParts->engine->recover(failingPreparedModel, /*isBlocking=*/false));
}

ExecutionResult<Executed> ResilientPreparedModel::execute(
        const Request& request, MeasureTiming measure, const OptionalTimePoint& deadline,
        const OptionalDuration& loopTimeoutDuration, const std::vector<TokenValuePair>& hints,
        const std::vector<ExtensionNameAndPrefix>& extensionNameToPrefix) const {
    return driver::forwardRequest<ExecutionResult<Executed>>(
            *mParts->engine, mParts->buffers.get(), request, deadline,
            [&](const IPreparedModel& on, const Request& known) {
                return on.execute(known, measure, deadline, loopTimeoutDuration, hints,
                                  extensionNameToPrefix);
            });
}

GeneralResult<ExecutedFenced> ResilientPreparedModel::executeFenced(
        const Request& request, const std::vector<SyncFence>& waitFor, MeasureTiming measure,
        const OptionalTimePoint& deadline, const OptionalDuration& loopTimeoutDuration,
        const OptionalDuration& timeoutDurationAfterFence, const std::vector<TokenValuePair>& hints,
        const std::vector<ExtensionNameAndPrefix>& extensionNameToPrefix) const {
    return driver::forwardRequest<GeneralResult<ExecutedFenced>>(
            *mParts->engine, mParts->buffers.get(), request, deadline,
            [&](const IPreparedModel& on, const Request& known) {
                return on.executeFenced(known, waitFor, measure, deadline, loopTimeoutDuration,
                                        timeoutDurationAfterFence, hints, extensionNameToPrefix);
            });
}

GeneralResult<SharedExecution> ResilientPreparedModel::createReusableExecution(
        const Request& request, MeasureTiming measure, const OptionalDuration& loopTimeoutDuration,
        const std::vector<TokenValuePair>& hints,
        const std::vector<ExtensionNameAndPrefix>& extensionNameToPrefix) const NNAPI_TRY {
    return driver::reusableExecution(mParts->engine, mParts->options, mParts->buffers, request,
                                     {measure, loopTimeoutDuration, hints, extensionNameToPrefix});
}
NNAPI_CATCH

GeneralResult<SharedBurst> ResilientPreparedModel::configureExecutionBurst() const NNAPI_TRY {
    const auto configure =
            [](const Instance<IPreparedModel>& on) -> GeneralResult<Instance<IBurst>> {
        auto burst = on.object->configureExecutionBurst();
        if (!burst.has_value()) return burst.status();
        return Instance<IBurst>{.object = *std::move(burst)};
    };
    if (!mParts->options.wrapResults) return driver::objectOf(mParts->engine->protect(configure));
    auto engine = driver::recoverableChild<IBurst>(mParts->engine, configure,
                                                   mParts->options.recoveryTimeout);
    if (!engine.has_value()) return engine.status();
    return std::make_shared<const ResilientBurst>(
            std::make_shared<const ResilientBurst::Parts>(ResilientBurst::Parts{
                    .engine = *std::move(engine),
                    .options = mParts->options,
                    .buffers = mParts->buffers,
            }));
}
NNAPI_CATCH

std::any ResilientPreparedModel::getUnderlyingResource() const {
    return getPreparedModel()->getUnderlyingResource();
}

}  // namespace nn::hal::utils
