#include "nnapi/driver/forwarding.h"

namespace nn {
namespace {

// Passes the object of a result through a hook; failures and null are unchanged.
template <class Object, class Wrap>
GeneralResult<Object> wrapped(GeneralResult<Object> made, Wrap&& wrap) {
    if (!made.has_value() || *made == nullptr) return made;
    return wrap(*std::move(made));
}

}  // namespace

// ---- buffers

Request::MemoryDomainToken ForwardingBuffer::getToken() const { return inner()->getToken(); }

GeneralResult<void> ForwardingBuffer::copyTo(const SharedMemory& dst) const {
    return inner()->copyTo(dst);
}

GeneralResult<void> ForwardingBuffer::copyFrom(const SharedMemory& src,
                                               const Dimensions& dimensions) const {
    return inner()->copyFrom(src, dimensions);
}

// ---- executions

ExecutionResult<Executed> ForwardingExecution::compute(const OptionalTimePoint& deadline) const {
    return inner()->compute(deadline);
}

GeneralResult<ExecutedFenced> ForwardingExecution::computeFenced(
        const std::vector<SyncFence>& waitFor, const OptionalTimePoint& deadline,
        const OptionalDuration& timeoutDurationAfterFence) const {
    return inner()->computeFenced(waitFor, deadline, timeoutDurationAfterFence);
}

// ---- bursts

IBurst::OptionalCacheHold ForwardingBurst::cacheMemory(const SharedMemory& memory) const {
    return inner()->cacheMemory(memory);
}

ExecutionResult<Executed> ForwardingBurst::execute(
        const Request& request, MeasureTiming measure, const OptionalTimePoint& deadline,
        const OptionalDuration& loopTimeoutDuration, const std::vector<TokenValuePair>& hints,
        const std::vector<ExtensionNameAndPrefix>& extensionNameToPrefix) const {
    return inner()->execute(request, measure, deadline, loopTimeoutDuration, hints,
                            extensionNameToPrefix);
}

GeneralResult<SharedExecution> ForwardingBurst::createReusableExecution(
        const Request& request, MeasureTiming measure, const OptionalDuration& loopTimeoutDuration,
        const std::vector<TokenValuePair>& hints,
        const std::vector<ExtensionNameAndPrefix>& extensionNameToPrefix) const {
    return wrapped(inner()->createReusableExecution(request, measure, loopTimeoutDuration, hints,
                                                    extensionNameToPrefix),
                   [&](SharedExecution made) { return wrapExecution(std::move(made)); });
}

SharedExecution ForwardingBurst::wrapExecution(SharedExecution made) const { return made; }

// ---- prepared models

ExecutionResult<Executed> ForwardingPreparedModel::execute(
        const Request& request, MeasureTiming measure, const OptionalTimePoint& deadline,
        const OptionalDuration& loopTimeoutDuration, const std::vector<TokenValuePair>& hints,
        const std::vector<ExtensionNameAndPrefix>& extensionNameToPrefix) const {
    return inner()->execute(request, measure, deadline, loopTimeoutDuration, hints,
                            extensionNameToPrefix);
}

GeneralResult<ExecutedFenced> ForwardingPreparedModel::executeFenced(
        const Request& request, const std::vector<SyncFence>& waitFor, MeasureTiming measure,
        const OptionalTimePoint& deadline, const OptionalDuration& loopTimeoutDuration,
        const OptionalDuration& timeoutDurationAfterFence, const std::vector<TokenValuePair>& hints,
        const std::vector<ExtensionNameAndPrefix>& extensionNameToPrefix) const {
    return inner()->executeFenced(request, waitFor, measure, deadline, loopTimeoutDuration,
                                  timeoutDurationAfterFence, hints, extensionNameToPrefix);
}

GeneralResult<SharedExecution> ForwardingPreparedModel::createReusableExecution(
        const Request& request, MeasureTiming measure, const OptionalDuration& loopTimeoutDuration,
        const std::vector<TokenValuePair>& hints,
        const std::vector<ExtensionNameAndPrefix>& extensionNameToPrefix) const {
    return wrapped(inner()->createReusableExecution(request, measure, loopTimeoutDuration, hints,
                                                    extensionNameToPrefix),
                   [&](SharedExecution made) { return wrapExecution(std::move(made)); });
}

GeneralResult<SharedBurst> ForwardingPreparedModel::configureExecutionBurst() const {
    return wrapped(inner()->configureExecutionBurst(),
                   [&](SharedBurst made) { return wrapBurst(std::move(made)); });
}

std::any ForwardingPreparedModel::getUnderlyingResource() const {
    return inner()->getUnderlyingResource();
}

SharedExecution ForwardingPreparedModel::wrapExecution(SharedExecution made) const { return made; }
SharedBurst ForwardingPreparedModel::wrapBurst(SharedBurst made) const { return made; }

// ---- devices

const std::string& ForwardingDevice::getName() const { return inner()->getName(); }
const std::string& ForwardingDevice::getVersionString() const {
    return inner()->getVersionString();
}
Version ForwardingDevice::getFeatureLevel() const { return inner()->getFeatureLevel(); }
DeviceType ForwardingDevice::getType() const { return inner()->getType(); }
const std::vector<Extension>& ForwardingDevice::getSupportedExtensions() const {
    return inner()->getSupportedExtensions();
}
const Capabilities& ForwardingDevice::getCapabilities() const { return inner()->getCapabilities(); }
std::pair<uint32_t, uint32_t> ForwardingDevice::getNumberOfCacheFilesNeeded() const {
    return inner()->getNumberOfCacheFilesNeeded();
}

GeneralResult<void> ForwardingDevice::wait() const { return inner()->wait(); }

GeneralResult<std::vector<bool>> ForwardingDevice::getSupportedOperations(
        const Model& model) const {
    return inner()->getSupportedOperations(model);
}

GeneralResult<SharedPreparedModel> ForwardingDevice::prepareModel(
        const Model& model, ExecutionPreference preference, Priority priority,
        OptionalTimePoint deadline, const std::vector<SharedHandle>& modelCache,
        const std::vector<SharedHandle>& dataCache, const CacheToken& token,
        const std::vector<TokenValuePair>& hints,
        const std::vector<ExtensionNameAndPrefix>& extensionNameToPrefix) const {
    return wrapped(inner()->prepareModel(model, preference, priority, deadline, modelCache,
                                         dataCache, token, hints, extensionNameToPrefix),
                   [&](SharedPreparedModel made) { return wrapPreparedModel(std::move(made)); });
}

GeneralResult<SharedPreparedModel> ForwardingDevice::prepareModelFromCache(
        OptionalTimePoint deadline, const std::vector<SharedHandle>& modelCache,
        const std::vector<SharedHandle>& dataCache, const CacheToken& token) const {
    return wrapped(inner()->prepareModelFromCache(deadline, modelCache, dataCache, token),
                   [&](SharedPreparedModel made) { return wrapPreparedModel(std::move(made)); });
}

GeneralResult<SharedBuffer> ForwardingDevice::allocate(
        const BufferDesc& desc, const std::vector<SharedPreparedModel>& preparedModels,
        const std::vector<BufferRole>& inputRoles,
        const std::vector<BufferRole>& outputRoles) const {
    std::vector<SharedPreparedModel> known;
    known.reserve(preparedModels.size());
    for (const SharedPreparedModel& each : preparedModels) {
        known.push_back(each == nullptr ? nullptr : unwrapPreparedModel(each));
    }
    return wrapped(inner()->allocate(desc, known, inputRoles, outputRoles),
                   [&](SharedBuffer made) { return wrapBuffer(std::move(made)); });
}

SharedPreparedModel ForwardingDevice::wrapPreparedModel(SharedPreparedModel made) const {
    return made;
}
SharedPreparedModel ForwardingDevice::unwrapPreparedModel(SharedPreparedModel given) const {
    return given;
}
SharedBuffer ForwardingDevice::wrapBuffer(SharedBuffer made) const { return made; }

}  // namespace nn
