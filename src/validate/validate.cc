#include "nnapi/validate.h"

#include "base/no_throw.h"
#include "validate/checks.h"

namespace nn {
namespace {

template <class T>
Result<Version> leastVersion(const T& object) NNAPI_TRY {
    Report report({});
    check(object, Place{}, report);
    return report.result();
}
NNAPI_CATCH

}  // namespace

Result<Version> validate(const DeviceStatus& deviceStatus) { return leastVersion(deviceStatus); }
Result<Version> validate(const ExecutionPreference& preference) { return leastVersion(preference); }
Result<Version> validate(const DeviceType& deviceType) { return leastVersion(deviceType); }
Result<Version> validate(const MeasureTiming& measureTiming) { return leastVersion(measureTiming); }
Result<Version> validate(const Priority& priority) { return leastVersion(priority); }
Result<Version> validate(const ErrorStatus& errorStatus) { return leastVersion(errorStatus); }
Result<Version> validate(const FusedActivationFunc& activation) { return leastVersion(activation); }
Result<Version> validate(const OperandType& type) { return leastVersion(type); }
Result<Version> validate(const OperationType& type) { return leastVersion(type); }
Result<Version> validate(const OutputShape& outputShape) { return leastVersion(outputShape); }
Result<Version> validate(const Timing& timing) { return leastVersion(timing); }
Result<Version> validate(const Capabilities& capabilities) { return leastVersion(capabilities); }
Result<Version> validate(const Extension& extension) { return leastVersion(extension); }
Result<Version> validate(const ExtensionNameAndPrefix& nameAndPrefix) {
    return leastVersion(nameAndPrefix);
}
Result<Version> validate(const BufferDesc& bufferDesc) { return leastVersion(bufferDesc); }
Result<Version> validate(const BufferRole& bufferRole) { return leastVersion(bufferRole); }
Result<Version> validate(const OptionalTimePoint& timePoint) { return leastVersion(timePoint); }
Result<Version> validate(const OptionalDuration& duration) { return leastVersion(duration); }
Result<Version> validate(const CacheToken& token) { return leastVersion(token); }
Result<Version> validate(const SyncFence& fence) { return leastVersion(fence); }
Result<Version> validate(const SharedHandle& handle) { return leastVersion(handle); }
Result<Version> validate(const SharedMemory& memory) { return leastVersion(memory); }
Result<Version> validate(const TokenValuePair& tokenValuePair) {
    return leastVersion(tokenValuePair);
}

Result<Version> validate(const NumberOfCacheFiles& files) { return leastVersion(files); }
Result<Version> validate(const Executed& executed) { return leastVersion(executed); }
Result<Version> validate(const ExecutionConfig& config) { return leastVersion(config); }
Result<Version> validate(const PrepareModelConfig& config) { return leastVersion(config); }

Result<Version> validate(const std::vector<OutputShape>& outputShapes) {
    return leastVersion(outputShapes);
}
Result<Version> validate(const std::vector<Extension>& extensions) {
    return leastVersion(extensions);
}
Result<Version> validate(const std::vector<ExtensionNameAndPrefix>& namesAndPrefixes) {
    return leastVersion(namesAndPrefixes);
}
Result<Version> validate(const std::vector<SharedHandle>& handles) { return leastVersion(handles); }
Result<Version> validate(const std::vector<SyncFence>& fences) { return leastVersion(fences); }
Result<Version> validate(const std::vector<BufferRole>& bufferRoles) {
    return leastVersion(bufferRoles);
}
Result<Version> validate(const std::vector<TokenValuePair>& tokenValuePairs) {
    return leastVersion(tokenValuePairs);
}

Result<Version> validate(const Request& request) { return leastVersion(request); }

}  // namespace nn
