// Utilities of HIDL and AIDL by Android's names: handles, performances, signs, and deaths.

#include <android-base/properties.h>

#include <algorithm>
#include <limits>
#include <utility>

#include "android/src/relay.h"
#include "nnapi/convert.h"
#include "nnapi/hal/1.2/BurstUtils.h"
#include "nnapi/hal/CommonUtils.h"
#include "nnapi/hal/ProtectCallback.h"
#include "nnapi/hal/aidl/Utils.h"

namespace android::hardware::neuralnetworks::utils {

nn::Capabilities::OperandPerformanceTable makeQuantized8PerformanceConsistentWithP(
        const nn::Capabilities::PerformanceInfo& float32Performance,
        const nn::Capabilities::PerformanceInfo& quantized8Performance) {
    const auto halInfo = [](const nn::Capabilities::PerformanceInfo& info) {
        return ::nn::V1_0::PerformanceInfo{.execTime = info.execTime,
                                           .powerUsage = info.powerUsage};
    };
    const auto converted = ::nn::unvalidatedConvert(
            ::nn::V1_0::Capabilities{.float32Performance = halInfo(float32Performance),
                                     .quantized8Performance = halInfo(quantized8Performance)});
    return converted.ok() ? converted->operandPerformance
                          : nn::Capabilities::OperandPerformanceTable();
}

nn::GeneralResult<::nn::hidl::hidl_memory> createHidlMemory(const nn::SharedMemory& memory) {
    return ::nn::V1_3::utils::unvalidatedConvert(memory);
}

nn::GeneralResult<::nn::hidl::hidl_handle> hidlHandleFromSharedHandle(
        const nn::SharedHandle& handle) {
    return ::nn::V1_3::utils::unvalidatedConvert(handle);
}

nn::GeneralResult<nn::SharedHandle> sharedHandleFromNativeHandle(
        const ::nn::hidl::native_handle_t* handle) {
    return ::nn::unvalidatedConvert(::nn::hidl::hidl_handle(handle));
}

nn::GeneralResult<::nn::hidl::hidl_vec<::nn::hidl::hidl_handle>> convertSyncFences(
        const std::vector<nn::SyncFence>& fences) {
    return ::nn::V1_3::utils::unvalidatedConvert(fences);
}

nn::GeneralResult<DeathHandler> DeathHandler::create(
        const ::nn::hidl::sp<::nn::hidl::IBase>& object) {
    return DeathHandler(NN_TRY(::nn::hal::utils::DeathHandler::create(object)));
}

nn::GeneralResult<DeathHandler> DeathHandler::create(
        const std::shared_ptr<::ndk::ICInterface>& object) {
    return DeathHandler(NN_TRY(::nn::hal::utils::DeathHandler::create(object)));
}

base::ScopeGuard<DeathHandler::Cleanup> DeathHandler::protectCallback(
        IProtectedCallback* killable) const {
    const auto relay = std::make_shared<::nnapi_android::Relay>(killable);
    return base::make_scope_guard(
            Cleanup([relay, hold = mHandler.protectCallback(relay)]() mutable {
                hold.reset();
                relay->detach();
            }));
}

void DeathHandler::protectCallbackForLifetimeOfDeathHandler(IProtectedCallback* killable) const {
    mHandler.protectCallbackForLifetimeOfDeathHandler(
            std::make_shared<::nnapi_android::Relay>(killable));
}

}  // namespace android::hardware::neuralnetworks::utils

namespace android::nn {

GeneralResult<std::vector<uint32_t>> toUnsigned(const std::vector<int32_t>& values) {
    const auto negative =
            std::find_if(values.begin(), values.end(), [](int32_t v) { return v < 0; });
    if (negative != values.end()) {
        return NN_ERROR(ErrorStatus::INVALID_ARGUMENT)
               << "the number " << *negative << " at " << (negative - values.begin())
               << " is negative";
    }
    return std::vector<uint32_t>(values.begin(), values.end());
}

}  // namespace android::nn

namespace aidl::android::hardware::neuralnetworks::utils {

nn::GeneralResult<std::vector<int32_t>> toSigned(const std::vector<uint32_t>& values) {
    constexpr uint32_t kMost = std::numeric_limits<int32_t>::max();
    const auto large =
            std::find_if(values.begin(), values.end(), [](uint32_t v) { return v > kMost; });
    if (large != values.end()) {
        return NN_ERROR(nn::ErrorStatus::INVALID_ARGUMENT)
               << "the number " << *large << " at " << (large - values.begin())
               << " does not fit 31 bits";
    }
    return std::vector<int32_t>(values.begin(), values.end());
}

nn::GeneralResult<void> handleTransportError(const ::ndk::ScopedAStatus& ret) {
    return ::nn::hal::utils::failureOf(ret);
}

}  // namespace aidl::android::hardware::neuralnetworks::utils

namespace android::hardware::neuralnetworks::V1_2::utils {

namespace {

std::chrono::microseconds microsecondsOf(const char* property) {
    return std::chrono::microseconds(base::GetUintProperty<uint32_t>(property, 0));
}

}  // namespace

std::chrono::microseconds getBurstControllerPollingTimeWindow() {
    return microsecondsOf("debug.nn.burst-controller-polling-window");
}

std::chrono::microseconds getBurstServerPollingTimeWindow() {
    return microsecondsOf("debug.nn.burst-server-polling-window");
}

}  // namespace android::hardware::neuralnetworks::V1_2::utils
