#include "nnapi/driver/default_prepared_model.h"

#include "nnapi/driver/default_burst.h"
#include "nnapi/driver/default_execution.h"

namespace nn {

GeneralResult<ExecutedFenced> DefaultPreparedModel::executeFenced(
        const Request& request, const std::vector<SyncFence>& waitFor, MeasureTiming measure,
        const OptionalTimePoint& deadline, const OptionalDuration& loopTimeoutDuration,
        const OptionalDuration& timeoutDurationAfterFence, const std::vector<TokenValuePair>& hints,
        const std::vector<ExtensionNameAndPrefix>& extensionNameToPrefix) const {
    return executeAfterFences(*this, request, waitFor, measure, deadline, loopTimeoutDuration,
                              timeoutDurationAfterFence, hints, extensionNameToPrefix);
}

GeneralResult<SharedExecution> DefaultPreparedModel::createReusableExecution(
        const Request& request, MeasureTiming measure, const OptionalDuration& loopTimeoutDuration,
        const std::vector<TokenValuePair>& hints,
        const std::vector<ExtensionNameAndPrefix>& extensionNameToPrefix) const {
    return SharedExecution(std::make_shared<const DefaultExecution>(shared_from_this(), request,
                                                                    measure, loopTimeoutDuration,
                                                                    hints, extensionNameToPrefix));
}

GeneralResult<SharedBurst> DefaultPreparedModel::configureExecutionBurst() const {
    return SharedBurst(std::make_shared<const DefaultBurst>(shared_from_this()));
}

}  // namespace nn
