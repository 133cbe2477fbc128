// How AIDL drivers of Android 12 and 13 begin.
#define LOG_TAG "begins"

#include <android-base/logging.h>
#include <android-base/properties.h>
#include <android-base/scopeguard.h>
#include <android/binder_auto_utils.h>
#include <android/binder_interface_utils.h>
#include <android/binder_manager.h>
#include <android/sync.h>
#include <nnapi/Result.h>
#include <nnapi/Types.h>
#include <nnapi/Validation.h>
#include <nnapi/hal/aidl/BufferTracker.h>
#include <nnapi/hal/aidl/Conversions.h>
#include <nnapi/hal/aidl/HalInterfaces.h>
#include <nnapi/hal/aidl/HalUtils.h>
#include <nnapi/hal/aidl/Utils.h>
#include <utils/NativeHandle.h>

#include <atomic>
#include <memory>
#include <set>
#include <string>
#include <thread>
#include <utility>
#include <variant>
#include <vector>

#include "CpuExecutor.h"
#include "NeuralNetworks.h"
#include "Tracing.h"
#include "Utils.h"
#include "android/binder_process.h"

namespace android {
namespace nn {
namespace begins {
namespace {

constexpr aidl_hal::Timing kNoTiming = {.timeOnDeviceNs = -1, .timeInDriverNs = -1};

aidl_hal::ErrorStatus convertResultCodeToAidlErrorStatus(int resultCode) {
    const auto errorStatus = aidl_hal::utils::convert(convertResultCodeToErrorStatus(resultCode));
    CHECK(errorStatus.has_value()) << "Unhandled error (" << errorStatus.error().code
                                   << "): " << errorStatus.error().message;
    return errorStatus.value();
}

ndk::ScopedAStatus toAStatus(aidl_hal::ErrorStatus errorStatus, const std::string& message = "") {
    if (errorStatus == aidl_hal::ErrorStatus::NONE) return ndk::ScopedAStatus::ok();
    return ndk::ScopedAStatus::fromServiceSpecificErrorWithMessage(
            static_cast<int32_t>(errorStatus), message.c_str());
}

class Buffer : public aidl_hal::BnBuffer {
   public:
    Buffer(std::shared_ptr<AidlManagedBuffer> buffer,
           std::unique_ptr<AidlBufferTracker::Token> token)
        : kBuffer(std::move(buffer)), kToken(std::move(token)) {
        CHECK(kBuffer != nullptr);
        CHECK(kToken != nullptr);
    }
    ndk::ScopedAStatus copyFrom(const aidl_hal::Memory& src,
                                const std::vector<int32_t>& dimensions) override {
        const auto unsignedDimensions = toUnsigned(dimensions);
        const auto memory = convert(src);
        if (!unsignedDimensions.has_value() || !memory.has_value()) {
            return toAStatus(aidl_hal::ErrorStatus::INVALID_ARGUMENT,
                             unsignedDimensions.error().message);
        }
        const auto pool = RunTimePoolInfo::createFromMemory(memory.value());
        kBuffer->updateDimensions(unsignedDimensions.value());
        return toAStatus(
                aidl_hal::utils::convert(
                        kBuffer->validateCopyFrom(unsignedDimensions.value(), pool->getSize()))
                        .value());
    }
    ndk::ScopedAStatus copyTo(const aidl_hal::Memory&) override {
        return toAStatus(convertResultCodeToAidlErrorStatus(ANEURALNETWORKS_NO_ERROR));
    }

