// nnapi/driver/resilient.h -- devices that survive the death of their driver.
//
//   using nn::hal::utils::ResilientDevice;
//   const auto connect = [](bool blocking) -> nn::GeneralResult<nn::SharedDevice> {
//       return blocking ? waitForDriver("npu") : findDriver("npu");
//   };
//   auto device = ResilientDevice::create(connect, {.wrapResults = true});
//   if (!device.has_value()) return device.status();
//   auto prepared = (*device)->prepareModel(model, ...);   // and again, should the driver die
//
// Each object holds another one and forwards to it. What answers anything but DEAD_OBJECT is final.
// On DEAD_OBJECT the factory makes a new object, and the call is repeated once, whatever that
// answers. Where there is no new object, the answer stays DEAD_OBJECT, and its message says why.
// What was launched before a death and ends in a fence or a callback is not repeated.
//
// Threads that see the same death cause one call of the factory; the others wait for what comes of
// it, for no longer than the deadline of their call and ResilientOptions::recoveryTimeout. The
// factory is called without a lock: it may use the object that it is to make, which answers
// DEAD_OBJECT then. It may throw; that is a GENERAL_FAILURE with the text of the exception, and so
// is null.
#pragma once

#include <any>
#include <chrono>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "nnapi/driver/interfaces.h"

namespace nn::hal::utils {

struct ResilientOptions {
    // Whether what an object gives out recovers as well, from copies of what it was made from:
    //   prepared models   are prepared again, with the same model, preference, priority, cache,
    //                     token, hints and prefixes, and without a deadline, which was that of the
    //                     first call. Memory is shared, pointers are copied once.
    //   buffers           are allocated again for those prepared models that live still, and have
    //                     no values then. They keep their token: requests may name it as before.
    //   bursts            are configured again, with an empty cache
    //   executions        are made again from their request, whose pointers stay the caller's
    // Without it they are those of the current object, and answer DEAD_OBJECT once that is dead.
    bool wrapResults = false;

    // How long a thread waits for the recovery that another one is at; at most an hour.
    Duration recoveryTimeout = std::chrono::seconds(10);
};

// Name, version, extensions and capabilities are those of the first device. A device that comes
// back with other ones, or with another feature level, type or number of cache files, is not taken:
// from then on its place has an InvalidDevice (nnapi/driver/invalid.h). Models are then prepared as
// an InvalidPreparedModel, buffers allocated as an InvalidBuffer, all else fails.
class ResilientDevice final : public IDevice {
   public:
    struct Parts;  // the library's own

    // blocking: whether to wait until there is a driver. It is true at first and for wait().
    using Factory = std::function<GeneralResult<SharedDevice>(bool blocking)>;

    // INVALID_ARGUMENT for an empty factory; what the factory fails with.
    static GeneralResult<std::shared_ptr<const ResilientDevice>> create(
            Factory makeDevice, ResilientOptions options = {});

    explicit ResilientDevice(std::shared_ptr<const Parts> parts) : mParts(std::move(parts)) {}

    // The current device.
    SharedDevice getDevice() const;

    // A device in the place of a failing one; the current one where that is another already.
    GeneralResult<SharedDevice> recover(const IDevice* failingDevice, bool blocking) const;

    const std::string& getName() const override;
    const std::string& getVersionString() const override;
    Version getFeatureLevel() const override;
    DeviceType getType() const override;
    const std::vector<Extension>& getSupportedExtensions() const override;
    const Capabilities& getCapabilities() const override;
    std::pair<uint32_t, uint32_t> getNumberOfCacheFilesNeeded() const override;
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
    // The device is given what resilient prepared models hold.
    GeneralResult<SharedBuffer> allocate(const BufferDesc& desc,
                                         const std::vector<SharedPreparedModel>& preparedModels,
                                         const std::vector<BufferRole>& inputRoles,
                                         const std::vector<BufferRole>& outputRoles) const override;

   private:
    std::shared_ptr<const Parts> mParts;
};

class ResilientPreparedModel final : public IPreparedModel {
   public:
    struct Parts;  // the library's own
    using Factory = std::function<GeneralResult<SharedPreparedModel>()>;

