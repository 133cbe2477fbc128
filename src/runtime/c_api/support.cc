// The functions that only support libraries have: device properties, caches in open files, and
// telemetry.
#include <tuple>

#include "nnapi/type_utils.h"
#include "runtime/c_api/handles.h"
#include "runtime/c_api/support_table.h"
#include "runtime/observe/telemetry.h"

using namespace nn::runtime;

namespace {

// The extension of a device with this index.
ApiStatus extensionOf(const ANeuralNetworksDevice* device, uint32_t index,
                      const nn::Extension*& extension) {
    NNAPI_API_RETURN_IF_ERROR(checkDevice(device));
    const auto& extensions = device->device->getSupportedExtensions();
    if (index >= extensions.size()) return badData("there are fewer extensions");
    extension = &extensions[index];
    return {};
}

SL_ANeuralNetworksPerformanceInfo infoOf(const nn::Capabilities::PerformanceInfo& info) {
    return {.execTime = info.execTime, .powerUsage = info.powerUsage};
}

}  // namespace

extern "C" {

int SL_ANeuralNetworksCompilation_setCachingFromFds(ANeuralNetworksCompilation* compilation,
                                                    const int* modelCacheFds,
                                                    const uint32_t numModelCacheFiles,
                                                    const int* dataCacheFds,
                                                    const uint32_t numDataCacheFiles,
                                                    const uint8_t* token) {
    NNAPI_API_CALL({
        NNAPI_API_RETURN_IF_ERROR(checkPointers(compilation, token));
        NNAPI_API_RETURN_IF_ERROR(checkData(modelCacheFds, numModelCacheFiles));
        NNAPI_API_RETURN_IF_ERROR(checkData(dataCacheFds, numDataCacheFiles));
        return hold(compilation->builder)
                ->setCachingFromFds({modelCacheFds, numModelCacheFiles},
                                    {dataCacheFds, numDataCacheFiles}, token);
    });
}

int SL_ANeuralNetworksDevice_getNumberOfCacheFilesNeeded(const ANeuralNetworksDevice* device,
                                                         uint32_t* numModelCacheFiles,
                                                         uint32_t* numDataCacheFiles) {
    NNAPI_API_CALL({
        if (numModelCacheFiles != nullptr) *numModelCacheFiles = 0;
        if (numDataCacheFiles != nullptr) *numDataCacheFiles = 0;
        NNAPI_API_RETURN_IF_ERROR(checkPointers(device, numModelCacheFiles, numDataCacheFiles));
        NNAPI_API_RETURN_IF_ERROR(checkDevice(device));
        std::tie(*numModelCacheFiles, *numDataCacheFiles) =
                device->device->getNumberOfCacheFilesNeeded();
        return {};
    });
}

int SL_ANeuralNetworksDevice_getPerformanceInfo(
        const ANeuralNetworksDevice* device, int32_t performanceInfoKind,
        SL_ANeuralNetworksPerformanceInfo* performanceInfo) {
    NNAPI_API_CALL({
        NNAPI_API_RETURN_IF_ERROR(checkPointers(device, performanceInfo));
        NNAPI_API_RETURN_IF_ERROR(checkDevice(device));
        const nn::Capabilities& capabilities = device->device->getCapabilities();
        switch (performanceInfoKind) {
            case SL_ANEURALNETWORKS_CAPABILITIES_PERFORMANCE_RELAXED_SCALAR:
                *performanceInfo = infoOf(capabilities.relaxedFloat32toFloat16PerformanceScalar);
                return {};
            case SL_ANEURALNETWORKS_CAPABILITIES_PERFORMANCE_RELAXED_TENSOR:
                *performanceInfo = infoOf(capabilities.relaxedFloat32toFloat16PerformanceTensor);
                return {};
            case SL_ANEURALNETWORKS_CAPABILITIES_PERFORMANCE_IF:
                *performanceInfo = infoOf(capabilities.ifPerformance);
                return {};
            case SL_ANEURALNETWORKS_CAPABILITIES_PERFORMANCE_WHILE:
                *performanceInfo = infoOf(capabilities.whilePerformance);
                return {};
            default:
                return badData("there is no performance of this kind, allowed 0 to 3");
        }
    });
}

int SL_ANeuralNetworksDevice_forEachOperandPerformanceInfo(
        const ANeuralNetworksDevice* device, void* context,
        void (*callback)(SL_ANeuralNetworksOperandPerformanceInfo, void*)) {
    NNAPI_API_CALL({
        NNAPI_API_RETURN_IF_ERROR(checkPointers(device));
        if (callback == nullptr) return unexpectedNull("the callback is null");
        NNAPI_API_RETURN_IF_ERROR(checkDevice(device));
        for (const auto& each : device->device->getCapabilities().operandPerformance.asVector()) {
            if (nn::isExtension(each.type)) continue;
            callback({.operandType = static_cast<int32_t>(each.type),
                      .performanceInfo = infoOf(each.info)},
                     context);
        }
        return {};
    });
}

int SL_ANeuralNetworksDevice_getVendorExtensionCount(const ANeuralNetworksDevice* device,
                                                     uint32_t* vendorExtensionCount) {
    NNAPI_API_CALL({
        NNAPI_API_RETURN_IF_ERROR(checkPointers(device, vendorExtensionCount));
        NNAPI_API_RETURN_IF_ERROR(checkDevice(device));
        *vendorExtensionCount =
                static_cast<uint32_t>(device->device->getSupportedExtensions().size());
        return {};
    });
}

int SL_ANeuralNetworksDevice_getVendorExtensionName(const ANeuralNetworksDevice* device,
                                                    uint32_t vendorExtensionIndex,
                                                    const char** extensionName) {
    NNAPI_API_CALL({
        NNAPI_API_RETURN_IF_ERROR(checkPointers(device, extensionName));
        const nn::Extension* extension = nullptr;
        NNAPI_API_RETURN_IF_ERROR(extensionOf(device, vendorExtensionIndex, extension));
        *extensionName = extension->name.c_str();
        return {};
    });
}

int SL_ANeuralNetworksDevice_forEachVendorExtensionOperandTypeInformation(
        const ANeuralNetworksDevice* device, uint32_t vendorExtensionIndex, void* context,
        void (*callback)(SL_ANeuralNetworksExtensionOperandTypeInformation, void*)) {
    NNAPI_API_CALL({
        NNAPI_API_RETURN_IF_ERROR(checkPointers(device));
        if (callback == nullptr) return unexpectedNull("the callback is null");
        const nn::Extension* extension = nullptr;
        NNAPI_API_RETURN_IF_ERROR(extensionOf(device, vendorExtensionIndex, extension));
        for (const auto& each : extension->operandTypes) {
            callback({.byteSize = each.byteSize, .type = each.type, .isTensor = each.isTensor},
                     context);
        }
        return {};
    });
}

// ---- telemetry. A getter has no result code, so null yields the value of an unknown property.

#define NNAPI_GETTER(Value, function, Subject, property, unknown)                \
    Value function(const ANeuralNetworksDiagnostic##Subject##Info* info) {       \
        return info == nullptr ? (unknown) : static_cast<Value>(info->property); \
    }
#define NNAPI_GETTERS(Subject, ErrorCode)                                                          \
    int32_t SL_ANeuralNetworksDiagnostic##Subject##Info_getSessionId(                              \
            const ANeuralNetworksDiagnostic##Subject##Info*) {                                     \
        return sessionId();                                                                        \
    }                                                                                              \
    int64_t SL_ANeuralNetworksDiagnostic##Subject##Info_getNnApiVersion(                           \
            const ANeuralNetworksDiagnostic##Subject##Info*) {                                     \
        return featureLevelCode(nn::kNewestVersion);                                               \
    }                                                                                              \
    NNAPI_GETTER(const uint8_t*, SL_ANeuralNetworksDiagnostic##Subject##Info_getModelArchHash,     \
                 Subject, architecture.data(), nullptr)                                            \
    NNAPI_GETTER(const char*, SL_ANeuralNetworksDiagnostic##Subject##Info_getDeviceIds, Subject,   \
                 deviceIds.c_str(), nullptr)                                                       \
    NNAPI_GETTER(ErrorCode, SL_ANeuralNetworksDiagnostic##Subject##Info_getErrorCode, Subject,     \
                 code, 0)                                                                          \
    NNAPI_GETTER(ANeuralNetworksDiagnosticDataClass,                                               \
                 SL_ANeuralNetworksDiagnostic##Subject##Info_getInputDataClass, Subject, inputs,   \
                 ANNDIAG_DATA_CLASS_UNKNOWN)                                                       \
    NNAPI_GETTER(ANeuralNetworksDiagnosticDataClass,                                               \
                 SL_ANeuralNetworksDiagnostic##Subject##Info_getOutputDataClass, Subject, outputs, \
                 ANNDIAG_DATA_CLASS_UNKNOWN)                                                       \
    NNAPI_GETTER(bool, SL_ANeuralNetworksDiagnostic##Subject##Info_isCachingEnabled, Subject,      \
                 isCachingEnabled, false)                                                          \
    NNAPI_GETTER(bool, SL_ANeuralNetworksDiagnostic##Subject##Info_isControlFlowUsed, Subject,     \
                 isControlFlowUsed, false)                                                         \
    NNAPI_GETTER(bool, SL_ANeuralNetworksDiagnostic##Subject##Info_areDynamicTensorsUsed, Subject, \
                 areDynamicTensorsUsed, false)

