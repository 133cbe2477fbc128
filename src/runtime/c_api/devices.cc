// The C API: the runtime and its devices.
#include "runtime/c_api/handles.h"

using namespace nn::runtime;

extern "C" {

int64_t ANeuralNetworks_getRuntimeFeatureLevel() { return featureLevelCode(nn::kNewestVersion); }

uint64_t ANeuralNetworks_getDefaultLoopTimeout() {
    return static_cast<uint64_t>(nn::kLoopTimeoutDefault.count());
}

uint64_t ANeuralNetworks_getMaximumLoopTimeout() {
    return static_cast<uint64_t>(nn::kLoopTimeoutMaximum.count());
}

int ANeuralNetworks_getDeviceCount(uint32_t* numDevices) {
    NNAPI_API_CALL({
        NNAPI_API_RETURN_IF_ERROR(checkPointers(numDevices));
        *numDevices = static_cast<uint32_t>(runtime().devices().size());
        return {};
    });
}

// Checks of getDevice: index out of range: BAD_DATA.
int ANeuralNetworks_getDevice(uint32_t devIndex, ANeuralNetworksDevice** device) {
    NNAPI_API_CALL({
        NNAPI_API_RETURN_IF_ERROR(checkPointers(device));
        *device = nullptr;
        const auto& devices = runtime().devices();
        if (devIndex >= devices.size()) return badData("there are fewer devices");
        // Devices never change; the API passes them without const.
        *device = const_cast<ANeuralNetworksDevice*>(devices[devIndex].get());
        return {};
    });
}

// Checks of Device_…: not a device: BAD_DATA; getType of a device without a type: OP_FAILED; wait:
// the device's code.
int ANeuralNetworksDevice_getName(const ANeuralNetworksDevice* device, const char** name) {
    NNAPI_API_CALL({
        NNAPI_API_RETURN_IF_ERROR(checkPointers(device, name));
        NNAPI_API_RETURN_IF_ERROR(checkDevice(device));
        *name = device->name.c_str();
        return {};
    });
}

int ANeuralNetworksDevice_getVersion(const ANeuralNetworksDevice* device, const char** version) {
    NNAPI_API_CALL({
        NNAPI_API_RETURN_IF_ERROR(checkPointers(device, version));
        NNAPI_API_RETURN_IF_ERROR(checkDevice(device));
        *version = device->version.c_str();
        return {};
    });
}

int ANeuralNetworksDevice_getType(const ANeuralNetworksDevice* device, int32_t* type) {
    NNAPI_API_CALL({
        NNAPI_API_RETURN_IF_ERROR(checkPointers(device, type));
        NNAPI_API_RETURN_IF_ERROR(checkDevice(device));
        const auto code = static_cast<int32_t>(device->device->getType());
        if (code < 0) return {ANEURALNETWORKS_OP_FAILED, "the device has no type"};
        *type = code;
        return {};
    });
}

int ANeuralNetworksDevice_getFeatureLevel(const ANeuralNetworksDevice* device,
                                          int64_t* featureLevel) {
    NNAPI_API_CALL({
        NNAPI_API_RETURN_IF_ERROR(checkPointers(device, featureLevel));
        NNAPI_API_RETURN_IF_ERROR(checkDevice(device));
        *featureLevel = std::min(featureLevelCode(device->device->getFeatureLevel()),
                                 featureLevelCode(nn::kNewestVersion));
        return {};
    });
}

int ANeuralNetworksDevice_wait(const ANeuralNetworksDevice* device) {
    NNAPI_API_CALL({
        NNAPI_API_RETURN_IF_ERROR(checkPointers(device));
        NNAPI_API_RETURN_IF_ERROR(checkDevice(device));
        return device->device->wait().status();
    });
}

int ANeuralNetworksDevice_getExtensionSupport(const ANeuralNetworksDevice* device,
                                              const char* extensionName,
                                              bool* isExtensionSupported) {
    NNAPI_API_CALL({
        NNAPI_API_RETURN_IF_ERROR(checkPointers(device, extensionName, isExtensionSupported));
        NNAPI_API_RETURN_IF_ERROR(checkDevice(device));
        *isExtensionSupported = nn::supportsExtension(*device->device, extensionName);
        return {};
    });
}

}  // extern "C"
