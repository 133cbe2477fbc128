// The fastest device on this machine's processor, always present beside the reference.
#pragma once

#include "nnapi/driver/interfaces.h"
#include "nnapi/driver/vlog.h"

namespace nn::runtime {

inline constexpr char kHostDeviceName[] = "nnapi-host";

// What says that everything takes as long as this.
Capabilities sameForAll(Capabilities::PerformanceInfo info);

// Supports all that the reference does. XNNPACK executes the operations that it has, where the
// library was built with it, and the interpreter the others.
SharedDevice hostDevice(SharedLog log = {});

}  // namespace nn::runtime
