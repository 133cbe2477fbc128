#include "NeuralNetworksShim.h"

#include <android-base/logging.h>
#include <fmt/format.h>

#include <algorithm>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "android/binder_manager.h"
#include "android/binder_process.h"
#include "nnapi/driver/adapt.h"
#include "nnapi/driver/invalid.h"
#include "nnapi/driver/support_library.h"
#include "nnapi/type_utils.h"

struct ANeuralNetworksShimDeviceInfo {
    std::string deviceName;
    std::string serviceName;
};

struct ANeuralNetworksShimRegistrationParams {
    const NnApiSLDriverImpl* library = nullptr;
    std::vector<ANeuralNetworksShimDeviceInfo> devices{};
    uint32_t threads = 15;
    bool isLazy = false;
    bool hasFallback = false;
};

namespace {

using nn::aidl_hal::IDevice;

int invalid(const char* what) {
    LOG(ERROR) << "NeuralNetworksShim: " << what;
    return ANNSHIM_INVALID_ARGUMENT;
}

// Sets an option of parameters that there are.
template <class Set>
int with(ANeuralNetworksShimRegistrationParams* params, const Set& set) {
    if (params == nullptr) return invalid("there are no registration parameters");
    set(*params);
    return ANNSHIM_NO_ERROR;
}

nn::SharedDevice minimumSupportDevice(const std::string& name) {
    constexpr nn::Capabilities::PerformanceInfo kSlow{.execTime = 1e6f, .powerUsage = 1e6f};
    return std::make_shared<const nn::hal::utils::InvalidDevice>(
            name, "unavailable", nn::kVersionFeatureLevel5, nn::DeviceType::OTHER,
            std::vector<nn::Extension>(),
            nn::Capabilities{.relaxedFloat32toFloat16PerformanceScalar = kSlow,
                             .relaxedFloat32toFloat16PerformanceTensor = kSlow,
                             .operandPerformance = nn::nonExtensionOperandPerformance(
                                     nn::HalVersion::AIDL1, kSlow),
                             .ifPerformance = kSlow,
                             .whilePerformance = kSlow},
            std::pair<uint32_t, uint32_t>(0, 0));
}

int registerDevice(const ANeuralNetworksShimDeviceInfo& info, nn::SharedDevice device) {
    const auto driver = nn::hal::adapter::adaptAidl(std::move(device));
    if (!driver.has_value()) {
        LOG(ERROR) << "NeuralNetworksShim: " << info.deviceName << ": " << driver.error().message;
        return ANNSHIM_GENERAL_ERROR;
    }
    const std::string instance = fmt::format("{}/{}", IDevice::descriptor, info.serviceName);
    const auto added = AServiceManager_addService((*driver)->asBinder().get(), instance.c_str());
    if (added == STATUS_OK) return ANNSHIM_NO_ERROR;
    LOG(ERROR) << "NeuralNetworksShim: " << instance << " cannot be registered: " << added;
    return ANNSHIM_FAILED_TO_REGISTER_SERVICE;
}

// Registers all devices, or none: devices that the library lacks are found first.
int registerAll(const ANeuralNetworksShimRegistrationParams& params) {
    const auto devices = nn::wrapSupportLibrary(params.library, "the support library");
    if (!devices.has_value()) {
        LOG(ERROR) << "NeuralNetworksShim: " << devices.error().message;
        return ANNSHIM_FAILED_TO_LOAD_SL;
    }
    std::vector<nn::SharedDevice> chosen;
    for (const ANeuralNetworksShimDeviceInfo& info : params.devices) {
        const auto found = std::find_if(
                devices->begin(), devices->end(),
                [&](const nn::SharedDevice& each) { return each->getName() == info.deviceName; });
        if (found == devices->end() && !params.hasFallback) {
            LOG(ERROR) << "NeuralNetworksShim: the support library has no " << info.deviceName;
            return ANNSHIM_FAILED_TO_REGISTER_SERVICE;
        }
        chosen.push_back(found == devices->end() ? minimumSupportDevice(info.deviceName) : *found);
    }
    ABinderProcess_setThreadPoolMaxThreadCount(params.threads);
    for (size_t i = 0; i < chosen.size(); ++i) {
        const int code = registerDevice(params.devices[i], std::move(chosen[i]));
        if (code != ANNSHIM_NO_ERROR) return code;
    }
    return ANNSHIM_NO_ERROR;
}

}  // namespace

int ANeuralNetworksShimDeviceInfo_create(ANeuralNetworksShimDeviceInfo** deviceInfo,
                                         const char* deviceName, const char* serviceName) {
    if (deviceInfo == nullptr) return invalid("there is no place for the device");
    *deviceInfo = nullptr;
    if (deviceName == nullptr) return invalid("the device has no name");
    const bool hasService = serviceName != nullptr && *serviceName != '\0';
    *deviceInfo =
            new ANeuralNetworksShimDeviceInfo{deviceName, hasService ? serviceName : deviceName};
    return ANNSHIM_NO_ERROR;
}

void ANeuralNetworksShimDeviceInfo_free(ANeuralNetworksShimDeviceInfo* deviceInfo) {
    delete deviceInfo;
}

int ANeuralNetworksShimRegistrationParams_create(
        NnApiSLDriverImpl* nnapiSupportLibraryPackage,
        ANeuralNetworksShimRegistrationParams** outRegistrationParams) {
    if (outRegistrationParams == nullptr) return invalid("there is no place for the parameters");
    *outRegistrationParams = nullptr;
    if (nnapiSupportLibraryPackage == nullptr) return invalid("there is no support library");
    *outRegistrationParams =
            new ANeuralNetworksShimRegistrationParams{.library = nnapiSupportLibraryPackage};
    return ANNSHIM_NO_ERROR;
}

void ANeuralNetworksShimRegistrationParams_free(
        ANeuralNetworksShimRegistrationParams* registrationParams) {
    delete registrationParams;
}

int ANeuralNetworksShimRegistrationParams_addDeviceInfo(
        ANeuralNetworksShimRegistrationParams* registrationParams,
        const ANeuralNetworksShimDeviceInfo* deviceInfo) {
    if (deviceInfo == nullptr) return invalid("there is no device");
    return with(registrationParams, [&](auto& params) { params.devices.push_back(*deviceInfo); });
}

int ANeuralNetworksShimRegistrationParams_setNumberOfListenerThreads(
        ANeuralNetworksShimRegistrationParams* registrationParams,
        uint32_t numberOfListenerThreads) {
    if (numberOfListenerThreads == 0) return invalid("there are no threads");
    return with(registrationParams,
                [&](auto& params) { params.threads = numberOfListenerThreads; });
}

int ANeuralNetworksShimRegistrationParams_registerAsLazyService(
        ANeuralNetworksShimRegistrationParams* registrationParams, bool asLazy) {
    return with(registrationParams, [&](auto& params) { params.isLazy = asLazy; });
}

int ANeuralNetworksShimRegistrationParams_fallbackToMinimumSupportDevice(
        ANeuralNetworksShimRegistrationParams* registrationParams, bool fallback) {
    return with(registrationParams, [&](auto& params) { params.hasFallback = fallback; });
}

int ANeuralNetworksShim_registerSupportLibraryService(
        const ANeuralNetworksShimRegistrationParams* registrationParams) {
    if (registrationParams == nullptr) return invalid("there are no registration parameters");
    if (registrationParams->devices.empty()) return invalid("there are no devices");
    const int code = registerAll(*registrationParams);
    if (code != ANNSHIM_NO_ERROR) return code;
    ABinderProcess_joinThreadPool();
}
