#include "nnapi/driver/invalid.h"

#include <utility>

namespace nn::hal::utils {

InvalidDevice::InvalidDevice(std::string name, std::string versionString, Version featureLevel,
                             DeviceType type, std::vector<Extension> extensions,
                             Capabilities capabilities,
                             std::pair<uint32_t, uint32_t> numberOfCacheFilesNeeded,
                             std::string reason)
    : mName(std::move(name)),
      mVersionString(std::move(versionString)),
      mFeatureLevel(featureLevel),
      mType(type),
      mExtensions(std::move(extensions)),
      mCapabilities(std::move(capabilities)),
      mNumberOfCacheFilesNeeded(numberOfCacheFilesNeeded),
      mReason(std::move(reason)) {}

GeneralResult<void> InvalidDevice::wait() const { return error() << mReason; }

GeneralResult<std::vector<bool>> InvalidDevice::getSupportedOperations(const Model&) const {
    return error() << mReason;
}

GeneralResult<SharedPreparedModel> InvalidDevice::prepareModel(
        const Model&, ExecutionPreference, Priority, OptionalTimePoint,
        const std::vector<SharedHandle>&, const std::vector<SharedHandle>&, const CacheToken&,
        const std::vector<TokenValuePair>&, const std::vector<ExtensionNameAndPrefix>&) const {
    return error() << mReason;
}

GeneralResult<SharedPreparedModel> InvalidDevice::prepareModelFromCache(
        OptionalTimePoint, const std::vector<SharedHandle>&, const std::vector<SharedHandle>&,
        const CacheToken&) const {
    return error() << mReason;
}

GeneralResult<SharedBuffer> InvalidDevice::allocate(const BufferDesc&,
                                                    const std::vector<SharedPreparedModel>&,
                                                    const std::vector<BufferRole>&,
                                                    const std::vector<BufferRole>&) const {
    return error() << mReason;
}

ExecutionResult<Executed> InvalidPreparedModel::execute(
        const Request&, MeasureTiming, const OptionalTimePoint&, const OptionalDuration&,
        const std::vector<TokenValuePair>&, const std::vector<ExtensionNameAndPrefix>&) const {
    return error() << mReason;
}

GeneralResult<ExecutedFenced> InvalidPreparedModel::executeFenced(
        const Request&, const std::vector<SyncFence>&, MeasureTiming, const OptionalTimePoint&,
        const OptionalDuration&, const OptionalDuration&, const std::vector<TokenValuePair>&,
        const std::vector<ExtensionNameAndPrefix>&) const {
    return error() << mReason;
}

GeneralResult<SharedExecution> InvalidPreparedModel::createReusableExecution(
        const Request&, MeasureTiming, const OptionalDuration&, const std::vector<TokenValuePair>&,
        const std::vector<ExtensionNameAndPrefix>&) const {
    return error() << mReason;
}

GeneralResult<SharedBurst> InvalidPreparedModel::configureExecutionBurst() const {
    return error() << mReason;
}

ExecutionResult<Executed> InvalidExecution::compute(const OptionalTimePoint&) const {
    return error() << mReason;
}

GeneralResult<ExecutedFenced> InvalidExecution::computeFenced(const std::vector<SyncFence>&,
                                                              const OptionalTimePoint&,
                                                              const OptionalDuration&) const {
    return error() << mReason;
}

ExecutionResult<Executed> InvalidBurst::execute(const Request&, MeasureTiming,
                                                const OptionalTimePoint&, const OptionalDuration&,
                                                const std::vector<TokenValuePair>&,
                                                const std::vector<ExtensionNameAndPrefix>&) const {
    return error() << mReason;
}

GeneralResult<SharedExecution> InvalidBurst::createReusableExecution(
        const Request&, MeasureTiming, const OptionalDuration&, const std::vector<TokenValuePair>&,
        const std::vector<ExtensionNameAndPrefix>&) const {
    return error() << mReason;
}

GeneralResult<void> InvalidBuffer::copyTo(const SharedMemory&) const { return error() << mReason; }

GeneralResult<void> InvalidBuffer::copyFrom(const SharedMemory&, const Dimensions&) const {
    return error() << mReason;
}

}  // namespace nn::hal::utils
