#define LOG_TAG "lanes-driver-1"

#include "Driver.h"

#include <AidlHalUtils.h>
#include <LegacyUtils.h>
#include <Tracing.h>
#include <android-base/logging.h>
#include <android-base/scopeguard.h>
#include <nnapi/TypeUtils.h>
#include <nnapi/Validation.h>
#include <nnapi/hal/aidl/Conversions.h>
#include <nnapi/hal/aidl/Utils.h>

#include <algorithm>
#include <utility>

namespace vendor::lanes {

using nn::ErrorStatus;

namespace {

// The client may have died: that is no reason to fail.
void notify(const std::shared_ptr<aidl_hal::IPreparedModelCallback>& callback,
            aidl_hal::ErrorStatus status, const std::shared_ptr<PreparedModel>& preparedModel) {
    const auto ret = callback->notify(status, preparedModel);
    if (!ret.isOk()) LOG(ERROR) << "the callback fails: " << ret.getDescription();
}

nn::GeneralResult<void> checkToken(const std::vector<uint8_t>& token) {
    if (token.size() == aidl_hal::IDevice::BYTE_SIZE_OF_CACHE_TOKEN) return {};
    return NN_ERROR(ErrorStatus::INVALID_ARGUMENT) << "a token has " << token.size() << " bytes";
}

// Null for a prepared model of another process, or none.
const PreparedModel* castToPreparedModel(
        const std::shared_ptr<aidl_hal::IPreparedModel>& preparedModel) {
    if (preparedModel == nullptr || preparedModel->isRemote()) return nullptr;
    return static_cast<const PreparedModel*>(preparedModel.get());
}

}  // namespace

ndk::ScopedAStatus PreparedModel::executeSynchronously(
        const aidl_hal::Request& request, bool measureTiming, int64_t deadlineNs,
        int64_t loopTimeoutDurationNs, aidl_hal::ExecutionResult* executionResult) {
    NNTRACE_FULL(NNTRACE_LAYER_DRIVER, NNTRACE_PHASE_EXECUTION,
                 "PreparedModel::executeSynchronously");
    VLOG(nn::DRIVER) << "executeSynchronously(" << SHOW_IF_DEBUG(request.toString()) << ")";
    const auto checked = kSession.checkRequest(request, /*allowUnspecifiedOutput=*/true);
    if (!checked.has_value()) return toAStatus(checked.error());
    return kSession.execute(checked.value(),
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
    const auto checked = kSession.checkRequest(request, /*allowUnspecifiedOutput=*/false);
    if (!checked.has_value()) return toAStatus(checked.error());
    return kSession.executeFenced(checked.value(), waitFor,
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
    constexpr aidl_hal::PerformanceInfo kSlow = {.execTime = 2.0f, .powerUsage = 2.0f};
    constexpr aidl_hal::PerformanceInfo kFast = {.execTime = 0.5f, .powerUsage = 0.4f};
    capabilities->relaxedFloat32toFloat16PerformanceScalar = kSlow;
    capabilities->relaxedFloat32toFloat16PerformanceTensor = kFast;
    capabilities->ifPerformance = kSlow;
    capabilities->whilePerformance = kSlow;
    capabilities->operandPerformance = nn::nonExtensionOperandPerformance(kSlow);
    for (const auto type : {aidl_hal::OperandType::TENSOR_FLOAT32,
                            aidl_hal::OperandType::TENSOR_QUANT8_ASYMM,
                            aidl_hal::OperandType::TENSOR_QUANT8_ASYMM_SIGNED}) {
        nn::update(&capabilities->operandPerformance, type, kFast);
    }
    return ndk::ScopedAStatus::ok();
}

ndk::ScopedAStatus Device::getNumberOfCacheFilesNeeded(
        aidl_hal::NumberOfCacheFiles* numberOfCacheFiles) {
    numberOfCacheFiles->numModelCache = kNumModelCacheFiles;
    numberOfCacheFiles->numDataCache = kNumDataCacheFiles;
    return ndk::ScopedAStatus::ok();
}

ndk::ScopedAStatus Device::getSupportedOperations(const aidl_hal::Model& model,
                                                  std::vector<bool>* supportedOperations) {
    NNTRACE_FULL(NNTRACE_LAYER_DRIVER, NNTRACE_PHASE_COMPILATION,
                 "Device::getSupportedOperations");
    const auto canonical = nn::convert(model);
    if (!canonical.has_value()) return toAStatus(canonical.error());
    supportedOperations->clear();
    for (const nn::Operation& operation : canonical.value().main.operations) {
        supportedOperations->push_back(Program::supports(canonical.value(), operation));
    }
    return ndk::ScopedAStatus::ok();
}

ndk::ScopedAStatus Device::answer(
        CompiledProgram program,
        const std::shared_ptr<aidl_hal::IPreparedModelCallback>& callback) const {
    const auto preparedModel = [&]() -> nn::GeneralResult<std::shared_ptr<PreparedModel>> {
        std::shared_ptr<const Program> compiled = NN_TRY(std::move(program));
        aidl_hal::Model model = NN_TRY(aidl_hal::utils::convert(compiled->model()));
        return ndk::SharedRefBase::make<PreparedModel>(std::move(compiled), std::move(model),
                                                       kBufferTracker);
    }();
    if (preparedModel.has_value()) {
        notify(callback, aidl_hal::ErrorStatus::NONE, preparedModel.value());
        return ndk::ScopedAStatus::ok();
    }
    const auto& [message, code] = preparedModel.error();
    const auto status = aidl_hal::utils::convert(code);
    notify(callback, status.value_or(aidl_hal::ErrorStatus::GENERAL_FAILURE), nullptr);
    return toAStatus(code, message);
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
        const nn::Model canonical = NN_TRY(nn::convert(model));
        NN_TRY(nn::convert(preference));
        NN_TRY(nn::convert(priority));
        NN_TRY(checkToken(token));
        NN_TRY(deadlineOf(deadlineNs));
        auto program = NN_TRY(Program::compile(canonical));
        if (modelCache.size() == kNumModelCacheFiles && dataCache.size() == kNumDataCacheFiles) {
            const auto saved = saveModel(
                    program->model(),
                    {.model = modelCache[0].get(), .data = dataCache[0].get(), .token = token});
            if (!saved.has_value()) LOG(WARNING) << "not saved: " << saved.error().message;
        }
        return program;
    };
    return answer(compile(), callback);
}

ndk::ScopedAStatus Device::prepareModelFromCache(
        int64_t deadlineNs, const std::vector<ndk::ScopedFileDescriptor>& modelCache,
        const std::vector<ndk::ScopedFileDescriptor>& dataCache, const std::vector<uint8_t>& token,
        const std::shared_ptr<aidl_hal::IPreparedModelCallback>& callback) {
    NNTRACE_FULL(NNTRACE_LAYER_DRIVER, NNTRACE_PHASE_COMPILATION, "Device::prepareModelFromCache");
    if (callback == nullptr) {
        return toAStatus(ErrorStatus::INVALID_ARGUMENT, "there is no callback");
    }
    const auto compile = [&]() -> CompiledProgram {
        NN_TRY(checkToken(token));
        NN_TRY(deadlineOf(deadlineNs));
        if (modelCache.size() != kNumModelCacheFiles || dataCache.size() != kNumDataCacheFiles) {
            return NN_ERROR(ErrorStatus::INVALID_ARGUMENT) << "a wrong number of cache files";
        }
        return Program::compile(NN_TRY(loadModel(
                {.model = modelCache[0].get(), .data = dataCache[0].get(), .token = token})));
    };
    return answer(compile(), callback);
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
        return own == nullptr ? nullptr : own->getModel();
    };
    return allocateBuffer(kBufferTracker, desc, preparedModels, inputRoles, outputRoles, getModel,
                          buffer);
}

}  // namespace vendor::lanes
