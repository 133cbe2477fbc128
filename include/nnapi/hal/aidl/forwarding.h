// nnapi/hal/aidl/forwarding.h -- Base classes of AIDL objects that forward each method to another
// object: override the methods that differ.
//
//   class Slow final : public nn::hal::ForwardingAidlDevice {
//    public:
//       using ForwardingAidlDevice::ForwardingAidlDevice;
//       ndk::ScopedAStatus getType(nn::aidl_hal::DeviceType* type) override {
//           sleep(1);
//           return inner()->getType(type);
//       }
//   };
//   std::shared_ptr<nn::aidl_hal::IDevice> slow = ndk::SharedRefBase::make<Slow>(driver);
//
// Callbacks of preparations pass through a hook; prepared models, bursts and buffers pass as they
// are. Binder and death are those of the object itself. Thread-safe if the inner object is.
// Requires an object, not null.
#pragma once

#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "nnapi/hal/aidl/interfaces.h"

namespace nn::hal {

// The methods that all of them forward, including those of the version.
template <class Interface>
class ForwardingAidl : public ::ndk::BnCInterface<Interface> {
   public:
    explicit ForwardingAidl(std::shared_ptr<Interface> inner) : mInner(std::move(inner)) {}

    ::ndk::ScopedAStatus getInterfaceVersion(int32_t* result) override {
        return mInner->getInterfaceVersion(result);
    }
    ::ndk::ScopedAStatus getInterfaceHash(std::string* result) override {
        return mInner->getInterfaceHash(result);
    }

    const std::shared_ptr<Interface>& inner() const { return mInner; }

   private:
    const std::shared_ptr<Interface> mInner;
};

class ForwardingAidlBuffer : public ForwardingAidl<aidl_hal::IBuffer> {
   public:
    using ForwardingAidl::ForwardingAidl;

    ::ndk::ScopedAStatus copyFrom(const aidl_hal::Memory& src,
                                  const std::vector<int32_t>& dimensions) override {
        return inner()->copyFrom(src, dimensions);
    }
    ::ndk::ScopedAStatus copyTo(const aidl_hal::Memory& dst) override {
        return inner()->copyTo(dst);
    }
};

class ForwardingAidlBurst : public ForwardingAidl<aidl_hal::IBurst> {
   public:
    using ForwardingAidl::ForwardingAidl;

    ::ndk::ScopedAStatus executeSynchronously(const aidl_hal::Request& request,
                                              const std::vector<int64_t>& memoryIdentifierTokens,
                                              bool measureTiming, int64_t deadlineNs,
                                              int64_t loopTimeoutDurationNs,
                                              aidl_hal::ExecutionResult* result) override {
        return inner()->executeSynchronously(request, memoryIdentifierTokens, measureTiming,
                                             deadlineNs, loopTimeoutDurationNs, result);
    }
    ::ndk::ScopedAStatus executeSynchronouslyWithConfig(
            const aidl_hal::Request& request, const std::vector<int64_t>& memoryIdentifierTokens,
            const aidl_hal::ExecutionConfig& config, int64_t deadlineNs,
            aidl_hal::ExecutionResult* result) override {
        return inner()->executeSynchronouslyWithConfig(request, memoryIdentifierTokens, config,
                                                       deadlineNs, result);
    }
    ::ndk::ScopedAStatus releaseMemoryResource(int64_t memoryIdentifierToken) override {
        return inner()->releaseMemoryResource(memoryIdentifierToken);
    }
};

class ForwardingAidlExecution : public ForwardingAidl<aidl_hal::IExecution> {
   public:
    using ForwardingAidl::ForwardingAidl;

    ::ndk::ScopedAStatus executeSynchronously(int64_t deadlineNs,
                                              aidl_hal::ExecutionResult* result) override {
        return inner()->executeSynchronously(deadlineNs, result);
    }
    ::ndk::ScopedAStatus executeFenced(const std::vector<::ndk::ScopedFileDescriptor>& waitFor,
                                       int64_t deadlineNs, int64_t durationNs,
                                       aidl_hal::FencedExecutionResult* result) override {
        return inner()->executeFenced(waitFor, deadlineNs, durationNs, result);
    }
};

class ForwardingAidlPreparedModel : public ForwardingAidl<aidl_hal::IPreparedModel> {
   public:
    using ForwardingAidl::ForwardingAidl;

