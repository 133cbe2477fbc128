// nnapi/driver/xnnpack.h -- A fast CPU device on top of XNNPACK.
//
//   nn::SharedDevice device = nn::xnnpackDevice({.prepare = {.threads = 4}});
//   auto prepared = device->prepareModel(model, nn::ExecutionPreference::DEFAULT,
//                                        nn::Priority::DEFAULT, {}, {}, {}, {}, {}, {});
//
// The reasons why operations are not supported:
//
//   nn::Result<nn::DeviceSupport> support = nn::xnnpackSupport(model);
//   for (const nn::OperationSupport& operation : support->operations) ...
//
// Component nnapi::driver_xnnpack, available if the library was built with XNNPACK. Results meet
// the accuracy criteria of the NNAPI test suites (nnapi/testing/compare.h); quantized results may
// differ from the reference by one unit. docs/xnnpack.md lists the supported operations; others are
// refused with reasons.
//
// Weights are packed when a model is prepared. Any number of threads may execute a prepared model
// at once; each concurrent execution has its own values and packed weights, up to
// `executionsAtOnce`, and further ones wait. Executions run in the calling thread and, with
// prepare.threads above 1, in threads shared by all models of the device. These poll for each
// other: give no more of them than there are idle processors, or an execution takes many times as
// long. Device memory is shared memory of this process, up to prepare.limits.peakBytes. There is no
// cache: prepareModelFromCache fails with GENERAL_FAILURE.
#pragma once

#include <cstddef>
#include <string>

#include "nnapi/device_overlay.h"
#include "nnapi/driver/interfaces.h"
#include "nnapi/driver/vlog.h"
#include "nnapi/interpreter.h"

namespace nn {

// Options of an XNNPACK device.
struct XnnpackDeviceOptions {
    std::string name = "nnapi-xnnpack";     // of getName()
    std::string versionString = "xnnpack";  // of getVersionString(); must not be empty
    Version featureLevel = kNewestVersion;  // newer models are refused

    // Declared performance; does not change the actual speed.
    Capabilities capabilities{};

    // Concurrent executions of one prepared model. 0: the number of processors.
    size_t executionsAtOnce = 0;

    // Logs what computes each operation of a model that is prepared (COMPILATION).
    SharedLog log{};

    // Options of all models. `threads` share the work of an operation; 0 means 1. `until` is
    // ignored, since calls have deadlines. Extensions are recognized but not supported.
    PrepareOptions prepare{};
};

// Never null. If XNNPACK cannot be used, the device supports nothing and says why.
SharedDevice xnnpackDevice(XnnpackDeviceOptions options = {});

// The operations that a device with these options supports, with the reason of every refusal.
// Creates the operators as a preparation does, and takes as long. INVALID_ARGUMENT for an illegal
// model.
Result<DeviceSupport> xnnpackSupport(const Model& model, const XnnpackDeviceOptions& options = {});

}  // namespace nn
