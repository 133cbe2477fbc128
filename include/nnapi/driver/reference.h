// nnapi/driver/reference.h -- the interpreter as a device.
//
//   nn::SharedDevice device = nn::referenceDevice();
//   auto prepared = device->prepareModel(model, nn::ExecutionPreference::DEFAULT,
//                                        nn::Priority::DEFAULT, {}, {}, {}, {}, {}, {});
//
// It supports whatever the interpreter does, at the newest feature level, in the calling thread: an
// executeFenced returns when the execution has ended. It has no cache and no memory of its own, so
// that prepareModelFromCache and allocate fail with GENERAL_FAILURE.
#pragma once

#include <string>

#include "nnapi/driver/interfaces.h"
#include "nnapi/driver/trace.h"
#include "nnapi/driver/vlog.h"
#include "nnapi/interpreter.h"

namespace nn {

struct ReferenceDeviceOptions {
    std::string name = "nnapi-reference";
    std::string versionString = "reference";
    Version featureLevel = kNewestVersion;

    // For all models; `until` is not looked at, deadlines come with each call.
    PrepareOptions prepare{};

    // Told of preparations (COMPILATION), executions (EXECUTION) and each operation (CPUEXE).
    SharedLog log{};

    // Has a slice for each operation; for each call see nn::traced().
    SharedTrace trace{};
};

SharedDevice referenceDevice(ReferenceDeviceOptions options = {});

}  // namespace nn