    // INVALID_ARGUMENT for an empty factory; what the factory fails with.
    static GeneralResult<std::shared_ptr<const ResilientPreparedModel>> create(
            Factory makePreparedModel, ResilientOptions options = {});

    explicit ResilientPreparedModel(std::shared_ptr<const Parts> parts)
        : mParts(std::move(parts)) {}

    SharedPreparedModel getPreparedModel() const;
    GeneralResult<SharedPreparedModel> recover(const IPreparedModel* failingPreparedModel) const;
    const Parts& parts() const { return *mParts; }

    // Requests may name resilient buffers; the prepared model is given what they hold.
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
    // Of the current prepared model.
    std::any getUnderlyingResource() const override;

   private:
    std::shared_ptr<const Parts> mParts;
};

class ResilientExecution final : public IExecution {
   public:
    struct Parts;  // the library's own
    using Factory = std::function<GeneralResult<SharedExecution>()>;

    // INVALID_ARGUMENT for an empty factory; what the factory fails with.
    static GeneralResult<std::shared_ptr<const ResilientExecution>> create(
            Factory makeExecution, ResilientOptions options = {});

    explicit ResilientExecution(std::shared_ptr<const Parts> parts) : mParts(std::move(parts)) {}

    SharedExecution getExecution() const;
    GeneralResult<SharedExecution> recover(const IExecution* failingExecution) const;

    ExecutionResult<Executed> compute(const OptionalTimePoint& deadline) const override;
    GeneralResult<ExecutedFenced> computeFenced(
            const std::vector<SyncFence>& waitFor, const OptionalTimePoint& deadline,
            const OptionalDuration& timeoutDurationAfterFence) const override;

   private:
    std::shared_ptr<const Parts> mParts;
};

class ResilientBurst final : public IBurst {
   public:
    struct Parts;  // the library's own
    using Factory = std::function<GeneralResult<SharedBurst>()>;

    // INVALID_ARGUMENT for an empty factory; what the factory fails with.
    static GeneralResult<std::shared_ptr<const ResilientBurst>> create(
            Factory makeBurst, ResilientOptions options = {});

    explicit ResilientBurst(std::shared_ptr<const Parts> parts) : mParts(std::move(parts)) {}

    SharedBurst getBurst() const;
    GeneralResult<SharedBurst> recover(const IBurst* failingBurst) const;

    // In the current burst; one that comes after it starts with an empty cache.
    OptionalCacheHold cacheMemory(const SharedMemory& memory) const override;
    ExecutionResult<Executed> execute(
            const Request& request, MeasureTiming measure, const OptionalTimePoint& deadline,
            const OptionalDuration& loopTimeoutDuration, const std::vector<TokenValuePair>& hints,
            const std::vector<ExtensionNameAndPrefix>& extensionNameToPrefix) const override;
    GeneralResult<SharedExecution> createReusableExecution(
            const Request& request, MeasureTiming measure,
            const OptionalDuration& loopTimeoutDuration, const std::vector<TokenValuePair>& hints,
            const std::vector<ExtensionNameAndPrefix>& extensionNameToPrefix) const override;

   private:
    std::shared_ptr<const Parts> mParts;
};

class ResilientBuffer final : public IBuffer {
   public:
    struct Parts;  // the library's own
    using Factory = std::function<GeneralResult<SharedBuffer>()>;

    // INVALID_ARGUMENT for an empty factory; what the factory fails with.
    static GeneralResult<std::shared_ptr<const ResilientBuffer>> create(
            Factory makeBuffer, ResilientOptions options = {});

    explicit ResilientBuffer(std::shared_ptr<const Parts> parts) : mParts(std::move(parts)) {}

    SharedBuffer getBuffer() const;
    GeneralResult<SharedBuffer> recover(const IBuffer* failingBuffer) const;
    const Parts& parts() const { return *mParts; }

    // Of the current buffer; where a ResilientDevice has allocated it, one that stays.
    Request::MemoryDomainToken getToken() const override;
    GeneralResult<void> copyTo(const SharedMemory& dst) const override;
    GeneralResult<void> copyFrom(const SharedMemory& src,
                                 const Dimensions& dimensions) const override;

   private:
    std::shared_ptr<const Parts> mParts;
};

}  // namespace nn::hal::utils
