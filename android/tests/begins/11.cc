// How drivers of Android 11 begin: android::nn::hal, buffers, fences and deadlines.
#define LOG_TAG "begins"

#include "BufferTracker.h"
#include "CpuExecutor.h"
#include "ExecutionBurstServer.h"
#include "HalInterfaces.h"
#include "NeuralNetworks.h"
#include "OperationsUtils.h"
#include "Tracing.h"
#include "Utils.h"
#include "ValidateHal.h"

#include <android-base/logging.h>
#include <android/sync.h>
#include <hidl/LegacySupport.h>
#include <hwbinder/IPCThreadState.h>
#include <algorithm>
#include <set>
#include <tuple>

namespace android {
namespace nn {
namespace begins {

using namespace hal;

class Buffer : public IBuffer {
   public:
    Buffer(std::shared_ptr<ManagedBuffer> buffer, std::unique_ptr<BufferTracker::Token> token)
        : kBuffer(std::move(buffer)), kToken(std::move(token)) {
        CHECK(kBuffer != nullptr);
        CHECK(kToken != nullptr);
    }
    Return<ErrorStatus> copyTo(const hidl_memory& dst) override {
        const auto pool = RunTimePoolInfo::createFromHidlMemory(dst);
        if (!pool.has_value()) return ErrorStatus::GENERAL_FAILURE;
        return kBuffer->validateCopyTo(pool->getSize());
    }
    Return<ErrorStatus> copyFrom(const hidl_memory& src,
                                 const hidl_vec<uint32_t>& dimensions) override {
        const auto pool = RunTimePoolInfo::createFromHidlMemory(src);
        if (!pool.has_value()) return ErrorStatus::GENERAL_FAILURE;
        const auto status = kBuffer->validateCopyFrom(dimensions, pool->getSize());
        kBuffer->updateDimensions(dimensions);
        kBuffer->setInitialized(status == ErrorStatus::NONE);
        return status;
    }

   private:
    const std::shared_ptr<ManagedBuffer> kBuffer;
    const std::unique_ptr<BufferTracker::Token> kToken;
};

const Model* modelOf(const sp<IPreparedModel>& preparedModel) {
    return preparedModel->isRemote() ? nullptr : new Model();
}

ErrorStatus allocate(const V1_3::BufferDesc& desc,
                     const hidl_vec<sp<V1_3::IPreparedModel>>& preparedModels,
                     const hidl_vec<V1_3::BufferRole>& inputRoles,
                     const hidl_vec<V1_3::BufferRole>& outputRoles,
                     const std::shared_ptr<BufferTracker>& tracker) {
    std::set<PreparedModelRole> roles;
    V1_3::Operand operand;
    if (!validateMemoryDesc(desc, preparedModels, inputRoles, outputRoles, modelOf, &roles,
                            &operand)) {
        return ErrorStatus::INVALID_ARGUMENT;
    }
    const uint32_t size = nonExtensionOperandSizeOfData(operand);
    auto wrapper = ManagedBuffer::create(size, std::move(roles), operand);
    auto token = tracker->add(wrapper);
    VLOG(DRIVER) << toString(operand.dimensions) << token->get()
                 << (tracker->get(token->get()) == wrapper);
    sp<Buffer> buffer = new Buffer(std::move(wrapper), std::move(token));
    return buffer == nullptr ? ErrorStatus::GENERAL_FAILURE : ErrorStatus::NONE;
}

ErrorStatus execute(const Request& request, const Model& model, Priority priority,
                    const OptionalTimePoint& deadline, const hidl_handle& fence,
                    const sp<V1_3::IExecutionCallback>& callback) {
    const uid_t user = hardware::IPCThreadState::self()->getCallingUid();
    const auto until = makeDeadline(deadline);
    if (!validateModel(model) || !validateRequest(request, model) || !validatePriority(priority) ||
        hasDeadlinePassed(until) || user == 0) {
        return ErrorStatus::INVALID_ARGUMENT;
    }
    const int syncFenceFd = fence.getNativeHandle()->data[0];
    if (syncWait(syncFenceFd, -1) != FenceState::SIGNALED || sync_wait(syncFenceFd, -1) < 0) {
        return ErrorStatus::GENERAL_FAILURE;
    }
    std::vector<RunTimePoolInfo> pools;
    if (!setRunTimePoolInfosFromMemoryPools(&pools, request.pools)) {
        return ErrorStatus::GENERAL_FAILURE;
    }
    CpuExecutor executor(BuiltinOperationResolver::get());
    if (until.has_value()) executor.setDeadline(*until);
    executor.setLoopTimeout(operation_while::kTimeoutNsDefault);
    const ErrorStatus status =
            convertResultCodeToErrorStatus(executor.run(model, request, pools, pools));
    callback->notify_1_3(status, executor.getOutputShapes(), {UINT64_MAX, UINT64_MAX});
    callback->notify(convertToV1_0(status));
    return status;
}

bool prepare(const Operand& operand, const Shape& filter, const Shape& bias, Shape* output) {
    const Shape input = {.type = operand.type,
                         .dimensions = operand.dimensions,
                         .scale = operand.scale,
                         .offset = operand.zeroPoint};
    NN_OPS_CHECK(input.type == OperandType::TENSOR_FLOAT32);
    NN_OPS_CHECK(input.type == filter.type && bias.type != OperandType::TENSOR_INT32);
    NN_OPS_CHECK(filter.type != V1_2::OperandType::TENSOR_BOOL8);
    switch (filter.type) {
        case OperandType::TENSOR_FLOAT32:
            return convPrepare(input, filter, bias, 0, 0, 0, 0, 1, 1, 1, 1, output);
        default:
            return addMulPrepare(input, filter, output);
    }
}

Capabilities capabilities() {
    Capabilities made = {
            .relaxedFloat32toFloat16PerformanceScalar = {1.0f, 1.0f},
            .relaxedFloat32toFloat16PerformanceTensor = {1.0f, 1.0f},
            .operandPerformance = nonExtensionOperandPerformance<HalVersion::V1_3>({1.0f, 1.0f}),
            .ifPerformance = {1.0f, 1.0f},
            .whilePerformance = {1.0f, 1.0f}};
    update(&made.operandPerformance, OperandType::TENSOR_FLOAT32, {0.8f, 1.2f});
    return made;
}

}  // namespace begins
}  // namespace nn
}  // namespace android
