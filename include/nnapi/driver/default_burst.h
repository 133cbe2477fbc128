// nnapi/driver/default_burst.h -- a burst for devices that have nothing better.
//
//   return nn::SharedBurst(std::make_shared<const nn::DefaultBurst>(shared_from_this()));
//
// It executes by the prepared model, one execution at a time: another meanwhile fails with
// GENERAL_FAILURE. It caches nothing, since nothing is sent. Thread-safe.
#pragma once

#include <atomic>
#include <memory>
#include <vector>

#include "nnapi/driver/interfaces.h"

namespace nn {

// Made by make_shared, since the executions that it creates keep it.
class DefaultBurst final : public IBurst, public std::enable_shared_from_this<DefaultBurst> {
   public:
    // The prepared model is not null.
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
