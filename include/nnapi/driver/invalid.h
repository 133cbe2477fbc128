// nnapi/driver/invalid.h -- Placeholders for devices and objects that are permanently gone.
//
//   return std::make_shared<const nn::hal::utils::InvalidDevice>(
//           name, versionString, featureLevel, type, extensions, capabilities, cacheFiles,
//           "the device has come back with another version");
//
// Getters return the values given at construction; everything that can fail fails with
// GENERAL_FAILURE and the reason. A ResilientDevice (nnapi/driver/resilient.h) is replaced by them
// when its device comes back as a different one. Immutable and thread-safe.
#pragma once

#include <any>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "nnapi/driver/interfaces.h"

namespace nn::hal::utils {

// The reason if none is given.
inline constexpr char kInvalidReason[] = "the object is invalid, and stays so";

// A device that has been replaced.
class InvalidDevice final : public IDevice {
   public:
    // The getters return these values; `reason` is the message of every failure.
    InvalidDevice(std::string name, std::string versionString, Version featureLevel,
                  DeviceType type, std::vector<Extension> extensions, Capabilities capabilities,
                  std::pair<uint32_t, uint32_t> numberOfCacheFilesNeeded,
                  std::string reason = kInvalidReason);

    // Why the device is gone, as given; valid as long as the object lives.
    const std::string& getReason() const { return mReason; }

    const std::string& getName() const override { return mName; }
    const std::string& getVersionString() const override { return mVersionString; }
    Version getFeatureLevel() const override { return mFeatureLevel; }
    DeviceType getType() const override { return mType; }
    const std::vector<Extension>& getSupportedExtensions() const override { return mExtensions; }
    const Capabilities& getCapabilities() const override { return mCapabilities; }
    std::pair<uint32_t, uint32_t> getNumberOfCacheFilesNeeded() const override {
        return mNumberOfCacheFilesNeeded;
    }

    GeneralResult<void> wait() const override;
    GeneralResult<std::vector<bool>> getSupportedOperations(const Model& model) const override;
    GeneralResult<SharedPreparedModel> prepareModel(
            const Model& model, ExecutionPreference preference, Priority priority,
            OptionalTimePoint deadline, const std::vector<SharedHandle>& modelCache,
            const std::vector<SharedHandle>& dataCache, const CacheToken& token,
            const std::vector<TokenValuePair>& hints,
            const std::vector<ExtensionNameAndPrefix>& extensionNameToPrefix) const override;
    GeneralResult<SharedPreparedModel> prepareModelFromCache(
            OptionalTimePoint deadline, const std::vector<SharedHandle>& modelCache,
            const std::vector<SharedHandle>& dataCache, const CacheToken& token) const override;
    GeneralResult<SharedBuffer> allocate(const BufferDesc& desc,
                                         const std::vector<SharedPreparedModel>& preparedModels,
                                         const std::vector<BufferRole>& inputRoles,
                                         const std::vector<BufferRole>& outputRoles) const override;

   private:
    std::string mName;
    std::string mVersionString;
    Version mFeatureLevel;
    DeviceType mType;
    std::vector<Extension> mExtensions;
    Capabilities mCapabilities;
    std::pair<uint32_t, uint32_t> mNumberOfCacheFilesNeeded;
    std::string mReason;
};

// A prepared model that wraps nothing.
class InvalidPreparedModel final : public IPreparedModel {
   public:
    // `reason` is the message of every failure.
    explicit InvalidPreparedModel(std::string reason = kInvalidReason)
        : mReason(std::move(reason)) {}

    ExecutionResult<Executed> execute(
            const Request& request, MeasureTiming measure, const OptionalTimePoint& deadline,
            const OptionalDuration& loopTimeoutDuration, const std::vector<TokenValuePair>& hints,
            const std::vector<ExtensionNameAndPrefix>& extensionNameToPrefix) const override;
    GeneralResult<ExecutedFenced> executeFenced(
            const Request& request, const std::vector<SyncFence>& waitFor, MeasureTiming measure,
            const OptionalTimePoint& deadline, const OptionalDuration& loopTimeoutDuration,
            const OptionalDuration& timeoutDurationAfterFence,
            const std::vector<TokenValuePair>& hints,
            const std::vector<ExtensionNameAndPrefix>& extensionNameToPrefix) const override;
    GeneralResult<SharedExecution> createReusableExecution(
            const Request& request, MeasureTiming measure,
            const OptionalDuration& loopTimeoutDuration, const std::vector<TokenValuePair>& hints,
            const std::vector<ExtensionNameAndPrefix>& extensionNameToPrefix) const override;
    GeneralResult<SharedBurst> configureExecutionBurst() const override;
    std::any getUnderlyingResource() const override { return {}; }

   private:
    std::string mReason;
};

// A reusable execution that always fails.
class InvalidExecution final : public IExecution {
   public:
    // `reason` is the message of every failure.
    explicit InvalidExecution(std::string reason = kInvalidReason) : mReason(std::move(reason)) {}

    ExecutionResult<Executed> compute(const OptionalTimePoint& deadline) const override;
    GeneralResult<ExecutedFenced> computeFenced(
            const std::vector<SyncFence>& waitFor, const OptionalTimePoint& deadline,
            const OptionalDuration& timeoutDurationAfterFence) const override;

   private:
    std::string mReason;
};

// A burst without a cache.
class InvalidBurst final : public IBurst {
   public:
    // `reason` is the message of every failure.
    explicit InvalidBurst(std::string reason = kInvalidReason) : mReason(std::move(reason)) {}

    OptionalCacheHold cacheMemory(const SharedMemory&) const override { return nullptr; }
    ExecutionResult<Executed> execute(
            const Request& request, MeasureTiming measure, const OptionalTimePoint& deadline,
            const OptionalDuration& loopTimeoutDuration, const std::vector<TokenValuePair>& hints,
            const std::vector<ExtensionNameAndPrefix>& extensionNameToPrefix) const override;
    GeneralResult<SharedExecution> createReusableExecution(
            const Request& request, MeasureTiming measure,
            const OptionalDuration& loopTimeoutDuration, const std::vector<TokenValuePair>& hints,
            const std::vector<ExtensionNameAndPrefix>& extensionNameToPrefix) const override;

   private:
    std::string mReason;
};

// A buffer with token 0, which names no buffer.
class InvalidBuffer final : public IBuffer {
   public:
    // `reason` is the message of every failure.
    explicit InvalidBuffer(std::string reason = kInvalidReason) : mReason(std::move(reason)) {}

    Request::MemoryDomainToken getToken() const override { return {}; }
    GeneralResult<void> copyTo(const SharedMemory& dst) const override;
    GeneralResult<void> copyFrom(const SharedMemory& src,
                                 const Dimensions& dimensions) const override;

   private:
    std::string mReason;
};

}  // namespace nn::hal::utils
