// android/binder_process.h -- threads that serve the registered AIDL devices of this process.
//
// Devices are served once one of the two functions below has been called that start threads. Link
// nnapi::android_service; see hidl/HidlTransportSupport.h.
#pragma once

#include <cstdint>

// Calls that are made at one time. True.
bool ABinderProcess_setThreadPoolMaxThreadCount(uint32_t numThreads);

// Serves the devices.
void ABinderProcess_startThreadPool();

// Serves the devices, and never returns.
[[noreturn]] void ABinderProcess_joinThreadPool();
