// Prepares a model on one device, from its cache if possible.
#pragma once

#include <optional>
#include <span>
#include <vector>

#include "nnapi/driver/compilation_cache.h"
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
    // The failure of every execution, if the CPU rejected the model.
    Status refusal{};
};

// A cache is named by the application's token and everything that affects how the device prepares
// the model. The CPU has none. Cache file errors never fail a preparation. Failures name the device
// (failed_devices.h).
GeneralResult<Prepared> prepareOn(const PlanDevice& device, const Model& model,
                                  const PlanOptions& options,
                                  const std::optional<StepOrigin>& origin = {});

// Prepares on the CPU instead of another device: without deadline, cache and hints, which were
// meant for that device.
GeneralResult<SharedPreparedModel> prepareOnCpu(const IDevice& cpu, const Model& model,
                                                const PlanOptions& options);

// The cache request of a step or the whole model: the application's token, the hints, and as digest
// of a step the SHA-256 of its origin, 4 bytes each.
Result<CacheRequest> cacheRequestFor(const PlanOptions& options,
                                     const std::optional<StepOrigin>& origin);

}  // namespace nn::runtime
