// The arguments of one preparation, borrowed from a caller for the duration of the call.
#pragma once

#include <vector>

#include "nnapi/driver/interfaces.h"

namespace nn::driver {

struct PreparationCall {
    using Handles = std::vector<SharedHandle>;

    const Model& model;
    ExecutionPreference preference{};
    Priority priority{};
    OptionalTimePoint deadline{};
    const Handles& modelCache;
    const Handles& dataCache;
    CacheToken token{};
    const std::vector<TokenValuePair>& hints;
    const std::vector<ExtensionNameAndPrefix>& prefixes;

    // Without the model.
    PrepareModelConfig config() const {
        return {preference, priority, deadline, modelCache, dataCache, token, hints, prefixes};
    }
    PreparationCall with(const Model& other) const {
        return {other,     preference, priority, deadline, modelCache,
                dataCache, token,      hints,    prefixes};
    }
    PreparationCall withoutCache() const {
        static const Handles none;
        return {model, preference, priority, deadline, none, none, token, hints, prefixes};
    }
    GeneralResult<SharedPreparedModel> on(const IDevice& device) const {
        return device.prepareModel(model, preference, priority, deadline, modelCache, dataCache,
                                   token, hints, prefixes);
    }
};

// The arguments of a load from a cache.
struct LoadingCall {
    OptionalTimePoint deadline{};
    const PreparationCall::Handles& modelCache;
    const PreparationCall::Handles& dataCache;
    CacheToken token{};

    GeneralResult<SharedPreparedModel> on(const IDevice& device) const {
        return device.prepareModelFromCache(deadline, modelCache, dataCache, token);
    }
};

}  // namespace nn::driver