   private:
    const std::shared_ptr<AidlManagedBuffer> kBuffer;
    const std::unique_ptr<AidlBufferTracker::Token> kToken;
};

ndk::ScopedAStatus prepare(aidl_hal::Model&& model, aidl_hal::ExecutionPreference preference,
                           aidl_hal::Priority priority, int64_t halDeadline,
                           const std::shared_ptr<aidl_hal::IPreparedModelCallback>& callback) {
    const uid_t userId = AIBinder_getCallingUid();
    const auto canonicalModel = convert(model);
    if (!canonicalModel.has_value()) {
        return toAStatus(aidl_hal::ErrorStatus::INVALID_ARGUMENT, canonicalModel.error().message);
    }
    if (VLOG_IS_ON(DRIVER)) logModelToInfo(canonicalModel.value());
    if (!aidl_hal::utils::valid(preference) || !aidl_hal::utils::valid(priority)) {
        const std::string message = toString(preference) + toString(priority);
        VLOG(DRIVER) << message << userId;
        return toAStatus(aidl_hal::ErrorStatus::INVALID_ARGUMENT, message);
    }
    const auto deadline = makeDeadline(halDeadline);
    if (hasDeadlinePassed(deadline)) {
        callback->notify(aidl_hal::ErrorStatus::MISSED_DEADLINE_PERSISTENT, nullptr);
        return ndk::ScopedAStatus::ok();
    }
    std::vector<RunTimePoolInfo> pools;
    const auto canonicalPools = convert(model.pools);
    if (!setRunTimePoolInfosFromCanonicalMemories(&pools, canonicalPools.value())) {
        return toAStatus(aidl_hal::ErrorStatus::GENERAL_FAILURE, toString(halDeadline));
    }
    auto copiedModel = aidl_hal::utils::clone(model);
    if (!copiedModel.has_value()) {
        return toAStatus(aidl_hal::ErrorStatus::GENERAL_FAILURE, copiedModel.error().message);
    }
    const auto ret = callback->notify(aidl_hal::ErrorStatus::NONE, nullptr);
    if (!ret.isOk()) LOG(ERROR) << ret.getDescription() << " " << ret.getMessage();
    return ndk::ScopedAStatus::ok();
}

ndk::ScopedAStatus allocate(const aidl_hal::BufferDesc& desc,
                            const std::vector<aidl_hal::IPreparedModelParcel>& parcels,
                            const std::vector<aidl_hal::BufferRole>& inputRoles,
                            const std::vector<aidl_hal::BufferRole>& outputRoles,
                            const std::shared_ptr<AidlBufferTracker>& tracker,
                            aidl_hal::DeviceBuffer* buffer) {
    constexpr auto getModel = [](const std::shared_ptr<aidl_hal::IPreparedModel>& preparedModel)
            -> const aidl_hal::Model* {
        return preparedModel->isRemote() ? nullptr : new aidl_hal::Model();
    };
    std::vector<std::shared_ptr<aidl_hal::IPreparedModel>> preparedModels;
    for (const auto& parcel : parcels) preparedModels.push_back(parcel.preparedModel);
    std::set<AidlHalPreparedModelRole> roles;
    aidl_hal::Operand operand;
    if (!validateMemoryDesc(desc, preparedModels, inputRoles, outputRoles, getModel, &roles,
                            &operand) ||
        isExtensionOperandType(operand.type)) {
        return toAStatus(aidl_hal::ErrorStatus::INVALID_ARGUMENT);
    }
    const uint32_t size = nonExtensionOperandSizeOfData(convert(operand.type).value(),
                                                        toUnsigned(operand.dimensions).value());
    auto wrapper =
            AidlManagedBuffer::create(size, std::move(roles), unvalidatedConvert(operand).value());
    auto token = tracker->add(wrapper);
    buffer->token = token->get();
    VLOG(DRIVER) << toString(operand.type) << toString(operand.dimensions);
    buffer->buffer = ndk::SharedRefBase::make<Buffer>(std::move(wrapper), std::move(token));
    return ndk::ScopedAStatus::ok();
}

[[maybe_unused]] int run(const std::shared_ptr<aidl_hal::BnDevice>& device,
                         const std::string& name) {
    aidl_hal::Capabilities capabilities = {
            .operandPerformance = nonExtensionOperandPerformance({.execTime = 1.0f})};
    update(&capabilities.operandPerformance, aidl_hal::OperandType::TENSOR_FLOAT32,
           {.execTime = 0.5f});
    static_assert(kNoTiming.timeOnDeviceNs == -1);
    ABinderProcess_setThreadPoolMaxThreadCount(4);
    const std::string fqName = std::string(aidl_hal::BnDevice::descriptor) + "/" + name;
    const binder_status_t status =
            AServiceManager_addService(device->asBinder().get(), fqName.c_str());
    if (status != STATUS_OK) return 1;
    (void)prepare;
    (void)allocate;
    ABinderProcess_joinThreadPool();
}

}  // namespace
}  // namespace begins
}  // namespace nn
}  // namespace android
