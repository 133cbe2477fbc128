#include "nnapi/validate.h"

#include "base/no_throw.h"
#include "validate/checks.h"

namespace nn {
namespace {

template <class T>
Result<Version> minVersion(const T& object) NNAPI_TRY {
    Report report;
    check(object, Place{}, report);
    return report.result();
}
NNAPI_CATCH

}  // namespace

Result<Version> validate(const DeviceStatus& deviceStatus) { return minVersion(deviceStatus); }
Result<Version> validate(const ExecutionPreference& preference) { return minVersion(preference); }
Result<Version> validate(const DeviceType& deviceType) { return minVersion(deviceType); }
Result<Version> validate(const MeasureTiming& measureTiming) { return minVersion(measureTiming); }
Result<Version> validate(const Priority& priority) { return minVersion(priority); }
Result<Version> validate(const ErrorStatus& errorStatus) { return minVersion(errorStatus); }
Result<Version> validate(const FusedActivationFunc& activation) { return minVersion(activation); }
Result<Version> validate(const OperandType& type) { return minVersion(type); }
Result<Version> validate(const OperationType& type) { return minVersion(type); }
Result<Version> validate(const OutputShape& outputShape) { return minVersion(outputShape); }
Result<Version> validate(const Timing& timing) { return minVersion(timing); }
Result<Version> validate(const Capabilities& capabilities) { return minVersion(capabilities); }
Result<Version> validate(const Extension& extension) { return minVersion(extension); }
Result<Version> validate(const ExtensionNameAndPrefix& nameAndPrefix) {
    return minVersion(nameAndPrefix);
}
Result<Version> validate(const BufferDesc& bufferDesc) { return minVersion(bufferDesc); }
Result<Version> validate(const BufferRole& bufferRole) { return minVersion(bufferRole); }
Result<Version> validate(const OptionalTimePoint& timePoint) { return minVersion(timePoint); }
Result<Version> validate(const OptionalDuration& duration) { return minVersion(duration); }
Result<Version> validate(const CacheToken& token) { return minVersion(token); }
Result<Version> validate(const SyncFence& fence) { return minVersion(fence); }
Result<Version> validate(const SharedHandle& handle) { return minVersion(handle); }
Result<Version> validate(const SharedMemory& memory) { return minVersion(memory); }
Result<Version> validate(const TokenValuePair& tokenValuePair) {
    return minVersion(tokenValuePair);
}

Result<Version> validate(const NumberOfCacheFiles& files) { return minVersion(files); }
Result<Version> validate(const Executed& executed) { return minVersion(executed); }
Result<Version> validate(const ExecutionConfig& config) { return minVersion(config); }
Result<Version> validate(const PrepareModelConfig& config) { return minVersion(config); }

Result<Version> validate(const std::vector<OutputShape>& outputShapes) {
    return minVersion(outputShapes);
}
Result<Version> validate(const std::vector<Extension>& extensions) {
    return minVersion(extensions);
}
Result<Version> validate(const std::vector<ExtensionNameAndPrefix>& namesAndPrefixes) {
    return minVersion(namesAndPrefixes);
}
Result<Version> validate(const std::vector<SharedHandle>& handles) { return minVersion(handles); }
Result<Version> validate(const std::vector<SyncFence>& fences) { return minVersion(fences); }
Result<Version> validate(const std::vector<BufferRole>& bufferRoles) {
    return minVersion(bufferRoles);
}
Result<Version> validate(const std::vector<TokenValuePair>& tokenValuePairs) {
    return minVersion(tokenValuePairs);
}

Result<Version> validate(const Request& request) { return minVersion(request); }

}  // namespace nn
