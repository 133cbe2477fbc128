// hidl/HidlTransportSupport.h -- threads that serve the registered HIDL devices of this process.
//
// A device is served once there are threads for it: when it is registered, unless
// configureRpcThreadpool has announced that the caller will join. Link nnapi::android_service;
// without it, only this process finds devices, and in a shared object the program that loads it.
#pragma once

#include <cstddef>

#include "hidl/ServiceManagement.h"

namespace android::hardware {

// maxThreads: calls that are made at one time.
void configureRpcThreadpool(size_t maxThreads, bool callerWillJoin);

// Serves the devices, and never returns.
[[noreturn]] void joinRpcThreadpool();

}  // namespace android::hardware
