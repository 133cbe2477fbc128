// The fastest device on this machine's processor, always present in addition to the reference.
#pragma once

#include "nnapi/driver/interfaces.h"
#include "nnapi/driver/vlog.h"

namespace nn::runtime {

inline constexpr char kHostDeviceName[] = "nnapi-host";

// The performance that nnapi-host declares for everything.
Capabilities sameForAll(Capabilities::PerformanceInfo info);

// Supports everything that the reference supports. XNNPACK executes the operations that it has, if
// the library was built with it, and the interpreter all others.
SharedDevice hostDevice(SharedLog log = {});

}  // namespace nn::runtime