NNAPI_GETTERS(Compilation, int32_t)
NNAPI_GETTER(uint64_t, SL_ANeuralNetworksDiagnosticCompilationInfo_getCompilationTimeNanos,
             Compilation, nanoseconds, kUnknownTime)

NNAPI_GETTERS(Execution, uint32_t)
NNAPI_GETTER(ANeuralNetworksDiagnosticExecutionMode,
             SL_ANeuralNetworksDiagnosticExecutionInfo_getExecutionMode, Execution, mode,
             ANNDIAG_EXECUTION_MODE_UNKNOWN)
NNAPI_GETTER(uint64_t, SL_ANeuralNetworksDiagnosticExecutionInfo_getRuntimeExecutionTimeNanos,
             Execution, nanoseconds, kUnknownTime)
NNAPI_GETTER(uint64_t, SL_ANeuralNetworksDiagnosticExecutionInfo_getDriverExecutionTimeNanos,
             Execution, driverNanoseconds, kUnknownTime)
NNAPI_GETTER(uint64_t, SL_ANeuralNetworksDiagnosticExecutionInfo_getHardwareExecutionTimeNanos,
             Execution, hardwareNanoseconds, kUnknownTime)

void SL_ANeuralNetworksDiagnostic_registerCallbacks(
        ANeuralNetworksDiagnosticCompilationFinishedCallback compilationCallback,
        ANeuralNetworksDiagnosticExecutionFinishedCallback executionCallback,
        void* callbackContext) {
    setTelemetry({compilationCallback, executionCallback, callbackContext});
}

}  // extern "C"
