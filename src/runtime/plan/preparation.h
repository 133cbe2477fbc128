// Prepares a model on one device, from its cache where there is one.
#pragma once

#include <optional>
#include <span>
#include <vector>

#include "runtime/plan/plan.h"

namespace nn::runtime {

// The operations of a step in the original model; none for a whole model.
struct StepOrigin {
    uint32_t graph = 0;  // 0 for the main graph, i + 1 for referenced[i]
    std::span<const uint32_t> operations{};
};

struct Prepared {
    SharedPreparedModel model{};
    bool isFromCache = false;
    // The failure of every execution, where the CPU refused the model.
    Status refusal{};
};

// A cache is named by the application's token and everything that affects what the device makes of
// the model. The CPU has none. Cache file errors never fail a preparation. Failures name the device
// (failed_devices.h).
GeneralResult<Prepared> prepareOn(const PlanDevice& device, const Model& model,
                                  const PlanOptions& options,
                                  const std::optional<StepOrigin>& origin = {});

// Prepares on the CPU in place of other devices: without deadline, cache and hints, which were
// meant for those.
GeneralResult<SharedPreparedModel> prepareOnCpu(const IDevice& cpu, const Model& model,
                                                const PlanOptions& options);

// SHA-256 of the token, of the origin where there is one, and of device, preference, priority and
// hints, by the names of their extensions.
Result<CacheToken> cacheTokenFor(const IDevice& device, const PlanOptions& options,
                                 const std::optional<StepOrigin>& origin);

}  // namespace nn::runtime
