// The driver of the lanes accelerator for version 4 of the interface: hints, reusable executions,
// and preparations on a thread of the device.
#pragma once

#include <AidlBufferTracker.h>
#include <AidlHalInterfaces.h>
#include <aidl/android/hardware/neuralnetworks/BnBurst.h>
#include <aidl/android/hardware/neuralnetworks/BnDevice.h>
#include <aidl/android/hardware/neuralnetworks/BnExecution.h>
#include <aidl/android/hardware/neuralnetworks/BnPreparedModel.h>
#include <android/binder_auto_utils.h>
#include <android/binder_interface_utils.h>
#include <nnapi/Types.h>

#include <atomic>
#include <memory>
#include <string>
#include <vector>

#include "Preparation.h"
#include "Session.h"
#include "Worker.h"

namespace vendor::lanes {

class PreparedModel : public aidl_hal::BnPreparedModel {
   public:
    explicit PreparedModel(std::shared_ptr<const Session> session) : kSession(std::move(session)) {}

    ndk::ScopedAStatus executeSynchronously(const aidl_hal::Request& request, bool measureTiming,
                                            int64_t deadlineNs, int64_t loopTimeoutDurationNs,
                                            aidl_hal::ExecutionResult* executionResult) override;
    ndk::ScopedAStatus executeFenced(const aidl_hal::Request& request,
                                     const std::vector<ndk::ScopedFileDescriptor>& waitFor,
                                     bool measureTiming, int64_t deadlineNs,
                                     int64_t loopTimeoutDurationNs, int64_t durationNs,
                                     aidl_hal::FencedExecutionResult* executionResult) override;
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

    const Session& getSession() const { return *kSession; }

   private:
    const std::shared_ptr<const Session> kSession;
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

class Burst : public aidl_hal::BnBurst {
   public:
    explicit Burst(std::shared_ptr<PreparedModel> preparedModel)
        : kPreparedModel(std::move(preparedModel)) {}

    ndk::ScopedAStatus executeSynchronously(const aidl_hal::Request& request,
                                            const std::vector<int64_t>& memoryIdentifierTokens,
                                            bool measureTiming, int64_t deadlineNs,
                                            int64_t loopTimeoutDurationNs,
                                            aidl_hal::ExecutionResult* executionResult) override;
    ndk::ScopedAStatus executeSynchronouslyWithConfig(
            const aidl_hal::Request& request, const std::vector<int64_t>& memoryIdentifierTokens,
            const aidl_hal::ExecutionConfig& config, int64_t deadlineNs,
            aidl_hal::ExecutionResult* executionResult) override;
    ndk::ScopedAStatus releaseMemoryResource(int64_t memoryIdentifierToken) override;

   private:
    ndk::ScopedAStatus execute(const aidl_hal::Request& request,
                               const std::vector<int64_t>& memoryIdentifierTokens,
                               const CallArguments& arguments,
                               aidl_hal::ExecutionResult* executionResult);

    const std::shared_ptr<PreparedModel> kPreparedModel;
    MappedMemories mMemories;
    std::atomic_flag mExecutionInFlight = ATOMIC_FLAG_INIT;
};

class Device : public aidl_hal::BnDevice {
   public:
    explicit Device(std::string name) : kName(std::move(name)) {}

    ndk::ScopedAStatus allocate(const aidl_hal::BufferDesc& desc,
                                const std::vector<aidl_hal::IPreparedModelParcel>& preparedModels,
                                const std::vector<aidl_hal::BufferRole>& inputRoles,
                                const std::vector<aidl_hal::BufferRole>& outputRoles,
                                aidl_hal::DeviceBuffer* buffer) override;
    ndk::ScopedAStatus getCapabilities(aidl_hal::Capabilities* capabilities) override;
    ndk::ScopedAStatus getNumberOfCacheFilesNeeded(
            aidl_hal::NumberOfCacheFiles* numberOfCacheFiles) override;
    ndk::ScopedAStatus getSupportedExtensions(
            std::vector<aidl_hal::Extension>* extensions) override;
    ndk::ScopedAStatus getSupportedOperations(const aidl_hal::Model& model,
                                              std::vector<bool>* supportedOperations) override;
    ndk::ScopedAStatus getType(aidl_hal::DeviceType* deviceType) override;
    ndk::ScopedAStatus getVersionString(std::string* versionString) override;
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
    const std::string kName;
    const std::shared_ptr<nn::AidlBufferTracker> kBufferTracker = nn::AidlBufferTracker::create();
    Worker mWorker;  // last, because its tasks use the other members
};

}  // namespace vendor::lanes
