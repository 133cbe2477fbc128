// nnapi/driver/reference.h -- the interpreter as a device.
//
//   nn::SharedDevice device = nn::referenceDevice();
//   auto prepared = device->prepareModel(model, nn::ExecutionPreference::DEFAULT,
//                                        nn::Priority::DEFAULT, {}, {}, {}, {}, {}, {});
//
// It supports whatever the interpreter does, at the newest feature level, in the calling thread: an
// executeFenced returns when the execution has ended. It has no memory of its own, so that allocate
// fails with GENERAL_FAILURE. A compilation cache is one model file and one data file. An execution
// that succeeds answers output shapes only where the model leaves a dimension of an output open.
#pragma once

#include <functional>
#include <optional>
#include <string>

#include "nnapi/driver/cache.h"
#include "nnapi/driver/interfaces.h"
#include "nnapi/interpreter.h"

namespace nn {

struct ReferenceDeviceOptions {
    std::string name = "nnapi-reference";
    std::string versionString = "reference";
    Version featureLevel = kNewestVersion;

    // For all models; `until` is not looked at, deadlines come with each call.
    PrepareOptions prepare{};

    // What seals compilation caches (nnapi/driver/cache.h). Without a key, this device has one of
    // its own, and only itself loads what it saves; CacheKey::ofFile() makes caches last.
    std::optional<CacheKey> cacheKey{};
    // Without a cache the device asks for no cache files, and prepareModelFromCache fails.
    bool hasCache = true;
    // Told why a model was prepared but not saved, on the thread that prepares it. Must not throw.
    std::function<void(const Status&)> onCacheFailure{};
};

SharedDevice referenceDevice(ReferenceDeviceOptions options = {});

}  // namespace nn
