#define LOG_TAG "lanes-driver-1"

#include "Driver.h"

#include <LegacyUtils.h>
#include <Tracing.h>
#include <android-base/logging.h>
#include <android-base/scopeguard.h>

#include <algorithm>
#include <utility>

#include "Preparation.h"

namespace vendor::lanes {

using nn::ErrorStatus;

namespace {

// Null for a prepared model of another process, and for null.
const PreparedModel* castToPreparedModel(
        const std::shared_ptr<aidl_hal::IPreparedModel>& preparedModel) {
    if (preparedModel == nullptr || preparedModel->isRemote()) return nullptr;
    return static_cast<const PreparedModel*>(preparedModel.get());
}

}  // namespace

ndk::ScopedAStatus PreparedModel::executeSynchronously(const aidl_hal::Request& request,
                                                       bool measureTiming, int64_t deadlineNs,
                                                       int64_t loopTimeoutDurationNs,
                                                       aidl_hal::ExecutionResult* executionResult) {
    NNTRACE_FULL(NNTRACE_LAYER_DRIVER, NNTRACE_PHASE_EXECUTION,
                 "PreparedModel::executeSynchronously");
    VLOG(nn::DRIVER) << "executeSynchronously(" << SHOW_IF_DEBUG(request.toString()) << ")";
    const auto checked = kSession->checkRequest(request, /*allowUnspecifiedOutput=*/true);
    if (!checked.has_value()) return toAStatus(checked.error());
    return kSession->execute(checked.value(),
                             {.measureTiming = measureTiming,
                              .deadlineNs = deadlineNs,
                              .loopTimeoutDurationNs = loopTimeoutDurationNs},
                             this, /*memories=*/nullptr, /*tokens=*/nullptr, executionResult);
}

ndk::ScopedAStatus PreparedModel::executeFenced(
        const aidl_hal::Request& request, const std::vector<ndk::ScopedFileDescriptor>& waitFor,
        bool measureTiming, int64_t deadlineNs, int64_t loopTimeoutDurationNs, int64_t durationNs,
        aidl_hal::FencedExecutionResult* executionResult) {
    NNTRACE_FULL(NNTRACE_LAYER_DRIVER, NNTRACE_PHASE_EXECUTION, "PreparedModel::executeFenced");
    const auto checked = kSession->checkRequest(request, /*allowUnspecifiedOutput=*/false);
    if (!checked.has_value()) return toAStatus(checked.error());
    return kSession->executeFenced(checked.value(), waitFor,
                                   {.measureTiming = measureTiming,
                                    .deadlineNs = deadlineNs,
                                    .loopTimeoutDurationNs = loopTimeoutDurationNs},
                                   durationNs, this, executionResult);
}

ndk::ScopedAStatus PreparedModel::configureExecutionBurst(
        std::shared_ptr<aidl_hal::IBurst>* burst) {
    *burst = ndk::SharedRefBase::make<Burst>(ref<PreparedModel>());
    return ndk::ScopedAStatus::ok();
}

ndk::ScopedAStatus Burst::executeSynchronously(const aidl_hal::Request& request,
                                               const std::vector<int64_t>& memoryIdentifierTokens,
                                               bool measureTiming, int64_t deadlineNs,
                                               int64_t loopTimeoutDurationNs,
                                               aidl_hal::ExecutionResult* executionResult) {
    NNTRACE_FULL(NNTRACE_LAYER_DRIVER, NNTRACE_PHASE_EXECUTION, "Burst::executeSynchronously");
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
    return session.execute(checked.value(),
                           {.measureTiming = measureTiming,
                            .deadlineNs = deadlineNs,
                            .loopTimeoutDurationNs = loopTimeoutDurationNs},
                           kPreparedModel.get(), &mMemories, &memoryIdentifierTokens,
                           executionResult);
}

ndk::ScopedAStatus Burst::releaseMemoryResource(int64_t memoryIdentifierToken) {
    if (memoryIdentifierToken < -1) {
        return toAStatus(ErrorStatus::INVALID_ARGUMENT, "the token is negative");
    }
    mMemories.release(memoryIdentifierToken);
    return ndk::ScopedAStatus::ok();
}

ndk::ScopedAStatus Device::getVersionString(std::string* versionString) {
    NNTRACE_FULL(NNTRACE_LAYER_DRIVER, NNTRACE_PHASE_INITIALIZATION, "Device::getVersionString");
    *versionString = "lanes 1.0";
    return ndk::ScopedAStatus::ok();
}

ndk::ScopedAStatus Device::getType(aidl_hal::DeviceType* deviceType) {
    *deviceType = aidl_hal::DeviceType::ACCELERATOR;
    return ndk::ScopedAStatus::ok();
}

ndk::ScopedAStatus Device::getSupportedExtensions(std::vector<aidl_hal::Extension>* extensions) {
    extensions->clear();
    return ndk::ScopedAStatus::ok();
}

ndk::ScopedAStatus Device::getCapabilities(aidl_hal::Capabilities* capabilities) {
    NNTRACE_FULL(NNTRACE_LAYER_DRIVER, NNTRACE_PHASE_INITIALIZATION, "Device::getCapabilities");
    *capabilities = laneCapabilities();
    return ndk::ScopedAStatus::ok();
}

ndk::ScopedAStatus Device::getNumberOfCacheFilesNeeded(
        aidl_hal::NumberOfCacheFiles* numberOfCacheFiles) {
    *numberOfCacheFiles = laneCacheFiles();
    return ndk::ScopedAStatus::ok();
}

ndk::ScopedAStatus Device::getSupportedOperations(const aidl_hal::Model& model,
                                                  std::vector<bool>* supportedOperations) {
    auto supported = lanes::supportedOperations(model);
    if (!supported.has_value()) return toAStatus(supported.error());
    *supportedOperations = std::move(supported).value();
    return ndk::ScopedAStatus::ok();
}

ndk::ScopedAStatus Device::prepareModel(
        const aidl_hal::Model& model, aidl_hal::ExecutionPreference preference,
        aidl_hal::Priority priority, int64_t deadlineNs,
        const std::vector<ndk::ScopedFileDescriptor>& modelCache,
        const std::vector<ndk::ScopedFileDescriptor>& dataCache, const std::vector<uint8_t>& token,
        const std::shared_ptr<aidl_hal::IPreparedModelCallback>& callback) {
    NNTRACE_FULL(NNTRACE_LAYER_DRIVER, NNTRACE_PHASE_COMPILATION, "Device::prepareModel");
    if (callback == nullptr) {
        return toAStatus(ErrorStatus::INVALID_ARGUMENT, "there is no callback");
    }
    const auto compile = [&]() -> CompiledProgram {
        return prepare(NN_TRY(checkPreparation(model, preference, priority, deadlineNs, modelCache,
                                               dataCache, token)));
    };
    return report<PreparedModel>(compile(), kBufferTracker, callback);
}

ndk::ScopedAStatus Device::prepareModelFromCache(
        int64_t deadlineNs, const std::vector<ndk::ScopedFileDescriptor>& modelCache,
        const std::vector<ndk::ScopedFileDescriptor>& dataCache, const std::vector<uint8_t>& token,
        const std::shared_ptr<aidl_hal::IPreparedModelCallback>& callback) {
    if (callback == nullptr) {
        return toAStatus(ErrorStatus::INVALID_ARGUMENT, "there is no callback");
    }
    return report<PreparedModel>(prepareFromCache(deadlineNs, modelCache, dataCache, token),
                                 kBufferTracker, callback);
}

ndk::ScopedAStatus Device::allocate(
        const aidl_hal::BufferDesc& desc,
        const std::vector<aidl_hal::IPreparedModelParcel>& preparedModels,
        const std::vector<aidl_hal::BufferRole>& inputRoles,
        const std::vector<aidl_hal::BufferRole>& outputRoles, aidl_hal::DeviceBuffer* buffer) {
    VLOG(nn::DRIVER) << "allocate(" << desc.toString() << ")";
    const auto getModel = [](const std::shared_ptr<aidl_hal::IPreparedModel>& preparedModel)
            -> const aidl_hal::Model* {
        const PreparedModel* own = castToPreparedModel(preparedModel);
        return own == nullptr ? nullptr : own->getSession().halModel();
    };
    return allocateBuffer(kBufferTracker, desc, preparedModels, inputRoles, outputRoles, getModel,
                          buffer);
}

}  // namespace vendor::lanes
