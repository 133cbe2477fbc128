// nnapi/driver/xnnpack.h -- a fast device for processors: XNNPACK.
//
//   nn::SharedDevice device = nn::xnnpackDevice({.prepare = {.threads = 4}});
//   auto prepared = device->prepareModel(model, nn::ExecutionPreference::DEFAULT,
//                                        nn::Priority::DEFAULT, {}, {}, {}, {}, {}, {});
//
// and why a model, or a part of it, is left to other devices:
//
//   nn::Result<nn::DeviceSupport> support = nn::xnnpackSupport(model);
//   for (const nn::OperationSupport& operation : support->operations) ...
//
// A component of its own, nnapi::driver_xnnpack, which is there where the library was built with
// XNNPACK. It computes what XNNPACK computes as the specification says, within the accuracy of the
// test suites of NNAPI (nnapi/testing/compare.h); docs/drivers.md lists what that is. It refuses
// the rest with reasons. Results of quantised operations may differ from the reference by one unit.
//
// Weights are packed when a model is prepared. Any number of threads may execute one prepared model
// at once; each execution at one time has values and packed weights of its own, up to
// `executionsAtOnce`, and further ones wait. It executes in the calling thread and, with
// prepare.threads above 1, in threads that all models of the device share. It has no cache and no
// memory of its own, so that prepareModelFromCache and allocate fail with GENERAL_FAILURE.
#pragma once

#include <cstddef>
#include <string>

#include "nnapi/device_overlay.h"
#include "nnapi/driver/interfaces.h"
#include "nnapi/interpreter.h"

namespace nn {

struct XnnpackDeviceOptions {
    std::string name = "nnapi-xnnpack";
    std::string versionString = "xnnpack";
    Version featureLevel = kNewestVersion;

    // What it says of its speed; it is as fast as it is.
    Capabilities capabilities{};

    // Of one prepared model. 0: as many as the machine has processors.
    size_t executionsAtOnce = 0;

    // For all models. `threads` share the work of an operation; 0 is as 1. `until` is not looked
    // at, deadlines come with each call. Extensions are known, but not supported.
    PrepareOptions prepare{};
};

// Never null. Where XNNPACK cannot be used, the device supports nothing, and says why.
SharedDevice xnnpackDevice(XnnpackDeviceOptions options = {});

// What a device with these options supports, with the reasons of every refusal. It makes the
// operators as preparing does, and takes as long. INVALID_ARGUMENT for a model that is not legal.
Result<DeviceSupport> xnnpackSupport(const Model& model, const XnnpackDeviceOptions& options = {});

}  // namespace nn
