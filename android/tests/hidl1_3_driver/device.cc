#define LOG_TAG "sample-npu@1.3-device"

#include "device.h"

#include <android-base/logging.h>

#include <cfloat>
#include <set>
#include <thread>
#include <utility>

#include "GraphDump.h"
#include "Tracing.h"
#include "Utils.h"
#include "ValidateHal.h"
#include "buffer.h"
#include "cache.h"
#include "callbacks.h"
#include "operations.h"

namespace sample::npu {

using namespace android::nn;
using namespace android::nn::hal;
using android::sp;

namespace {

constexpr PerformanceInfo kFloatPerformance = {.execTime = 0.7f, .powerUsage = 0.6f};
constexpr PerformanceInfo kQuantPerformance = {.execTime = 0.3f, .powerUsage = 0.4f};
constexpr PerformanceInfo kNoPerformance = {.execTime = FLT_MAX, .powerUsage = FLT_MAX};

template <class HalModel, class Callback>
void reportSupported(const HalModel& model, const Callback& cb) {
    using Status =
            std::conditional_t<std::is_same_v<HalModel, Model>, ErrorStatus, V1_0::ErrorStatus>;
    if (!validateModel(model)) {
        cb(Status::INVALID_ARGUMENT, hidl_vec<bool>());
        return;
    }
    cb(Status::NONE, hidl_vec<bool>(supportedOperations(convertToV1_3(model))));
}

}  // namespace

Return<void> Device::getCapabilities_1_3(getCapabilities_1_3_cb cb) {
    NNTRACE_FULL(NNTRACE_LAYER_DRIVER, NNTRACE_PHASE_INITIALIZATION, "Device::getCapabilities_1_3");
    VLOG(DRIVER) << mName << ": getCapabilities_1_3";
    Capabilities capabilities = {
            .relaxedFloat32toFloat16PerformanceScalar = kFloatPerformance,
            .relaxedFloat32toFloat16PerformanceTensor = kFloatPerformance,
            .operandPerformance = nonExtensionOperandPerformance<HalVersion::V1_3>(kNoPerformance),
            .ifPerformance = kNoPerformance,
            .whilePerformance = kNoPerformance};
    for (const OperandType type : hidl_enum_range<OperandType>()) {
        if (!isComputed(type)) continue;
        update(&capabilities.operandPerformance, type,
               type == OperandType::TENSOR_FLOAT32 ? kFloatPerformance : kQuantPerformance);
    }
    CHECK(lookup(capabilities.operandPerformance, OperandType::TENSOR_FLOAT32).execTime < 1.0f);
    cb(ErrorStatus::NONE, capabilities);
    return Void();
}

Return<void> Device::getCapabilities(getCapabilities_cb cb) {
    return getCapabilities_1_3([&cb](ErrorStatus status, const Capabilities& capabilities) {
        cb(convertToV1_0(status), convertToV1_0(capabilities));
    });
}

Return<void> Device::getCapabilities_1_1(getCapabilities_1_1_cb cb) {
    return getCapabilities_1_3([&cb](ErrorStatus status, const Capabilities& capabilities) {
        cb(convertToV1_0(status), convertToV1_1(capabilities));
    });
}

Return<void> Device::getCapabilities_1_2(getCapabilities_1_2_cb cb) {
    return getCapabilities_1_3([&cb](ErrorStatus status, const Capabilities& capabilities) {
        cb(convertToV1_0(status), convertToV1_2(capabilities));
    });
}

Return<void> Device::getVersionString(getVersionString_cb cb) {
    cb(V1_0::ErrorStatus::NONE, "sample-npu 1.3.0");
    return Void();
}

Return<void> Device::getType(getType_cb cb) {
    cb(V1_0::ErrorStatus::NONE, DeviceType::ACCELERATOR);
    return Void();
}

Return<void> Device::getSupportedExtensions(getSupportedExtensions_cb cb) {
    cb(V1_0::ErrorStatus::NONE, {/* no extensions */});
    return Void();
}

Return<void> Device::getSupportedOperations(const V1_0::Model& model,
                                            getSupportedOperations_cb cb) {
    reportSupported(model, cb);
    return Void();
}

Return<void> Device::getSupportedOperations_1_1(const V1_1::Model& model,
                                                getSupportedOperations_1_1_cb cb) {
    reportSupported(model, cb);
    return Void();
}

Return<void> Device::getSupportedOperations_1_2(const V1_2::Model& model,
                                                getSupportedOperations_1_2_cb cb) {
    reportSupported(model, cb);
    return Void();
}

Return<void> Device::getSupportedOperations_1_3(const Model& model,
                                                getSupportedOperations_1_3_cb cb) {
    NNTRACE_FULL(NNTRACE_LAYER_DRIVER, NNTRACE_PHASE_COMPILATION,
                 "Device::getSupportedOperations_1_3");
    reportSupported(model, cb);
    return Void();
}

Return<void> Device::getNumberOfCacheFilesNeeded(getNumberOfCacheFilesNeeded_cb cb) {
    cb(V1_0::ErrorStatus::NONE, kNumModelCache, kNumDataCache);
    return Void();
}

template <class HalModel, class Callback>
ErrorStatus Device::prepare(const HalModel& model, ExecutionPreference preference,
                            Priority priority, const OptionalTimePoint& halDeadline,
                            const CacheFiles& files, const sp<Callback>& callback) {
    NNTRACE_FULL(NNTRACE_LAYER_DRIVER, NNTRACE_PHASE_COMPILATION, "Device::prepare");
    if (callback == nullptr) {
        LOG(ERROR) << mName << ": a preparation has no callback";
        return ErrorStatus::INVALID_ARGUMENT;
    }
    const auto refuse = [&callback](ErrorStatus status) {
        notify(callback, status, nullptr);
        return status;
    };
    if (!validateModel(model) || !validateExecutionPreference(preference) ||
        !validatePriority(priority)) {
        return refuse(ErrorStatus::INVALID_ARGUMENT);
    }
    logModelToInfo(model);
    const Model newest = convertToV1_3(model);
    if (VLOG_IS_ON(MODEL)) graphDump("model", newest);
    if (!areAllSupported(newest)) return refuse(ErrorStatus::INVALID_ARGUMENT);
    const std::optional<Deadline> deadline = makeDeadline(halDeadline);
    if (hasDeadlinePassed(deadline)) return refuse(ErrorStatus::MISSED_DEADLINE_PERSISTENT);

    std::thread([newest, state = mState, deadline, files, callback] {
        const sp<PreparedModel> preparedModel = new PreparedModel(newest, state);
        if (!preparedModel->initialize()) {
            notify(callback, ErrorStatus::GENERAL_FAILURE, nullptr);
        } else if (hasDeadlinePassed(deadline)) {
            notify(callback, ErrorStatus::MISSED_DEADLINE_TRANSIENT, nullptr);
        } else {
            if (areCacheFiles(files.model, files.data)) {
                saveToCache(newest, files.model[0], files.data[0], files.token);
            }
            notify(callback, ErrorStatus::NONE, preparedModel);
        }
    }).detach();
    return ErrorStatus::NONE;
}

template <class Callback>
ErrorStatus Device::load(const OptionalTimePoint& halDeadline, const CacheFiles& files,
                         const sp<Callback>& callback) {
    NNTRACE_FULL(NNTRACE_LAYER_DRIVER, NNTRACE_PHASE_COMPILATION, "Device::load");
    if (callback == nullptr) {
        LOG(ERROR) << mName << ": a preparation has no callback";
        return ErrorStatus::INVALID_ARGUMENT;
    }
    const auto report = [&](ErrorStatus status, const sp<PreparedModel>& preparedModel) {
        notify(callback, status, preparedModel);
        return status;
    };
    if (!areCacheFiles(files.model, files.data)) {
        return report(ErrorStatus::INVALID_ARGUMENT, nullptr);
    }
    if (hasDeadlinePassed(makeDeadline(halDeadline))) {
        return report(ErrorStatus::MISSED_DEADLINE_PERSISTENT, nullptr);
    }
    const std::optional<Model> model = loadFromCache(files.model[0], files.data[0], files.token);
    if (!model || !validateModel(*model)) return report(ErrorStatus::GENERAL_FAILURE, nullptr);
    const sp<PreparedModel> preparedModel = new PreparedModel(*model, mState);
    if (!preparedModel->initialize()) return report(ErrorStatus::GENERAL_FAILURE, nullptr);
    return report(ErrorStatus::NONE, preparedModel);
}

Return<V1_0::ErrorStatus> Device::prepareModel(const V1_0::Model& model,
                                               const sp<V1_0::IPreparedModelCallback>& callback) {
    return convertToV1_0(prepare(model, ExecutionPreference::FAST_SINGLE_ANSWER, kDefaultPriority,
                                 {}, {}, callback));
}

Return<V1_0::ErrorStatus> Device::prepareModel_1_1(
        const V1_1::Model& model, ExecutionPreference preference,
        const sp<V1_0::IPreparedModelCallback>& callback) {
    return convertToV1_0(prepare(model, preference, kDefaultPriority, {}, {}, callback));
}

Return<V1_0::ErrorStatus> Device::prepareModel_1_2(
        const V1_2::Model& model, ExecutionPreference preference,
        const hidl_vec<hidl_handle>& modelCache, const hidl_vec<hidl_handle>& dataCache,
        const CacheToken& token, const sp<V1_2::IPreparedModelCallback>& callback) {
    return convertToV1_0(prepare(model, preference, kDefaultPriority, {},
                                 {modelCache, dataCache, token}, callback));
}

Return<ErrorStatus> Device::prepareModel_1_3(const Model& model, ExecutionPreference preference,
                                             Priority priority, const OptionalTimePoint& deadline,
                                             const hidl_vec<hidl_handle>& modelCache,
                                             const hidl_vec<hidl_handle>& dataCache,
                                             const CacheToken& token,
                                             const sp<IPreparedModelCallback>& callback) {
    return prepare(model, preference, priority, deadline, {modelCache, dataCache, token}, callback);
}

Return<V1_0::ErrorStatus> Device::prepareModelFromCache(
        const hidl_vec<hidl_handle>& modelCache, const hidl_vec<hidl_handle>& dataCache,
        const CacheToken& token, const sp<V1_2::IPreparedModelCallback>& callback) {
    return convertToV1_0(load({}, {modelCache, dataCache, token}, callback));
}

Return<ErrorStatus> Device::prepareModelFromCache_1_3(const OptionalTimePoint& deadline,
                                                      const hidl_vec<hidl_handle>& modelCache,
                                                      const hidl_vec<hidl_handle>& dataCache,
                                                      const CacheToken& token,
                                                      const sp<IPreparedModelCallback>& callback) {
    return load(deadline, {modelCache, dataCache, token}, callback);
}

Return<DeviceStatus> Device::getStatus() {
    VLOG(DRIVER) << mName << ": getStatus";
    return DeviceStatus::AVAILABLE;
}

Return<void> Device::allocate(const BufferDesc& desc,
                              const hidl_vec<sp<IPreparedModel>>& preparedModels,
                              const hidl_vec<BufferRole>& inputRoles,
                              const hidl_vec<BufferRole>& outputRoles, allocate_cb cb) {
    NNTRACE_FULL(NNTRACE_LAYER_DRIVER, NNTRACE_PHASE_PREPARATION, "Device::allocate");
    const auto refuse = [&cb](ErrorStatus status) {
        cb(status, nullptr, 0);
        return Void();
    };
    const auto getModel = [this](const sp<IPreparedModel>& preparedModel) -> const Model* {
        if (preparedModel->isRemote() || !mState->has(preparedModel.get())) return nullptr;
        return static_cast<const PreparedModel*>(preparedModel.get())->getModel();
    };
    std::set<PreparedModelRole> roles;
    Operand operand;
    if (!validateMemoryDesc(desc, preparedModels, inputRoles, outputRoles, getModel, &roles,
                            &operand)) {
        return refuse(ErrorStatus::INVALID_ARGUMENT);
    }
    if (isExtensionOperandType(operand.type)) return refuse(ErrorStatus::GENERAL_FAILURE);
    const uint32_t size = nonExtensionOperandSizeOfData(operand.type, operand.dimensions);
    VLOG(MEMORY) << mName << ": allocate " << size << " bytes for " << toString(operand.type)
                 << toString(std::vector<uint32_t>(operand.dimensions));
    if (size == 0) {
        LOG(ERROR) << mName << ": the size of a buffer is not known";
        return refuse(ErrorStatus::GENERAL_FAILURE);
    }
    std::shared_ptr<ManagedBuffer> memory = ManagedBuffer::create(size, std::move(roles), operand);
    std::unique_ptr<BufferTracker::Token> token = mState->buffers()->add(memory);
    if (token == nullptr) return refuse(ErrorStatus::GENERAL_FAILURE);
    const uint32_t value = token->get();
    mState->setDimensions(value, operand.dimensions);
    const sp<Buffer> buffer = new Buffer(mState, std::move(memory), std::move(token));
    cb(ErrorStatus::NONE, buffer, value);
    return Void();
}

}  // namespace sample::npu
