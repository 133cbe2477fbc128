// nnapi/driver/reference.h -- The reference device: the interpreter as an IDevice.
//
//   nn::SharedDevice device = nn::referenceDevice();
//   auto prepared = device->prepareModel(model, nn::ExecutionPreference::DEFAULT,
//                                        nn::Priority::DEFAULT, {}, {}, {}, {}, {}, {});
//
// Supports everything that the interpreter does, at the newest feature level, including a WHILE
// over values of unknown size, which no HAL version can represent (docs/ops/if_while.md). With an
// overlay it supports a subset; see also nnapi/driver/sample.h. Models are prepared and executed in
// the calling thread, fenced executions too unless fencedThreads is set. Buffers hold tensors whose
// dimensions the description and the roles determine. A compilation cache is one model file and one
// data file. A successful execution returns output shapes only if the model leaves a dimension of
// an output open. Thread-safe.
#pragma once

#include <functional>
#include <optional>
#include <string>

#include "nnapi/device_profile.h"
#include "nnapi/driver/cache.h"
#include "nnapi/driver/interfaces.h"
#include "nnapi/driver/trace.h"
#include "nnapi/driver/vlog.h"
#include "nnapi/interpreter.h"

namespace nn {

// Options of a reference device.
struct ReferenceDeviceOptions {
    std::string name = "nnapi-reference";          // of getName()
    std::string versionString = "reference";       // of getVersionString(); must not be empty
    Version featureLevel = kNewestRuntimeVersion;  // newer models are rejected

    // Restricts the device to the operations that this description supports; other models are
    // rejected with INVALID_ARGUMENT and the first reason. Entries for extensions, lifted rules and
    // isStrict have no effect, since the device is always strict. An illegal overlay fails every
    // call with its own reason.
    std::optional<DeviceProfile> overlay{};

    // Declared performance; does not change the actual speed.
    Capabilities capabilities{};

    // Number of threads for fenced executions, started with the first one; executions that wait for
    // fences use no thread. Data that a request points to must then stay until the fence is
    // signaled. 0: executeFenced waits and computes in the calling thread.
    size_t fencedThreads = 0;

    // Options of all models; limits.peakBytes also bounds all buffers together. until.isCancelled
    // also ends executions, with GENERAL_FAILURE; until.deadline is ignored, since calls have their
    // own.
    PrepareOptions prepare{};

    // Logs preparations (COMPILATION), executions (EXECUTION) and each operation (CPUEXE).
    SharedLog log{};

    // Receives a slice for each operation; nn::traced() adds one for each call.
    SharedTrace trace{};

    // Key of compilation caches (nnapi/driver/cache.h). Without one, only this object can load the
    // caches that it has saved; CacheKey::ofFile() makes caches persistent.
    std::optional<CacheKey> cacheKey{};
    // If false, the device needs no cache files and prepareModelFromCache fails.
    bool hasCache = true;
    // Receives why a prepared model was not saved, on the preparing thread. Must not throw.
    std::function<void(const Status&)> onCacheFailure{};
};

// Never null.
SharedDevice referenceDevice(ReferenceDeviceOptions options = {});

}  // namespace nn
