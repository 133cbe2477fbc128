// ANeuralNetworksBurst: a sequence of executions that reuse resources.
#pragma once

#include <map>
#include <memory>
#include <utility>

#include "base/per_process.h"
#include "driver/threads/exclusive_use.h"
#include "runtime/compiled/compiled_model.h"

namespace nn::runtime {

class ApiBurst {
   public:
    // A driver without a burst is tolerated.
    explicit ApiBurst(std::shared_ptr<const Compiled> compiled);

    const std::shared_ptr<const Compiled>& compiled() const { return mCompiled; }
    // Null if the driver has none.
    const SharedBurst& burst() const { return mBurst; }

    // Keeps the memories of a request in the driver's cache until they are freed.
    void keep(const Request& request);

    // Fails if another execution is using it.
    driver::ExclusiveUse::Turn tryTake() { return mExclusiveUse.tryTake(); }

   private:
    using CachedMemory = std::pair<std::weak_ptr<const Memory>, IBurst::OptionalCacheHold>;

    std::shared_ptr<const Compiled> mCompiled;
    SharedBurst mBurst{};
    driver::ExclusiveUse mExclusiveUse{};
    // Used by the execution that holds the burst.
    PerProcess<std::map<const Memory*, CachedMemory>> mCached{};
};

}  // namespace nn::runtime
