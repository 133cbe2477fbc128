#define LOG_TAG "lanes-preparation"

#include "Preparation.h"

#include <AidlHalUtils.h>
#include <LegacyUtils.h>
#include <Tracing.h>
#include <android-base/logging.h>
#include <nnapi/SharedMemory.h>
#include <nnapi/hal/aidl/Conversions.h>
#include <nnapi/hal/aidl/Utils.h>

#include <utility>

namespace vendor::lanes {

using nn::ErrorStatus;

namespace {

nn::GeneralResult<void> checkToken(const std::vector<uint8_t>& token) {
    if (token.size() == aidl_hal::IDevice::BYTE_SIZE_OF_CACHE_TOKEN) return {};
    return NN_ERROR(ErrorStatus::INVALID_ARGUMENT) << "a token has " << token.size() << " bytes";
}

}  // namespace

aidl_hal::Capabilities laneCapabilities() {
    constexpr aidl_hal::PerformanceInfo kSlow = {.execTime = 2.0f, .powerUsage = 2.0f};
    constexpr aidl_hal::PerformanceInfo kFast = {.execTime = 0.5f, .powerUsage = 0.4f};
    aidl_hal::Capabilities capabilities = {
            .relaxedFloat32toFloat16PerformanceScalar = kSlow,
            .relaxedFloat32toFloat16PerformanceTensor = kFast,
            .operandPerformance = nn::nonExtensionOperandPerformance(kSlow),
            .ifPerformance = kSlow,
            .whilePerformance = kSlow,
    };
    for (const auto type :
         {aidl_hal::OperandType::TENSOR_FLOAT32, aidl_hal::OperandType::TENSOR_QUANT8_ASYMM,
          aidl_hal::OperandType::TENSOR_QUANT8_ASYMM_SIGNED}) {
        nn::update(&capabilities.operandPerformance, type, kFast);
    }
    return capabilities;
}

aidl_hal::NumberOfCacheFiles laneCacheFiles() {
    return {.numModelCache = kNumModelCacheFiles, .numDataCache = kNumDataCacheFiles};
}

nn::GeneralResult<std::vector<bool>> supportedOperations(const aidl_hal::Model& model) {
    NNTRACE_FULL(NNTRACE_LAYER_DRIVER, NNTRACE_PHASE_COMPILATION, "supportedOperations");
    const nn::Model canonical = NN_TRY(nn::convert(model));
    std::vector<bool> supported;
    for (const nn::Operation& operation : canonical.main.operations) {
        supported.push_back(Program::supports(canonical, operation));
    }
    return supported;
}

std::optional<OwnCacheFiles> OwnCacheFiles::of(
        const std::vector<ndk::ScopedFileDescriptor>& modelCache,
        const std::vector<ndk::ScopedFileDescriptor>& dataCache, std::vector<uint8_t> token) {
    if (modelCache.size() != kNumModelCacheFiles || dataCache.size() != kNumDataCacheFiles) {
        return std::nullopt;
    }
    OwnCacheFiles own;
    auto model = nn::dupFd(modelCache[0].get());
    auto data = nn::dupFd(dataCache[0].get());
    if (model.has_value()) own.mModel = std::move(model).value();
    if (data.has_value()) own.mData = std::move(data).value();
    own.mToken = std::move(token);
    return own;
}

nn::GeneralResult<Preparation> checkPreparation(
        const aidl_hal::Model& model, aidl_hal::ExecutionPreference preference,
        aidl_hal::Priority priority, int64_t deadlineNs,
        const std::vector<ndk::ScopedFileDescriptor>& modelCache,
        const std::vector<ndk::ScopedFileDescriptor>& dataCache,
        const std::vector<uint8_t>& token) {
    Preparation preparation;
    preparation.model = NN_TRY(nn::convert(model));
    NN_TRY(nn::convert(preference));
    NN_TRY(nn::convert(priority));
    NN_TRY(checkToken(token));
    preparation.deadline = NN_TRY(deadlineOf(deadlineNs));
    preparation.cache = OwnCacheFiles::of(modelCache, dataCache, token);
    return preparation;
}

CompiledProgram prepare(const Preparation& preparation) {
    auto program = NN_TRY(Program::compile(preparation.model));
    if (nn::hasDeadlinePassed(preparation.deadline)) {
        return NN_ERROR(ErrorStatus::MISSED_DEADLINE_TRANSIENT) << "compiling took too long";
    }
    if (preparation.cache.has_value()) {
        const auto saved = saveModel(program->model(), preparation.cache->files());
        if (!saved.has_value()) LOG(WARNING) << "not saved: " << saved.error().message;
    }
    return program;
}

CompiledProgram prepareFromCache(int64_t deadlineNs,
                                 const std::vector<ndk::ScopedFileDescriptor>& modelCache,
                                 const std::vector<ndk::ScopedFileDescriptor>& dataCache,
                                 const std::vector<uint8_t>& token) {
    NNTRACE_FULL(NNTRACE_LAYER_DRIVER, NNTRACE_PHASE_COMPILATION, "prepareFromCache");
    NN_TRY(checkToken(token));
    NN_TRY(deadlineOf(deadlineNs));
    const auto cache = OwnCacheFiles::of(modelCache, dataCache, token);
    if (!cache.has_value()) {
        return NN_ERROR(ErrorStatus::INVALID_ARGUMENT) << "a wrong number of cache files";
    }
    return Program::compile(NN_TRY(loadModel(cache->files())));
}

void notify(const std::shared_ptr<aidl_hal::IPreparedModelCallback>& callback, ErrorStatus status,
            const std::shared_ptr<aidl_hal::IPreparedModel>& preparedModel) {
    const auto code = aidl_hal::utils::convert(status);
    const auto ret =
            callback->notify(code.value_or(aidl_hal::ErrorStatus::GENERAL_FAILURE), preparedModel);
    if (!ret.isOk()) LOG(ERROR) << "the callback fails: " << ret.getDescription();
}

}  // namespace vendor::lanes
