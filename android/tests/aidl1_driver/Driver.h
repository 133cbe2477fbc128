// The driver of the lanes accelerator for version 1 of the interface.
#pragma once

#include <AidlBufferTracker.h>
#include <AidlHalInterfaces.h>
#include <aidl/android/hardware/neuralnetworks/BnBurst.h>
#include <aidl/android/hardware/neuralnetworks/BnDevice.h>
#include <aidl/android/hardware/neuralnetworks/BnPreparedModel.h>
#include <android/binder_auto_utils.h>
#include <android/binder_interface_utils.h>
#include <nnapi/Types.h>

#include <atomic>
#include <memory>
#include <string>
#include <vector>

#include "Session.h"

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
    ndk::ScopedAStatus configureExecutionBurst(std::shared_ptr<aidl_hal::IBurst>* burst) override;

    const Session& getSession() const { return *kSession; }

   private:
    const std::shared_ptr<const Session> kSession;
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
    ndk::ScopedAStatus releaseMemoryResource(int64_t memoryIdentifierToken) override;

   private:
    const std::shared_ptr<PreparedModel> kPreparedModel;
    MappedMemories mMemories;
    std::atomic_flag mExecutionInFlight = ATOMIC_FLAG_INIT;
};

class Device : public aidl_hal::BnDevice {
   public:
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
    ndk::ScopedAStatus prepareModelFromCache(
            int64_t deadlineNs, const std::vector<ndk::ScopedFileDescriptor>& modelCache,
            const std::vector<ndk::ScopedFileDescriptor>& dataCache,
            const std::vector<uint8_t>& token,
            const std::shared_ptr<aidl_hal::IPreparedModelCallback>& callback) override;

   private:
    const std::shared_ptr<nn::AidlBufferTracker> kBufferTracker = nn::AidlBufferTracker::create();
};

}  // namespace vendor::lanes
