// android/binder_manager.h -- finds and registers AIDL devices by name.
//
//   AServiceManager_addService(device->asBinder().get(),
//                              "android.hardware.neuralnetworks.IDevice/npu");
//   auto device = IDevice::fromBinder(ndk::SpAIBinder(
//           AServiceManager_waitForService("android.hardware.neuralnetworks.IDevice/npu")));
//
// This process finds a service, and other ones as hidl/ServiceManagement.h describes. Its device
// has the name after the '/'. Binders are returned with a strong reference, for SpAIBinder.
#pragma once

#include "android/binder_ibinder.h"

// STATUS_OK, or: EX_NULL_POINTER for null, EX_ILLEGAL_ARGUMENT for a binder of another interface
// and for an instance that is not a name, EX_ILLEGAL_STATE if the device cannot be served, which
// the log explains.
binder_exception_t AServiceManager_addService(AIBinder* binder, const char* instance);
binder_exception_t AServiceManager_registerLazyService(AIBinder* binder, const char* instance);

// Null if there is no such service now.
AIBinder* AServiceManager_checkService(const char* instance);
// Waits up to 5 seconds for the service.
AIBinder* AServiceManager_getService(const char* instance);
// Waits until the service is there.
AIBinder* AServiceManager_waitForService(const char* instance);

// Whether the service is there now.
bool AServiceManager_isDeclared(const char* instance);

// Calls back with the name of each service of the interface that is there.
void AServiceManager_forEachDeclaredInstance(const char* interface, void* context,
                                             void (*callback)(const char* instance, void* context));
