// hidl/HidlTransportSupport.h -- threads that serve the registered HIDL devices of this process.
//
// A device is served once there are threads for it: when it is registered, unless
// configureRpcThreadpool has said that the caller will join. Link nnapi::android_service; without
// it, devices are known to this process alone, and in a shared object to those who load it.
#pragma once

#include <cstddef>

#include "hidl/ServiceManagement.h"

namespace android::hardware {

// maxThreads: calls that are made at one time.
void configureRpcThreadpool(size_t maxThreads, bool callerWillJoin);

// Serves the devices, and never returns.
[[noreturn]] void joinRpcThreadpool();

}  // namespace android::hardware
