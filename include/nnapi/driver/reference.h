// nnapi/driver/reference.h -- the interpreter as a device.
//
//   nn::SharedDevice device = nn::referenceDevice();
//   auto prepared = device->prepareModel(model, nn::ExecutionPreference::DEFAULT,
//                                        nn::Priority::DEFAULT, {}, {}, {}, {}, {}, {});
//
// It supports whatever the interpreter does, at the newest feature level, and a WHILE over values
// of unknown size, which no HAL version carries (docs/ops/if_while.md). Models are prepared and
// executed in the calling thread, fenced executions too where the device has no threads of its own.
// Its buffers hold tensors whose dimensions the description and the roles know. A compilation cache
// is one model file and one data file. An execution that succeeds answers output shapes only where
// the model leaves a dimension of an output open. With an overlay it supports a part of this; see
// also nnapi/driver/sample.h.
#pragma once

#include <functional>
#include <optional>
#include <string>

#include "nnapi/device_overlay.h"
#include "nnapi/driver/cache.h"
#include "nnapi/driver/interfaces.h"
#include "nnapi/driver/trace.h"
#include "nnapi/driver/vlog.h"
#include "nnapi/interpreter.h"

namespace nn {

struct ReferenceDeviceOptions {
    std::string name = "nnapi-reference";
    std::string versionString = "reference";
    Version featureLevel = kNewestRuntimeVersion;

    // Supports only what this does too, and refuses to prepare other models, with INVALID_ARGUMENT
    // and the first reason. Its entries for extensions, lifted rules and isStrict add nothing: this
    // device is strict. An overlay that is not legal fails every call with its own reason.
    std::optional<DeviceOverlay> overlay{};

    // What it says of its speed; it is as fast as it is.
    Capabilities capabilities{};

    // How many fenced executions are computed at one time, on threads that start with the first;
    // those that wait for fences need no thread. What their requests point at must then stay until
    // the fence is signalled. 0: executeFenced waits and computes in the calling thread, and
    // returns when that is done.
    size_t fencedThreads = 0;

    // For all models, and of its limits peak_bytes also for all buffers together. `until.stop` ends
    // executions too, with GENERAL_FAILURE; `until.deadline` does nothing, calls have their own.
    PrepareOptions prepare{};

    // Told of preparations (COMPILATION), executions (EXECUTION) and each operation (CPUEXE).
    SharedLog log{};

    // Has a slice for each operation; for each call see nn::traced().
    SharedTrace trace{};

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
