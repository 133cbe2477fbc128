// NeuralNetworksShim.h -- offers the devices of a support library as AIDL services.
//
//   ANeuralNetworksShimDeviceInfo* info;
//   ANeuralNetworksShimDeviceInfo_create(&info, "npu", /*serviceName=*/"npu-sl");
//   ANeuralNetworksShimRegistrationParams* params;
//   ANeuralNetworksShimRegistrationParams_create(ANeuralNetworks_getSLDriverImpl(), &params);
//   ANeuralNetworksShimRegistrationParams_addDeviceInfo(params, info);
//   return ANeuralNetworksShim_registerSupportLibraryService(params);   // serves, for good
//
// For C and C++. Functions return a ANeuralNetworksShimResultCode; the log has the reason. A
// program links nnapi::android_service so that other processes find it (android/binder_process.h).
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "nnapi/c/NeuralNetworksSupportLibraryImpl.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef enum {
    ANNSHIM_NO_ERROR = 0,
    ANNSHIM_FAILED_TO_LOAD_SL = 1,
    ANNSHIM_FAILED_TO_REGISTER_SERVICE = 2,
    ANNSHIM_GENERAL_ERROR = 3,
    ANNSHIM_INVALID_ARGUMENT = 4,
} ANeuralNetworksShimResultCode;

// A device to offer, and how all of them are offered.
typedef struct ANeuralNetworksShimDeviceInfo ANeuralNetworksShimDeviceInfo;
typedef struct ANeuralNetworksShimRegistrationParams ANeuralNetworksShimRegistrationParams;

// `deviceName` is the name in the library, `serviceName` that of the service: the same where it is
// null or empty.
int ANeuralNetworksShimDeviceInfo_create(ANeuralNetworksShimDeviceInfo** deviceInfo,
                                         const char* deviceName, const char* serviceName);
// Does nothing for null.
void ANeuralNetworksShimDeviceInfo_free(ANeuralNetworksShimDeviceInfo* deviceInfo);

// The library stays loaded until the program ends.
int ANeuralNetworksShimRegistrationParams_create(
        NnApiSLDriverImpl* nnapiSupportLibraryPackage,
        ANeuralNetworksShimRegistrationParams** outRegistrationParams);
// Does nothing for null.
void ANeuralNetworksShimRegistrationParams_free(
        ANeuralNetworksShimRegistrationParams* registrationParams);

// Copies the device.
int ANeuralNetworksShimRegistrationParams_addDeviceInfo(
        ANeuralNetworksShimRegistrationParams* registrationParams,
        const ANeuralNetworksShimDeviceInfo* deviceInfo);
// Calls at one time, 15 by default; not 0.
int ANeuralNetworksShimRegistrationParams_setNumberOfListenerThreads(
        ANeuralNetworksShimRegistrationParams* registrationParams,
        uint32_t numberOfListenerThreads);
// Services of Linux are the same, lazy or not.
int ANeuralNetworksShimRegistrationParams_registerAsLazyService(
        ANeuralNetworksShimRegistrationParams* registrationParams, bool asLazy);
// Whether a device that the library does not have becomes one that supports nothing; otherwise it
// is an error.
int ANeuralNetworksShimRegistrationParams_fallbackToMinimumSupportDevice(
        ANeuralNetworksShimRegistrationParams* registrationParams, bool fallback);

// Registers the devices and serves them. Returns only where that fails.
int ANeuralNetworksShim_registerSupportLibraryService(
        const ANeuralNetworksShimRegistrationParams* registrationParams);

#ifdef __cplusplus
}
#endif
