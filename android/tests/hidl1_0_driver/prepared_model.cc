#define LOG_TAG "sample-npu@1.0-prepared-model"

#include "prepared_model.h"

#include <android/hidl/memory/1.0/IMemory.h>
#include <hidlmemory/mapping.h>
#include <log/log.h>

#include <thread>
#include <utility>
#include <vector>

#include "Tracing.h"
#include "Utils.h"
#include "ValidateHal.h"

namespace android::hardware::neuralnetworks::V1_0::implementation {

using ::android::hidl::memory::V1_0::IMemory;

namespace {

// The pools of one request, mapped during its execution.
class MappedPools {
   public:
    bool map(const hidl_vec<hidl_memory>& pools) {
        for (size_t i = 0; i < pools.size(); ++i) {
            if (pools[i].handle() == nullptr) {
                ALOGE("pool %zu has no handle", i);
                return false;
            }
            sp<IMemory> memory = mapMemory(pools[i]);
            if (memory == nullptr) {
                ALOGE("pool %zu (%s) cannot be mapped", i, pools[i].name().c_str());
                return false;
            }
            if (!memory->update().isOk()) {
                ALOGE("pool %zu cannot be read", i);
                return false;
            }
            void* data = memory->getPointer();
            if (data == NULL) {
                ALOGE("pool %zu has no address", i);
                return false;
            }
            mPools.push_back(nn::RunTimePoolInfo::createFromExistingBuffer(
                    static_cast<uint8_t*>(data), static_cast<uint32_t>(memory->getSize())));
            mMemories.push_back(memory);
        }
        return true;
    }

    bool commit() const {
        for (const sp<IMemory>& memory : mMemories) {
            const Return<void> committed = memory->commit();
            if (!committed.isOk()) return false;
        }
        return true;
    }

    const std::vector<nn::RunTimePoolInfo>& pools() const { return mPools; }

   private:
    std::vector<sp<IMemory>> mMemories;
    std::vector<nn::RunTimePoolInfo> mPools;
};

void notify(const sp<IExecutionCallback>& callback, ErrorStatus status) {
    const Return<void> returned = callback->notify(status);
    if (!returned.isOk()) {
        ALOGW("the client does not take the end of an execution: %s",
              returned.description().c_str());
    }
}

}  // namespace

PreparedModel::~PreparedModel() { ALOGV("released"); }

bool PreparedModel::initialize() {
    NNTRACE_FULL(NNTRACE_LAYER_DRIVER, NNTRACE_PHASE_COMPILATION, "PreparedModel::initialize");
    return nn::setRunTimePoolInfosFromHidlMemories(&mConstants, mModel.pools);
}

Return<ErrorStatus> PreparedModel::execute(const Request& request,
                                           const sp<IExecutionCallback>& callback) {
    NNTRACE_FULL(NNTRACE_LAYER_DRIVER, NNTRACE_PHASE_EXECUTION, "PreparedModel::execute");
    ALOGV("execute: %zu inputs, %zu outputs", static_cast<size_t>(request.inputs.size()),
          static_cast<size_t>(request.outputs.size()));
    if (callback == nullptr) {
        ALOGE("execute without a callback");
        return ErrorStatus::INVALID_ARGUMENT;
    }
    if (!nn::validateRequest(request, mModel)) {
        notify(callback, ErrorStatus::INVALID_ARGUMENT);
        return ErrorStatus::INVALID_ARGUMENT;
    }
    // The client may release the prepared model, and its memory, while the thread runs.
    const sp<PreparedModel> self = this;
    std::thread([self, request, callback]() { self->asyncExecute(request, callback); }).detach();
    return ErrorStatus::NONE;
}

void PreparedModel::asyncExecute(const Request& request, const sp<IExecutionCallback>& callback) {
    NNTRACE_FULL(NNTRACE_LAYER_DRIVER, NNTRACE_PHASE_EXECUTION, "PreparedModel::asyncExecute");
    const ErrorStatus status = compute(request);
    ALOGD_IF(status != ErrorStatus::NONE, "an execution ends with %s", toString(status).c_str());
    notify(callback, status);
}

ErrorStatus PreparedModel::compute(const Request& request) const {
    NNTRACE_FULL(NNTRACE_LAYER_DRIVER, NNTRACE_PHASE_INPUTS_AND_OUTPUTS, "PreparedModel::compute");
    MappedPools pools;
    if (!pools.map(request.pools)) return ErrorStatus::GENERAL_FAILURE;
    NNTRACE_FULL_SWITCH(NNTRACE_LAYER_DRIVER, NNTRACE_PHASE_COMPUTATION, "PreparedModel::compute");
    const int code = nn::CpuExecutor().run(nn::convertToV1_3(mModel), nn::convertToV1_3(request),
                                           mConstants, pools.pools());
    if (code == ANEURALNETWORKS_NO_ERROR && !pools.commit()) return ErrorStatus::GENERAL_FAILURE;
    return nn::convertToV1_0(nn::convertResultCodeToErrorStatus(code));
}

}  // namespace android::hardware::neuralnetworks::V1_0::implementation
