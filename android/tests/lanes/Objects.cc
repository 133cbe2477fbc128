#define LOG_TAG "lanes-objects"

#include "Objects.h"

#include <LegacyUtils.h>
#include <Tracing.h>
#include <android-base/logging.h>
#include <android-base/scopeguard.h>
#include <android-base/stringprintf.h>

#include <algorithm>
#include <utility>

#include "Preparation.h"

namespace vendor::lanes {

using nn::ErrorStatus;

namespace {

// Null for a prepared model of another process, and for null.
const BasePreparedModel* castToPreparedModel(
        const std::shared_ptr<aidl_hal::IPreparedModel>& preparedModel) {
    if (preparedModel == nullptr || preparedModel->isRemote()) return nullptr;
    return static_cast<const BasePreparedModel*>(preparedModel.get());
}

}  // namespace

ndk::ScopedAStatus noCallback() {
    return toAStatus(ErrorStatus::INVALID_ARGUMENT, "there is no callback");
}

ndk::ScopedAStatus BasePreparedModel::execute(const aidl_hal::Request& request,
                                              const CallArguments& arguments,
                                              aidl_hal::ExecutionResult* executionResult) const {
    NNTRACE_FULL(NNTRACE_LAYER_DRIVER, NNTRACE_PHASE_EXECUTION, "BasePreparedModel::execute");
    VLOG(nn::DRIVER) << "execute(" << SHOW_IF_DEBUG(request.toString()) << ")";
    const auto checked = kSession->checkRequest(request, /*allowUnspecifiedOutput=*/true);
    if (!checked.has_value()) return toAStatus(checked.error());
    return kSession->execute(checked.value(), arguments, this, /*memories=*/nullptr,
                             /*tokens=*/nullptr, executionResult);
}

ndk::ScopedAStatus BasePreparedModel::launch(
        const aidl_hal::Request& request, const std::vector<ndk::ScopedFileDescriptor>& waitFor,
        const CallArguments& arguments, int64_t durationNs,
        aidl_hal::FencedExecutionResult* executionResult) const {
    NNTRACE_FULL(NNTRACE_LAYER_DRIVER, NNTRACE_PHASE_EXECUTION, "BasePreparedModel::launch");
    const auto checked = kSession->checkRequest(request, /*allowUnspecifiedOutput=*/false);
    if (!checked.has_value()) return toAStatus(checked.error());
    return kSession->executeFenced(checked.value(), waitFor, arguments, durationNs, this,
                                   executionResult);
}

ndk::ScopedAStatus BasePreparedModel::executeSynchronously(
        const aidl_hal::Request& request, bool measureTiming, int64_t deadlineNs,
        int64_t loopTimeoutDurationNs, aidl_hal::ExecutionResult* executionResult) {
    return execute(request,
                   {.measureTiming = measureTiming,
                    .deadlineNs = deadlineNs,
                    .loopTimeoutDurationNs = loopTimeoutDurationNs},
                   executionResult);
}

ndk::ScopedAStatus BasePreparedModel::executeFenced(
        const aidl_hal::Request& request, const std::vector<ndk::ScopedFileDescriptor>& waitFor,
        bool measureTiming, int64_t deadlineNs, int64_t loopTimeoutDurationNs, int64_t durationNs,
        aidl_hal::FencedExecutionResult* executionResult) {
    return launch(request, waitFor,
                  {.measureTiming = measureTiming,
                   .deadlineNs = deadlineNs,
                   .loopTimeoutDurationNs = loopTimeoutDurationNs},
                  durationNs, executionResult);
}

ndk::ScopedAStatus BaseBurst::executeSynchronously(
        const aidl_hal::Request& request, const std::vector<int64_t>& memoryIdentifierTokens,
        bool measureTiming, int64_t deadlineNs, int64_t loopTimeoutDurationNs,
        aidl_hal::ExecutionResult* executionResult) {
    return execute(request, memoryIdentifierTokens,
                   {.measureTiming = measureTiming,
                    .deadlineNs = deadlineNs,
                    .loopTimeoutDurationNs = loopTimeoutDurationNs},
                   executionResult);
}

ndk::ScopedAStatus BaseBurst::execute(const aidl_hal::Request& request,
                                      const std::vector<int64_t>& memoryIdentifierTokens,
                                      const CallArguments& arguments,
                                      aidl_hal::ExecutionResult* executionResult) {
    NNTRACE_FULL(NNTRACE_LAYER_DRIVER, NNTRACE_PHASE_EXECUTION, "BaseBurst::execute");
    if (memoryIdentifierTokens.size() != request.pools.size() ||
        std::any_of(memoryIdentifierTokens.begin(), memoryIdentifierTokens.end(),
                    [](int64_t token) { return token < -1; })) {
        return toAStatus(ErrorStatus::INVALID_ARGUMENT, "the tokens do not fit the pools");
    }
    if (mExecutionInFlight.test_and_set()) {
        return toAStatus(ErrorStatus::GENERAL_FAILURE, "a burst executes one request at a time");
    }
    const auto guard = ::android::base::make_scope_guard([this] { mExecutionInFlight.clear(); });

    const Session& session = kPreparedModel->getSession();
    const auto checked = session.checkRequest(request, /*allowUnspecifiedOutput=*/true);
    if (!checked.has_value()) return toAStatus(checked.error());
    return session.execute(checked.value(), arguments, kPreparedModel.get(), &mMemories,
                           &memoryIdentifierTokens, executionResult);
}

ndk::ScopedAStatus BaseBurst::releaseMemoryResource(int64_t memoryIdentifierToken) {
    if (memoryIdentifierToken < -1) {
        return toAStatus(ErrorStatus::INVALID_ARGUMENT, "the token is negative");
    }
    mMemories.release(memoryIdentifierToken);
    return ndk::ScopedAStatus::ok();
}

ndk::ScopedAStatus BaseDevice::getVersionString(std::string* versionString) {
    *versionString = ::android::base::StringPrintf("lanes %d.%d", kVersion, 0);
    return ndk::ScopedAStatus::ok();
}

ndk::ScopedAStatus BaseDevice::getType(aidl_hal::DeviceType* deviceType) {
    *deviceType = aidl_hal::DeviceType::ACCELERATOR;
    return ndk::ScopedAStatus::ok();
}

ndk::ScopedAStatus BaseDevice::getSupportedExtensions(
        std::vector<aidl_hal::Extension>* extensions) {
    *extensions = {};
    return ndk::ScopedAStatus::ok();
}

ndk::ScopedAStatus BaseDevice::getCapabilities(aidl_hal::Capabilities* capabilities) {
    NNTRACE_FULL(NNTRACE_LAYER_DRIVER, NNTRACE_PHASE_INITIALIZATION, "BaseDevice::getCapabilities");
    *capabilities = laneCapabilities();
    return ndk::ScopedAStatus::ok();
}

ndk::ScopedAStatus BaseDevice::getNumberOfCacheFilesNeeded(
        aidl_hal::NumberOfCacheFiles* numberOfCacheFiles) {
    *numberOfCacheFiles = laneCacheFiles();
    return ndk::ScopedAStatus::ok();
}

ndk::ScopedAStatus BaseDevice::getSupportedOperations(const aidl_hal::Model& model,
                                                      std::vector<bool>* supportedOperations) {
    auto supported = lanes::supportedOperations(model);
    if (!supported.has_value()) return toAStatus(supported.error());
    *supportedOperations = std::move(supported).value();
    return ndk::ScopedAStatus::ok();
}

ndk::ScopedAStatus BaseDevice::allocate(
        const aidl_hal::BufferDesc& desc,
        const std::vector<aidl_hal::IPreparedModelParcel>& preparedModels,
        const std::vector<aidl_hal::BufferRole>& inputRoles,
        const std::vector<aidl_hal::BufferRole>& outputRoles, aidl_hal::DeviceBuffer* buffer) {
    VLOG(nn::DRIVER) << kName << ": allocate(" << desc.toString() << ")";
    const auto getModel = [](const std::shared_ptr<aidl_hal::IPreparedModel>& preparedModel)
            -> const aidl_hal::Model* {
        const BasePreparedModel* own = castToPreparedModel(preparedModel);
        return own == nullptr ? nullptr : own->getSession().halModel();
    };
    return allocateBuffer(kBufferTracker, desc, preparedModels, inputRoles, outputRoles, getModel,
                          buffer);
}

}  // namespace vendor::lanes
