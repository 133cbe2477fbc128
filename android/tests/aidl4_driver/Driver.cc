#define LOG_TAG "lanes-driver-4"

#include "Driver.h"

#include <LegacyUtils.h>
#include <Tracing.h>
#include <android-base/logging.h>
#include <android/binder_ibinder.h>
#include <android/binder_manager.h>
#include <android/binder_process.h>
#include <nnapi/Validation.h>
#include <nnapi/hal/aidl/Conversions.h>
#include <nnapi/hal/aidl/Utils.h>

#include <cstdlib>
#include <utility>

namespace vendor::lanes {

using nn::ErrorStatus;

namespace {

constexpr size_t kNumberOfThreads = 4;

// The arguments of a call with a configuration. Hints target other accelerators, so they are
// ignored.
nn::GeneralResult<CallArguments> argumentsOf(const aidl_hal::ExecutionConfig& config,
                                             int64_t deadlineNs) {
    NN_TRY(nn::convert(config.executionHints));
    NN_TRY(nn::convert(config.extensionNameToPrefix));
    if (config.loopTimeoutDurationNs < -1) {
        return NN_ERROR(ErrorStatus::INVALID_ARGUMENT)
               << "the time limit of loops is " << config.loopTimeoutDurationNs;
    }
    return CallArguments{.measureTiming = config.measureTiming,
                         .deadlineNs = deadlineNs,
                         .loopTimeoutDurationNs = config.loopTimeoutDurationNs};
}

}  // namespace

ndk::ScopedAStatus PreparedModel::executeSynchronouslyWithConfig(
        const aidl_hal::Request& request, const aidl_hal::ExecutionConfig& config,
        int64_t deadlineNs, aidl_hal::ExecutionResult* executionResult) {
    NNTRACE_FULL(NNTRACE_LAYER_DRIVER, NNTRACE_PHASE_EXECUTION,
                 "PreparedModel::executeSynchronouslyWithConfig");
    const auto arguments = argumentsOf(config, deadlineNs);
    if (!arguments.has_value()) return toAStatus(arguments.error());
    return execute(request, arguments.value(), executionResult);
}

ndk::ScopedAStatus PreparedModel::executeFencedWithConfig(
        const aidl_hal::Request& request, const std::vector<ndk::ScopedFileDescriptor>& waitFor,
        const aidl_hal::ExecutionConfig& config, int64_t deadlineNs, int64_t durationNs,
        aidl_hal::FencedExecutionResult* executionResult) {
    NNTRACE_FULL(NNTRACE_LAYER_DRIVER, NNTRACE_PHASE_EXECUTION,
                 "PreparedModel::executeFencedWithConfig");
    const auto arguments = argumentsOf(config, deadlineNs);
    if (!arguments.has_value()) return toAStatus(arguments.error());
    return launch(request, waitFor, arguments.value(), durationNs, executionResult);
}

ndk::ScopedAStatus PreparedModel::configureExecutionBurst(
        std::shared_ptr<aidl_hal::IBurst>* burst) {
    *burst = ndk::SharedRefBase::make<Burst>(ref<PreparedModel>());
    return ndk::ScopedAStatus::ok();
}

ndk::ScopedAStatus PreparedModel::createReusableExecution(
        const aidl_hal::Request& request, const aidl_hal::ExecutionConfig& config,
        std::shared_ptr<aidl_hal::IExecution>* execution) {
    NNTRACE_FULL(NNTRACE_LAYER_DRIVER, NNTRACE_PHASE_INPUTS_AND_OUTPUTS,
                 "PreparedModel::createReusableExecution");
    const auto arguments = argumentsOf(config, /*deadlineNs=*/-1);
    if (!arguments.has_value()) return toAStatus(arguments.error());
    auto checked = getSession().checkRequest(request, /*allowUnspecifiedOutput=*/true);
    if (!checked.has_value()) return toAStatus(checked.error());
    *execution = ndk::SharedRefBase::make<Execution>(ref<PreparedModel>(),
                                                     std::move(checked).value(), arguments.value());
    return ndk::ScopedAStatus::ok();
}

CallArguments Execution::until(int64_t deadlineNs) const {
    CallArguments arguments = kArguments;
    arguments.deadlineNs = deadlineNs;
    return arguments;
}

ndk::ScopedAStatus Execution::executeSynchronously(int64_t deadlineNs,
                                                   aidl_hal::ExecutionResult* executionResult) {
    NNTRACE_FULL(NNTRACE_LAYER_DRIVER, NNTRACE_PHASE_EXECUTION, "Execution::executeSynchronously");
    return kPreparedModel->getSession().execute(kRequest, until(deadlineNs), kPreparedModel.get(),
                                                /*memories=*/nullptr, /*tokens=*/nullptr,
                                                executionResult);
}

ndk::ScopedAStatus Execution::executeFenced(const std::vector<ndk::ScopedFileDescriptor>& waitFor,
                                            int64_t deadlineNs, int64_t durationNs,
                                            aidl_hal::FencedExecutionResult* executionResult) {
    NNTRACE_FULL(NNTRACE_LAYER_DRIVER, NNTRACE_PHASE_EXECUTION, "Execution::executeFenced");
    const Session& session = kPreparedModel->getSession();
    const auto valid = nn::validateRequestForModel(kRequest, session.model(),
                                                   /*allowUnspecifiedOutput=*/false);
    if (!valid.has_value()) {
        return toAStatus(ErrorStatus::INVALID_ARGUMENT, valid.error().message);
    }
    return session.executeFenced(kRequest, waitFor, until(deadlineNs), durationNs,
                                 kPreparedModel.get(), executionResult);
}

ndk::ScopedAStatus Burst::executeSynchronouslyWithConfig(
        const aidl_hal::Request& request, const std::vector<int64_t>& memoryIdentifierTokens,
        const aidl_hal::ExecutionConfig& config, int64_t deadlineNs,
        aidl_hal::ExecutionResult* executionResult) {
    const auto arguments = argumentsOf(config, deadlineNs);
    if (!arguments.has_value()) return toAStatus(arguments.error());
    return execute(request, memoryIdentifierTokens, arguments.value(), executionResult);
}

ndk::ScopedAStatus Device::prepareModel(
        const aidl_hal::Model& model, aidl_hal::ExecutionPreference preference,
        aidl_hal::Priority priority, int64_t deadlineNs,
        const std::vector<ndk::ScopedFileDescriptor>& modelCache,
        const std::vector<ndk::ScopedFileDescriptor>& dataCache, const std::vector<uint8_t>& token,
        const std::shared_ptr<aidl_hal::IPreparedModelCallback>& callback) {
    NNTRACE_FULL(NNTRACE_LAYER_DRIVER, NNTRACE_PHASE_COMPILATION, "Device::prepareModel");
    if (callback == nullptr) return noCallback();
    VLOG(nn::DRIVER) << kName << ": prepareModel of user " << AIBinder_getCallingUid();
    auto checked =
            checkPreparation(model, preference, priority, deadlineNs, modelCache, dataCache, token);
    if (!checked.has_value()) {
        return report<PreparedModel>(checked.error(), kBufferTracker, callback);
    }
    // The call returns at once; the callback receives the result.
    mWorker.run([preparation = std::make_shared<Preparation>(std::move(checked).value()), callback,
                 client = std::make_shared<Client>(callback), bufferTracker = kBufferTracker] {
        if (client->isDead()) return;
        const auto status = report<PreparedModel>(prepare(*preparation), bufferTracker, callback);
        if (!status.isOk()) LOG(ERROR) << "a preparation fails: " << status.getMessage();
    });
    return ndk::ScopedAStatus::ok();
}

ndk::ScopedAStatus Device::prepareModelWithConfig(
        const aidl_hal::Model& model, const aidl_hal::PrepareModelConfig& config,
        const std::shared_ptr<aidl_hal::IPreparedModelCallback>& callback) {
    if (callback == nullptr) return noCallback();
    const auto checked = [&]() -> nn::GeneralResult<void> {
        NN_TRY(nn::convert(config.compilationHints));
        NN_TRY(nn::convert(config.extensionNameToPrefix));
        return {};
    }();
    if (!checked.has_value()) {
        return report<PreparedModel>(checked.error(), kBufferTracker, callback);
    }
    return prepareModel(model, config.preference, config.priority, config.deadlineNs,
                        config.modelCache, config.dataCache,
                        aidl_hal::utils::toVec(config.cacheToken), callback);
}

ndk::ScopedAStatus Device::prepareModelFromCache(
        int64_t deadlineNs, const std::vector<ndk::ScopedFileDescriptor>& modelCache,
        const std::vector<ndk::ScopedFileDescriptor>& dataCache, const std::vector<uint8_t>& token,
        const std::shared_ptr<aidl_hal::IPreparedModelCallback>& callback) {
    if (callback == nullptr) return noCallback();
    return report<PreparedModel>(prepareFromCache(deadlineNs, modelCache, dataCache, token),
                                 kBufferTracker, callback);
}

int Device::run() {
    ABinderProcess_setThreadPoolMaxThreadCount(kNumberOfThreads);
    const std::string instance = std::string(descriptor) + "/" + kName;
    const binder_status_t status = AServiceManager_addService(asBinder().get(), instance.c_str());
    if (status != STATUS_OK) {
        LOG(ERROR) << "the service " << instance << " cannot be added: " << status;
        return EXIT_FAILURE;
    }
    ABinderProcess_joinThreadPool();
    return EXIT_FAILURE;  // it does not return
}

}  // namespace vendor::lanes
