// Objects.h -- The parts of device, prepared model and burst that all versions of the interface
// share.
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

class BasePreparedModel : public aidl_hal::BnPreparedModel {
   public:
    ndk::ScopedAStatus executeSynchronously(const aidl_hal::Request& request, bool measureTiming,
                                            int64_t deadlineNs, int64_t loopTimeoutDurationNs,
                                            aidl_hal::ExecutionResult* executionResult) override;
    ndk::ScopedAStatus executeFenced(const aidl_hal::Request& request,
                                     const std::vector<ndk::ScopedFileDescriptor>& waitFor,
                                     bool measureTiming, int64_t deadlineNs,
                                     int64_t loopTimeoutDurationNs, int64_t durationNs,
                                     aidl_hal::FencedExecutionResult* executionResult) override;

    const Session& getSession() const { return *kSession; }

   protected:
    explicit BasePreparedModel(std::shared_ptr<const Session> session)
        : kSession(std::move(session)) {}

    ndk::ScopedAStatus execute(const aidl_hal::Request& request, const CallArguments& arguments,
                               aidl_hal::ExecutionResult* executionResult) const;
    ndk::ScopedAStatus launch(const aidl_hal::Request& request,
                              const std::vector<ndk::ScopedFileDescriptor>& waitFor,
                              const CallArguments& arguments, int64_t durationNs,
                              aidl_hal::FencedExecutionResult* executionResult) const;

   private:
    const std::shared_ptr<const Session> kSession;
};

class BaseBurst : public aidl_hal::BnBurst {
   public:
    ndk::ScopedAStatus executeSynchronously(const aidl_hal::Request& request,
                                            const std::vector<int64_t>& memoryIdentifierTokens,
                                            bool measureTiming, int64_t deadlineNs,
                                            int64_t loopTimeoutDurationNs,
                                            aidl_hal::ExecutionResult* executionResult) override;
    ndk::ScopedAStatus releaseMemoryResource(int64_t memoryIdentifierToken) override;

   protected:
    explicit BaseBurst(std::shared_ptr<BasePreparedModel> preparedModel)
        : kPreparedModel(std::move(preparedModel)) {}

    ndk::ScopedAStatus execute(const aidl_hal::Request& request,
                               const std::vector<int64_t>& memoryIdentifierTokens,
                               const CallArguments& arguments,
                               aidl_hal::ExecutionResult* executionResult);

   private:
    const std::shared_ptr<BasePreparedModel> kPreparedModel;
    MappedMemories mMemories;
    std::atomic_flag mExecutionInFlight = ATOMIC_FLAG_INIT;
};

// Only prepares models that are BasePreparedModel.
class BaseDevice : public aidl_hal::BnDevice {
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

   protected:
    BaseDevice(std::string name, int version) : kName(std::move(name)), kVersion(version) {}

    const std::string kName;
    const int kVersion;
    const std::shared_ptr<nn::AidlBufferTracker> kBufferTracker = nn::AidlBufferTracker::create();
};

ndk::ScopedAStatus noCallback();

}  // namespace vendor::lanes
