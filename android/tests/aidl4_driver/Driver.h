// The driver of the lanes accelerator for version 4 of the interface: hints, reusable executions,
// and preparations on a thread of the device.
#pragma once

#include <aidl/android/hardware/neuralnetworks/BnExecution.h>
#include <android/binder_interface_utils.h>

#include <memory>
#include <string>
#include <vector>

#include "Objects.h"
#include "Preparation.h"
#include "Worker.h"

namespace vendor::lanes {

class PreparedModel : public BasePreparedModel {
   public:
    explicit PreparedModel(std::shared_ptr<const Session> session)
        : BasePreparedModel(std::move(session)) {}

    ndk::ScopedAStatus executeSynchronouslyWithConfig(
            const aidl_hal::Request& request, const aidl_hal::ExecutionConfig& config,
            int64_t deadlineNs, aidl_hal::ExecutionResult* executionResult) override;
    ndk::ScopedAStatus executeFencedWithConfig(
            const aidl_hal::Request& request, const std::vector<ndk::ScopedFileDescriptor>& waitFor,
            const aidl_hal::ExecutionConfig& config, int64_t deadlineNs, int64_t durationNs,
            aidl_hal::FencedExecutionResult* executionResult) override;
    ndk::ScopedAStatus configureExecutionBurst(std::shared_ptr<aidl_hal::IBurst>* burst) override;
    ndk::ScopedAStatus createReusableExecution(
            const aidl_hal::Request& request, const aidl_hal::ExecutionConfig& config,
            std::shared_ptr<aidl_hal::IExecution>* execution) override;
};

// A request that was checked once.
class Execution : public aidl_hal::BnExecution {
   public:
    Execution(std::shared_ptr<PreparedModel> preparedModel, nn::Request request,
              const CallArguments& arguments)
        : kPreparedModel(std::move(preparedModel)),
          kRequest(std::move(request)),
          kArguments(arguments) {}

    ndk::ScopedAStatus executeSynchronously(int64_t deadlineNs,
                                            aidl_hal::ExecutionResult* executionResult) override;
    ndk::ScopedAStatus executeFenced(const std::vector<ndk::ScopedFileDescriptor>& waitFor,
                                     int64_t deadlineNs, int64_t durationNs,
                                     aidl_hal::FencedExecutionResult* executionResult) override;

   private:
    CallArguments until(int64_t deadlineNs) const;

    const std::shared_ptr<PreparedModel> kPreparedModel;
    const nn::Request kRequest;
    const CallArguments kArguments;
};

class Burst : public BaseBurst {
   public:
    explicit Burst(std::shared_ptr<PreparedModel> preparedModel)
        : BaseBurst(std::move(preparedModel)) {}

    ndk::ScopedAStatus executeSynchronouslyWithConfig(
            const aidl_hal::Request& request, const std::vector<int64_t>& memoryIdentifierTokens,
            const aidl_hal::ExecutionConfig& config, int64_t deadlineNs,
            aidl_hal::ExecutionResult* executionResult) override;
};

class Device : public BaseDevice {
   public:
    explicit Device(std::string name) : BaseDevice(std::move(name), /*version=*/4) {}

    ndk::ScopedAStatus prepareModel(
            const aidl_hal::Model& model, aidl_hal::ExecutionPreference preference,
            aidl_hal::Priority priority, int64_t deadlineNs,
            const std::vector<ndk::ScopedFileDescriptor>& modelCache,
            const std::vector<ndk::ScopedFileDescriptor>& dataCache,
            const std::vector<uint8_t>& token,
            const std::shared_ptr<aidl_hal::IPreparedModelCallback>& callback) override;
    ndk::ScopedAStatus prepareModelWithConfig(
            const aidl_hal::Model& model, const aidl_hal::PrepareModelConfig& config,
            const std::shared_ptr<aidl_hal::IPreparedModelCallback>& callback) override;
    ndk::ScopedAStatus prepareModelFromCache(
            int64_t deadlineNs, const std::vector<ndk::ScopedFileDescriptor>& modelCache,
            const std::vector<ndk::ScopedFileDescriptor>& dataCache,
            const std::vector<uint8_t>& token,
            const std::shared_ptr<aidl_hal::IPreparedModelCallback>& callback) override;

    // Serves the device until the process ends.
    int run();

   private:
    Worker mWorker;
};

}  // namespace vendor::lanes