    ::ndk::ScopedAStatus executeSynchronously(const aidl_hal::Request& request, bool measureTiming,
                                              int64_t deadlineNs, int64_t loopTimeoutDurationNs,
                                              aidl_hal::ExecutionResult* result) override {
        return inner()->executeSynchronously(request, measureTiming, deadlineNs,
                                             loopTimeoutDurationNs, result);
    }
    ::ndk::ScopedAStatus executeSynchronouslyWithConfig(
            const aidl_hal::Request& request, const aidl_hal::ExecutionConfig& config,
            int64_t deadlineNs, aidl_hal::ExecutionResult* result) override {
        return inner()->executeSynchronouslyWithConfig(request, config, deadlineNs, result);
    }
    ::ndk::ScopedAStatus executeFenced(const aidl_hal::Request& request,
                                       const std::vector<::ndk::ScopedFileDescriptor>& waitFor,
                                       bool measureTiming, int64_t deadlineNs,
                                       int64_t loopTimeoutDurationNs, int64_t durationNs,
                                       aidl_hal::FencedExecutionResult* result) override {
        return inner()->executeFenced(request, waitFor, measureTiming, deadlineNs,
                                      loopTimeoutDurationNs, durationNs, result);
    }
    ::ndk::ScopedAStatus executeFencedWithConfig(
            const aidl_hal::Request& request,
            const std::vector<::ndk::ScopedFileDescriptor>& waitFor,
            const aidl_hal::ExecutionConfig& config, int64_t deadlineNs, int64_t durationNs,
            aidl_hal::FencedExecutionResult* result) override {
        return inner()->executeFencedWithConfig(request, waitFor, config, deadlineNs, durationNs,
                                                result);
    }
    ::ndk::ScopedAStatus configureExecutionBurst(
            std::shared_ptr<aidl_hal::IBurst>* result) override {
        return inner()->configureExecutionBurst(result);
    }
    ::ndk::ScopedAStatus createReusableExecution(
            const aidl_hal::Request& request, const aidl_hal::ExecutionConfig& config,
            std::shared_ptr<aidl_hal::IExecution>* result) override {
        return inner()->createReusableExecution(request, config, result);
    }
};

class ForwardingAidlDevice : public ForwardingAidl<aidl_hal::IDevice> {
   public:
    using ForwardingAidl::ForwardingAidl;

    ::ndk::ScopedAStatus getCapabilities(aidl_hal::Capabilities* result) override {
        return inner()->getCapabilities(result);
    }
    ::ndk::ScopedAStatus getNumberOfCacheFilesNeeded(
            aidl_hal::NumberOfCacheFiles* result) override {
        return inner()->getNumberOfCacheFilesNeeded(result);
    }
    ::ndk::ScopedAStatus getSupportedExtensions(std::vector<aidl_hal::Extension>* result) override {
        return inner()->getSupportedExtensions(result);
    }
    ::ndk::ScopedAStatus getType(aidl_hal::DeviceType* result) override {
        return inner()->getType(result);
    }
    ::ndk::ScopedAStatus getVersionString(std::string* result) override {
        return inner()->getVersionString(result);
    }
    ::ndk::ScopedAStatus getSupportedOperations(const aidl_hal::Model& model,
                                                std::vector<bool>* result) override {
        return inner()->getSupportedOperations(model, result);
    }
    ::ndk::ScopedAStatus prepareModel(
            const aidl_hal::Model& model, aidl_hal::ExecutionPreference preference,
            aidl_hal::Priority priority, int64_t deadlineNs,
            const std::vector<::ndk::ScopedFileDescriptor>& modelCache,
            const std::vector<::ndk::ScopedFileDescriptor>& dataCache,
            const std::vector<uint8_t>& token,
            const std::shared_ptr<aidl_hal::IPreparedModelCallback>& callback) override {
        return inner()->prepareModel(model, preference, priority, deadlineNs, modelCache, dataCache,
                                     token, wrapCallback(callback));
    }
    ::ndk::ScopedAStatus prepareModelFromCache(
            int64_t deadlineNs, const std::vector<::ndk::ScopedFileDescriptor>& modelCache,
            const std::vector<::ndk::ScopedFileDescriptor>& dataCache,
            const std::vector<uint8_t>& token,
            const std::shared_ptr<aidl_hal::IPreparedModelCallback>& callback) override {
        return inner()->prepareModelFromCache(deadlineNs, modelCache, dataCache, token,
                                              wrapCallback(callback));
    }
    ::ndk::ScopedAStatus prepareModelWithConfig(
            const aidl_hal::Model& model, const aidl_hal::PrepareModelConfig& config,
            const std::shared_ptr<aidl_hal::IPreparedModelCallback>& callback) override {
        return inner()->prepareModelWithConfig(model, config, wrapCallback(callback));
    }
    ::ndk::ScopedAStatus allocate(const aidl_hal::BufferDesc& desc,
                                  const std::vector<aidl_hal::IPreparedModelParcel>& preparedModels,
                                  const std::vector<aidl_hal::BufferRole>& inputRoles,
                                  const std::vector<aidl_hal::BufferRole>& outputRoles,
                                  aidl_hal::DeviceBuffer* result) override {
        return inner()->allocate(desc, preparedModels, inputRoles, outputRoles, result);
    }

   protected:
    // The callback that the inner driver gets for one that a client passes. Null is passed too.
    virtual std::shared_ptr<aidl_hal::IPreparedModelCallback> wrapCallback(
            const std::shared_ptr<aidl_hal::IPreparedModelCallback>& callback) {
        return callback;
    }
};

}  // namespace nn::hal
