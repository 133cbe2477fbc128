// Preparing a model on one device, from its cache where there is one.
#pragma once

#include <optional>
#include <span>
#include <vector>

#include "runtime/plan/plan.h"

namespace nn::runtime {

// Where the operations of a step come from; none for a whole model.
struct StepOrigin {
    uint32_t graph = 0;  // 0 for the main graph, i + 1 for referenced[i]
    std::span<const uint32_t> operations{};
};

struct Prepared {
    SharedPreparedModel model{};
    bool isFromCache = false;
    // What every execution fails with, since the CPU has refused it.
    Status refusal{};
};

// The name of a device's cache is made of the token of the application and of all that decides what
// the device makes of the model. The CPU has none. What goes wrong with files is never a failure.
// Failures are the device's (failures.h).
GeneralResult<Prepared> prepareOn(const PlanDevice& device, const Model& model,
                                  const PlanOptions& options,
                                  const std::optional<StepOrigin>& origin = {});

// On the CPU in place of other devices: without a deadline, without a cache and without hints,
// which are for others.
GeneralResult<SharedPreparedModel> prepareOnCpu(const IDevice& cpu, const Model& model,
                                                const PlanOptions& options);

// SHA-256 of the token, of the origin where there is one, and of device, preference, priority and
// hints, by the names of their extensions.
Result<CacheToken> cacheTokenFor(const IDevice& device, const PlanOptions& options,
                                 const std::optional<StepOrigin>& origin);

}  // namespace nn::runtime
