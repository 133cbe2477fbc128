// nnapi/driver/reference.h -- the interpreter as a device.
//
//   nn::SharedDevice device = nn::referenceDevice();
//   auto prepared = device->prepareModel(model, nn::ExecutionPreference::DEFAULT,
//                                        nn::Priority::DEFAULT, {}, {}, {}, {}, {}, {});
//
// It supports whatever the interpreter does, at the newest feature level, in the calling thread: an
// executeFenced returns when the execution has ended. It has no cache and no memory of its own, so
// that prepareModelFromCache and allocate fail with GENERAL_FAILURE. An execution that succeeds
// answers output shapes only where the model leaves a dimension of an output open.
#pragma once

#include <string>

#include "nnapi/driver/interfaces.h"
#include "nnapi/interpreter.h"

namespace nn {

struct ReferenceDeviceOptions {
    std::string name = "nnapi-reference";
    std::string versionString = "reference";
    Version featureLevel = kNewestVersion;

    // For all models; `until` is not looked at, deadlines come with each call.
    PrepareOptions prepare{};
};

SharedDevice referenceDevice(ReferenceDeviceOptions options = {});

}  // namespace nn
