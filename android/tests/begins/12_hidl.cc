// How HIDL drivers of Android 12 and 13 begin: canonical types behind HalBufferTracker.h.
#define LOG_TAG "begins"

#include <CpuExecutor.h>
#include <ExecutionBurstServer.h>
#include <HalBufferTracker.h>
#include <HalInterfaces.h>
#include <Tracing.h>
#include <ValidateHal.h>
#include <android-base/logging.h>
#include <android-base/properties.h>
#include <hidl/LegacySupport.h>
#include <hwbinder/IPCThreadState.h>
#include <nnapi/Types.h>
#include <nnapi/hal/1.3/Conversions.h>

#include <algorithm>
#include <memory>
#include <optional>
#include <set>
#include <thread>
#include <tuple>
#include <utility>
#include <vector>

#include "NeuralNetworks.h"

namespace android {
namespace nn {
namespace begins {

using hardware::MQDescriptorSync;

static const V1_2::Timing kNoTiming = {.timeOnDevice = UINT64_MAX, .timeInDriver = UINT64_MAX};

class Driver {
   public:
    Driver(const char* name,
           const IOperationResolver* operationResolver = BuiltinOperationResolver::get())
        : mName(name),
          mOperationResolver(operationResolver),
          mHalBufferTracker(HalBufferTracker::create()) {
        android::nn::initVLogMask();
    }
    CpuExecutor getExecutor() const { return CpuExecutor(mOperationResolver); }

    hardware::Return<V1_0::ErrorStatus> prepareModel_1_2(
            const V1_2::Model& model, V1_1::ExecutionPreference preference,
            const hardware::hidl_vec<hardware::hidl_handle>&, const HalCacheToken&,
            const sp<V1_2::IPreparedModelCallback>& callback) {
        if (!validateModel(model) || !validateExecutionPreference(preference) ||
            !validatePriority(kDefaultPriority13) || callback.get() == nullptr) {
            return convertToV1_0(V1_3::ErrorStatus::INVALID_ARGUMENT);
        }
        logModelToInfo(model);
        const auto deadline = makeDeadline(V1_3::OptionalTimePoint{});
        return hasDeadlinePassed(deadline) ? V1_0::ErrorStatus::GENERAL_FAILURE
                                           : V1_0::ErrorStatus::NONE;
    }

    hardware::Return<void> allocate(
            const V1_3::BufferDesc& desc,
            const hardware::hidl_vec<sp<V1_3::IPreparedModel>>& preparedModels,
            const hardware::hidl_vec<V1_3::BufferRole>& inputRoles,
            const hardware::hidl_vec<V1_3::BufferRole>& outputRoles,
            V1_3::IDevice::allocate_cb cb) {
        std::set<HalPreparedModelRole> roles;
        V1_3::Operand operand;
        auto getModel = [](const sp<V1_3::IPreparedModel>& preparedModel) -> const V1_3::Model* {
            return preparedModel->isRemote() ? nullptr : new V1_3::Model();
        };
        if (!validateMemoryDesc(desc, preparedModels, inputRoles, outputRoles, getModel, &roles,
                                &operand) ||
            isExtensionOperandType(operand.type)) {
            cb(V1_3::ErrorStatus::INVALID_ARGUMENT, nullptr, 0);
            return hardware::Void();
        }
        const uint32_t size = nonExtensionOperandSizeOfData(operand.type, operand.dimensions);
        VLOG(DRIVER) << toString(operand.type) << toString(operand.dimensions) << size;
        auto wrapper = HalManagedBuffer::create(size, std::move(roles), uncheckedConvert(operand));
        auto token = mHalBufferTracker->add(wrapper);
        cb(V1_3::ErrorStatus::NONE, nullptr, token->get());
        return hardware::Void();
    }

    std::tuple<V1_3::ErrorStatus, hardware::hidl_vec<V1_2::OutputShape>, V1_2::Timing> execute(
            const V1_3::Model& model, const V1_3::Request& request,
            const V1_3::IPreparedModel* preparedModel, const V1_3::OptionalTimePoint& halDeadline) {
        if (!validateRequest(request, model, /*allowUnspecifiedOutput=*/false)) {
            return {V1_3::ErrorStatus::INVALID_ARGUMENT, {}, kNoTiming};
        }
        const auto deadline = convert(halDeadline).value();
        if (hasDeadlinePassed(deadline)) {
            return {V1_3::ErrorStatus::MISSED_DEADLINE_PERSISTENT, {}, kNoTiming};
        }
        std::vector<RunTimePoolInfo> modelPools, pools;
        setRunTimePoolInfosFromCanonicalMemories(&modelPools, uncheckedConvert(model.pools));
        for (uint32_t i = 0; i < request.pools.size(); i++) {
            auto& pool = request.pools[i];
            if (pool.getDiscriminator() == V1_3::Request::MemoryPool::hidl_discriminator::token) {
                auto buffer = mHalBufferTracker->get(pool.token());
                const auto status = convertToV1_3(
                        buffer->validateRequest(i, uncheckedConvert(request), preparedModel));
                if (status != V1_3::ErrorStatus::NONE) return {status, {}, kNoTiming};
                pools.push_back(buffer->createRunTimePoolInfo());
            } else {
                auto mapped =
                        RunTimePoolInfo::createFromMemory(uncheckedConvert(pool.hidlMemory()));
                if (mapped.has_value()) pools.push_back(std::move(*mapped));
            }
        }
        CpuExecutor executor = getExecutor();
        if (deadline.has_value()) executor.setDeadline(*deadline);
        const int n =
                executor.run(uncheckedConvert(model), uncheckedConvert(request), modelPools, pools);
        V1_3::Request::MemoryPool again;
        again.hidlMemory(convertToV1_0(pools[0].getMemory()));
        hardware::hidl_vec<V1_2::OutputShape> shapes = convertToV1_2(executor.getOutputShapes());
        const auto [code, outputShapes, timing] =
                getExecutionResult(convertResultCodeToHalErrorStatus(n), shapes, kNoTiming);
        VLOG(DRIVER) << "executor.run returned " << code << SHOW_IF_DEBUG(toString(request));
        return {convertResultCodeToHalErrorStatus(n), convertToV1_2(outputShapes),
                convertToV1_2(timing)};
    }

   private:
    std::string mName;
    const IOperationResolver* mOperationResolver;
    const std::shared_ptr<HalBufferTracker> mHalBufferTracker;
};

}  // namespace begins
}  // namespace nn
}  // namespace android
