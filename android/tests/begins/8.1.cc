// How drivers of Android 8.1 begin: one interface, helpers from CpuExecutor.h and Utils.h.
#define LOG_TAG "begins"

#include <android-base/logging.h>
#include <android/hardware/neuralnetworks/1.0/IDevice.h>
#include <android/log.h>
#include <hidl/LegacySupport.h>
#include <sys/mman.h>
#include <thread>

#include "CpuExecutor.h"
#include "HalInterfaces.h"
#include "OperationsUtils.h"

namespace android {
namespace nn {
namespace begins {

using namespace hardware::neuralnetworks::V1_0;
using hardware::hidl_memory;
using hardware::hidl_vec;
using hardware::Return;
using hardware::Void;

class PreparedModel : public IPreparedModel {
   public:
    explicit PreparedModel(const Model& model) : mModel(model) {}
    bool initialize() { return setRunTimePoolInfosFromHidlMemories(&mPools, mModel.pools); }
    Return<ErrorStatus> execute(const Request& request,
                                const sp<IExecutionCallback>& callback) override {
        if (callback.get() == nullptr) return ErrorStatus::INVALID_ARGUMENT;
        if (!validateRequest(request, mModel)) {
            callback->notify(ErrorStatus::INVALID_ARGUMENT);
            return ErrorStatus::INVALID_ARGUMENT;
        }
        std::thread([this, request, callback] {
            RunTimePoolInfo pool;
            if (!pool.set(request.pools[0])) return;
            const int n = CpuExecutor().run(convertToV1_3(mModel), convertToV1_3(request), mPools,
                                            {pool});
            VLOG(DRIVER) << "executor.run returned " << n << pool.update();
            auto returned =
                    callback->notify(n == ANEURALNETWORKS_NO_ERROR ? ErrorStatus::NONE
                                                                   : ErrorStatus::GENERAL_FAILURE);
            if (!returned.isOk()) LOG(ERROR) << "hidl callback failed " << returned.description();
        }).detach();
        return ErrorStatus::NONE;
    }

   private:
    Model mModel;
    std::vector<RunTimePoolInfo> mPools;
};

class Device : public IDevice {
   public:
    Device() { initVLogMask(); }
    Return<void> getCapabilities(getCapabilities_cb cb) override {
        Capabilities capabilities = {
                .float32Performance = {.execTime = 0.5f, .powerUsage = 0.5f},
                .quantized8Performance = {.execTime = 0.5f, .powerUsage = 0.5f}};
        cb(ErrorStatus::NONE, capabilities);
        return Void();
    }
    Return<void> getSupportedOperations(const Model& model, getSupportedOperations_cb cb) override {
        if (!validateModel(model)) {
            std::vector<bool> supported;
            cb(ErrorStatus::INVALID_ARGUMENT, supported);
            return Void();
        }
        std::vector<bool> supported(model.operations.size(), false);
        for (size_t i = 0; i < supported.size(); i++) {
            const Operation& operation = model.operations[i];
            const OperandType type = model.operands[operation.inputs[0]].type;
            Shape shape = {.type = type, .dimensions = {1, 2}, .scale = 0.0f, .offset = 0};
            Shape out;
            supported[i] = shape.type == OperandType::TENSOR_FLOAT32 && SetShape(shape, &out) &&
                           addMulPrepare(shape, shape, &out);
        }
        cb(ErrorStatus::NONE, supported);
        return Void();
    }
    Return<ErrorStatus> prepareModel(const Model& model,
                                     const sp<IPreparedModelCallback>& callback) override {
        if (VLOG_IS_ON(DRIVER)) logModelToInfo(model);
        sp<PreparedModel> prepared = new PreparedModel(model);
        if (!prepared->initialize()) {
            callback->notify(ErrorStatus::INVALID_ARGUMENT, nullptr);
            return ErrorStatus::INVALID_ARGUMENT;
        }
        callback->notify(ErrorStatus::NONE, prepared);
        return ErrorStatus::NONE;
    }
    Return<DeviceStatus> getStatus() override { return DeviceStatus::AVAILABLE; }

    int run() {
        hardware::configureRpcThreadpool(4, true);
        if (registerAsService("begins") != OK) {
            ALOGE("Could not register service");
            return 1;
        }
        hardware::joinRpcThreadpool();
        return 1;
    }
};

}  // namespace begins
}  // namespace nn
}  // namespace android
