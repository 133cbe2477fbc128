// The program that a vendor builds from the shim and a support library that it links.
#define LOG_TAG "shim-service"

#include <android-base/logging.h>
#include <android-base/scopeguard.h>

#include <cstdlib>

#include "NeuralNetworksShim.h"
#include "SupportLibrarySymbols.h"

int main(int /*argc*/, char** argv) {
    android::base::InitLogging(argv, android::base::StderrLogger);
    NnApiSLDriverImpl* const library = ANeuralNetworks_getSLDriverImpl();
    CHECK(library != nullptr);

    ANeuralNetworksShimDeviceInfo* info = nullptr;
    CHECK_EQ(ANeuralNetworksShimDeviceInfo_create(&info, /*deviceName=*/"nnapi-sample_sl",
                                                  /*serviceName=*/"vendor-shim"),
             ANNSHIM_NO_ERROR);
    const auto freeInfo =
            android::base::make_scope_guard([info] { ANeuralNetworksShimDeviceInfo_free(info); });
    ANeuralNetworksShimDeviceInfo* absent = nullptr;
    CHECK_EQ(ANeuralNetworksShimDeviceInfo_create(&absent, /*deviceName=*/"vendor-absent",
                                                  /*serviceName=*/nullptr),
             ANNSHIM_NO_ERROR);
    const auto freeAbsent = android::base::make_scope_guard(
            [absent] { ANeuralNetworksShimDeviceInfo_free(absent); });

    ANeuralNetworksShimRegistrationParams* params = nullptr;
    CHECK_EQ(ANeuralNetworksShimRegistrationParams_create(library, &params), ANNSHIM_NO_ERROR);
    const auto freeParams = android::base::make_scope_guard(
            [params] { ANeuralNetworksShimRegistrationParams_free(params); });
    // Rejects parameters without devices, without threads, and with a device that the library
    // lacks.
    CHECK_EQ(ANeuralNetworksShim_registerSupportLibraryService(params), ANNSHIM_INVALID_ARGUMENT);
    CHECK_EQ(ANeuralNetworksShimRegistrationParams_setNumberOfListenerThreads(params, 0),
             ANNSHIM_INVALID_ARGUMENT);
    CHECK_EQ(ANeuralNetworksShimRegistrationParams_addDeviceInfo(params, info), ANNSHIM_NO_ERROR);
    CHECK_EQ(ANeuralNetworksShimRegistrationParams_addDeviceInfo(params, absent), ANNSHIM_NO_ERROR);
    CHECK_EQ(ANeuralNetworksShim_registerSupportLibraryService(params),
             ANNSHIM_FAILED_TO_REGISTER_SERVICE);

    ANeuralNetworksShimRegistrationParams_setNumberOfListenerThreads(params, 15);
    ANeuralNetworksShimRegistrationParams_registerAsLazyService(params, /*asLazy=*/false);
    ANeuralNetworksShimRegistrationParams_fallbackToMinimumSupportDevice(params, /*fallback=*/true);
    const int result = ANeuralNetworksShim_registerSupportLibraryService(params);
    LOG(ERROR) << "ANeuralNetworksShim_registerSupportLibraryService returned " << result;
    return EXIT_FAILURE;
}
