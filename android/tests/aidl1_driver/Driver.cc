#define LOG_TAG "lanes-driver-1"

#include "Driver.h"

#include <Tracing.h>
#include <android-base/logging.h>

#include "Preparation.h"

namespace vendor::lanes {

ndk::ScopedAStatus PreparedModel::configureExecutionBurst(
        std::shared_ptr<aidl_hal::IBurst>* burst) {
    *burst = ndk::SharedRefBase::make<Burst>(ref<PreparedModel>());
    return ndk::ScopedAStatus::ok();
}

ndk::ScopedAStatus Device::prepareModel(
        const aidl_hal::Model& model, aidl_hal::ExecutionPreference preference,
        aidl_hal::Priority priority, int64_t deadlineNs,
        const std::vector<ndk::ScopedFileDescriptor>& modelCache,
        const std::vector<ndk::ScopedFileDescriptor>& dataCache, const std::vector<uint8_t>& token,
        const std::shared_ptr<aidl_hal::IPreparedModelCallback>& callback) {
    NNTRACE_FULL(NNTRACE_LAYER_DRIVER, NNTRACE_PHASE_COMPILATION, "Device::prepareModel");
    if (callback == nullptr) return noCallback();
    const auto compile = [&]() -> CompiledProgram {
        return prepare(NN_TRY(checkPreparation(model, preference, priority, deadlineNs, modelCache,
                                               dataCache, token)));
    };
    return report<PreparedModel>(compile(), kBufferTracker, callback);
}

ndk::ScopedAStatus Device::prepareModelFromCache(
        int64_t deadlineNs, const std::vector<ndk::ScopedFileDescriptor>& modelCache,
        const std::vector<ndk::ScopedFileDescriptor>& dataCache, const std::vector<uint8_t>& token,
        const std::shared_ptr<aidl_hal::IPreparedModelCallback>& callback) {
    if (callback == nullptr) return noCallback();
    return report<PreparedModel>(prepareFromCache(deadlineNs, modelCache, dataCache, token),
                                 kBufferTracker, callback);
}

}  // namespace vendor::lanes
