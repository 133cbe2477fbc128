#define LOG_TAG "sample-npu@1.0-device"

#include "device.h"

#include <log/log.h>

#include <thread>
#include <vector>

#include "HalInterfaces.h"
#include "Tracing.h"
#include "Utils.h"
#include "ValidateHal.h"
#include "operations.h"
#include "prepared_model.h"

namespace android::hardware::neuralnetworks::V1_0::implementation {

namespace {

// The NPU is faster than the processor, especially with quantized values.
constexpr PerformanceInfo kFloatPerformance = {.execTime = 0.7f, .powerUsage = 0.6f};
constexpr PerformanceInfo kQuantPerformance = {.execTime = 0.3f, .powerUsage = 0.4f};

void notify(const sp<IPreparedModelCallback>& callback, ErrorStatus status,
            const sp<IPreparedModel>& preparedModel) {
    const Return<void> returned = callback->notify(status, preparedModel);
    if (!returned.isOk()) {
        ALOGE("the client does not take its prepared model: %s", returned.description().c_str());
    }
}

void asyncPrepare(const Model& model, const sp<IPreparedModelCallback>& callback) {
    NNTRACE_FULL(NNTRACE_LAYER_DRIVER, NNTRACE_PHASE_COMPILATION, "asyncPrepare");
    const sp<PreparedModel> preparedModel = new PreparedModel(model);
    if (!preparedModel->initialize()) {
        ALOGE("the model cannot be prepared");
        notify(callback, ErrorStatus::GENERAL_FAILURE, nullptr);
        return;
    }
    notify(callback, ErrorStatus::NONE, preparedModel);
}

}  // namespace

Return<void> Device::getCapabilities(getCapabilities_cb cb) {
    NNTRACE_FULL(NNTRACE_LAYER_DRIVER, NNTRACE_PHASE_INITIALIZATION, "Device::getCapabilities");
    ALOGV("%s: getCapabilities", mName.c_str());
    const Capabilities capabilities = {.float32Performance = kFloatPerformance,
                                       .quantized8Performance = kQuantPerformance};
    cb(ErrorStatus::NONE, capabilities);
    return Void();
}

Return<void> Device::getSupportedOperations(const Model& model, getSupportedOperations_cb cb) {
    NNTRACE_FULL(NNTRACE_LAYER_DRIVER, NNTRACE_PHASE_COMPILATION, "Device::getSupportedOperations");
    ALOGV("%s: getSupportedOperations of %zu", mName.c_str(),
          static_cast<size_t>(model.operations.size()));
    if (!nn::validateModel(model)) {
        ALOGE("%s: the model is not legal", mName.c_str());
        const std::vector<bool> none;
        cb(ErrorStatus::INVALID_ARGUMENT, none);
        return Void();
    }
    hidl_vec<bool> supported = sample::npu::supportedOperations(nn::convertToV1_3(model));
    cb(ErrorStatus::NONE, supported);
    return Void();
}

Return<ErrorStatus> Device::prepareModel(const Model& model,
                                         const sp<IPreparedModelCallback>& callback) {
    NNTRACE_FULL(NNTRACE_LAYER_DRIVER, NNTRACE_PHASE_COMPILATION, "Device::prepareModel");
    if (callback == nullptr) {
        ALOGE("%s: prepareModel without a callback", mName.c_str());
        return ErrorStatus::INVALID_ARGUMENT;
    }
    if (!nn::validateModel(model)) {
        notify(callback, ErrorStatus::INVALID_ARGUMENT, nullptr);
        return ErrorStatus::INVALID_ARGUMENT;
    }
    nn::logModelToInfo(model);
    if (!sample::npu::areAllSupported(nn::convertToV1_3(model))) {
        ALOGI("%s: the model has operations that the NPU does not have", mName.c_str());
        notify(callback, ErrorStatus::INVALID_ARGUMENT, nullptr);
        return ErrorStatus::INVALID_ARGUMENT;
    }
    std::thread([model, callback]() { asyncPrepare(model, callback); }).detach();
    return ErrorStatus::NONE;
}

Return<DeviceStatus> Device::getStatus() {
    ALOGV("%s: getStatus", mName.c_str());
    return DeviceStatus::AVAILABLE;
}

}  // namespace android::hardware::neuralnetworks::V1_0::implementation
