// Bursts that keep the client's memories.
#pragma once

#include <map>
#include <memory>
#include <mutex>
#include <vector>

#include "nnapi/driver/default_burst.h"

namespace npu_driver {

// One execution at a time; a concurrent one fails.
class Burst final : public nn::IBurst, public std::enable_shared_from_this<Burst> {
   public:
    explicit Burst(nn::SharedPreparedModel preparedModel)
        : mExecutions(std::make_shared<const nn::DefaultBurst>(std::move(preparedModel))) {}

    // The memory is kept until the hold and its copies are gone.
    OptionalCacheHold cacheMemory(const nn::SharedMemory& memory) const override;

    nn::ExecutionResult<nn::Executed> execute(
            const nn::Request& request, nn::MeasureTiming measure,
            const nn::OptionalTimePoint& deadline, const nn::OptionalDuration& loopTimeout,
            const std::vector<nn::TokenValuePair>& hints,
            const std::vector<nn::ExtensionNameAndPrefix>& prefixes) const override {
        // FILL IN: use the memories of the request that the accelerator has mapped.
        return mExecutions->execute(request, measure, deadline, loopTimeout, hints, prefixes);
    }
    nn::GeneralResult<nn::SharedExecution> createReusableExecution(
            const nn::Request& request, nn::MeasureTiming measure,
            const nn::OptionalDuration& loopTimeout, const std::vector<nn::TokenValuePair>& hints,
            const std::vector<nn::ExtensionNameAndPrefix>& prefixes) const override {
        return mExecutions->createReusableExecution(request, measure, loopTimeout, hints, prefixes);
    }

   private:
    void release(const nn::SharedMemory& memory) const;

    const std::shared_ptr<const nn::DefaultBurst> mExecutions;
    mutable std::mutex mMutex{};
    mutable std::map<nn::SharedMemory, std::weak_ptr<const CacheHold>> mMemories{};
};

}  // namespace npu_driver
