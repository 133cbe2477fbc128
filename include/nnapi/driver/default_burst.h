// nnapi/driver/default_burst.h -- A burst that forwards to the prepared model.
//
//   return nn::SharedBurst(std::make_shared<const nn::DefaultBurst>(shared_from_this()));
//
// For devices without a burst of their own. Executes one request at a time: a concurrent one fails
// with GENERAL_FAILURE. Caches nothing. Thread-safe.
#pragma once

#include <atomic>
#include <memory>
#include <vector>

#include "nnapi/driver/interfaces.h"

namespace nn {

// Create with make_shared: executions that it creates keep it alive.
class DefaultBurst final : public IBurst, public std::enable_shared_from_this<DefaultBurst> {
   public:
    // The prepared model must not be null.
    explicit DefaultBurst(SharedPreparedModel preparedModel);

    OptionalCacheHold cacheMemory(const SharedMemory& memory) const override;
    ExecutionResult<Executed> execute(
            const Request& request, MeasureTiming measure, const OptionalTimePoint& deadline,
            const OptionalDuration& loopTimeoutDuration, const std::vector<TokenValuePair>& hints,
            const std::vector<ExtensionNameAndPrefix>& extensionNameToPrefix) const override;
    GeneralResult<SharedExecution> createReusableExecution(
            const Request& request, MeasureTiming measure,
            const OptionalDuration& loopTimeoutDuration, const std::vector<TokenValuePair>& hints,
            const std::vector<ExtensionNameAndPrefix>& extensionNameToPrefix) const override;

   private:
    class Turn;
    class Execution;

    SharedPreparedModel mPreparedModel;
    mutable std::atomic_flag mIsBusy{};
};

}  // namespace nn
