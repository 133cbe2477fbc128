// nnapi/driver/resilient.h -- Devices that recover from the death of their driver.
//
//   using nn::hal::utils::ResilientDevice;
//   const auto connect = [](bool blocking) -> nn::GeneralResult<nn::SharedDevice> {
//       return blocking ? waitForDriver("npu") : findDriver("npu");
//   };
//   auto device = ResilientDevice::create(connect, {.wrapResults = true});
//   if (!device.has_value()) return device.status();
//   auto prepared = (*device)->prepareModel(model, ...);   // repeated if the driver dies
//
// Each object forwards to another one. Any result but DEAD_OBJECT is final. On DEAD_OBJECT the
// factory creates a new object and the call is repeated once, and the result of that is final. If
// there is no new object, the result stays DEAD_OBJECT, with the reason in its message. Work that
// was launched before a death and ends in a fence or a callback is not repeated.
//
// Threads that see the same death cause one call of the factory; the others wait for its result, at
// most until the deadline of their call and for ResilientOptions::recoveryTimeout. The factory is
// called without a lock and may use the object that it is to replace, which then returns
// DEAD_OBJECT. An exception of the factory is GENERAL_FAILURE with its text; so is null.
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

// Options of resilient objects.
struct ResilientOptions {
    // Makes returned objects resilient too, recreated from copies of their arguments:
    //       prepared models   are prepared again with the same model, preference, priority, cache,
    //                         token, hints and prefixes, and without a deadline, which belonged to
    //                         the first call. Memory is shared, data behind pointers is copied
    //                         once.
    //       buffers           are allocated again for the prepared models that still live, without
    //                         values. They keep their token, which requests may continue to use.
    //       bursts            are configured again, with an empty cache
    //       executions        are created again from their request, whose pointers stay the
    //       caller's
    // Without it, returned objects belong to the current device, and return DEAD_OBJECT once it
    // dies.
    bool wrapResults = false;

    // How long a thread waits for another thread's recovery; at most an hour.
    Duration recoveryTimeout = std::chrono::seconds(10);
};

// Name, version, extensions and capabilities are those of the first device. A device that comes
// back with different ones, or with another feature level, type or number of cache files, is
// rejected: an InvalidDevice (nnapi/driver/invalid.h) replaces it permanently. Models are then
// prepared as an InvalidPreparedModel, buffers allocated as an InvalidBuffer, and everything else
// fails.
class ResilientDevice final : public IDevice {
   public:
    struct Parts;  // the library's own

    // blocking: wait for a driver to appear. True for the first call and for wait().
    using Factory = std::function<GeneralResult<SharedDevice>(bool blocking)>;

    // INVALID_ARGUMENT for an empty factory; otherwise any error of the factory.
    static GeneralResult<std::shared_ptr<const ResilientDevice>> create(
            Factory makeDevice, ResilientOptions options = {});

    // For create(), which makes the parts.
    explicit ResilientDevice(std::shared_ptr<const Parts> parts) : mParts(std::move(parts)) {}

    // The current device.
    SharedDevice getDevice() const;

    // Replaces a failing device; returns the current one if it is already another.
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
    // Resilient prepared models are replaced by their current ones.
    GeneralResult<SharedBuffer> allocate(const BufferDesc& desc,
                                         const std::vector<SharedPreparedModel>& preparedModels,
                                         const std::vector<BufferRole>& inputRoles,
                                         const std::vector<BufferRole>& outputRoles) const override;

   private:
    std::shared_ptr<const Parts> mParts;
};

// A prepared model that is prepared again.
class ResilientPreparedModel final : public IPreparedModel {
   public:
    struct Parts;  // the library's own
    using Factory = std::function<GeneralResult<SharedPreparedModel>()>;

    // INVALID_ARGUMENT for an empty factory; otherwise any error of the factory.
    static GeneralResult<std::shared_ptr<const ResilientPreparedModel>> create(
            Factory makePreparedModel, ResilientOptions options = {});

    // For create(), which makes the parts.
    explicit ResilientPreparedModel(std::shared_ptr<const Parts> parts)
        : mParts(std::move(parts)) {}

    // The current prepared model.
    SharedPreparedModel getPreparedModel() const;
    // Replaces a failing one; returns the current one if it is already another.
    GeneralResult<SharedPreparedModel> recover(const IPreparedModel* failingPreparedModel) const;
    // For the library.
    const Parts& parts() const { return *mParts; }

    // Requests may name resilient buffers, which are replaced by their current ones.
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
    // The resource of the current prepared model.
    std::any getUnderlyingResource() const override;

   private:
    std::shared_ptr<const Parts> mParts;
};

// A reusable execution that is created again.
class ResilientExecution final : public IExecution {
   public:
    struct Parts;  // the library's own
    using Factory = std::function<GeneralResult<SharedExecution>()>;

    // INVALID_ARGUMENT for an empty factory; otherwise any error of the factory.
    static GeneralResult<std::shared_ptr<const ResilientExecution>> create(
            Factory makeExecution, ResilientOptions options = {});

    // For create(), which makes the parts.
    explicit ResilientExecution(std::shared_ptr<const Parts> parts) : mParts(std::move(parts)) {}

    // The current execution.
    SharedExecution getExecution() const;
    // Replaces a failing one; returns the current one if it is already another.
    GeneralResult<SharedExecution> recover(const IExecution* failingExecution) const;

    ExecutionResult<Executed> compute(const OptionalTimePoint& deadline) const override;
    GeneralResult<ExecutedFenced> computeFenced(
            const std::vector<SyncFence>& waitFor, const OptionalTimePoint& deadline,
            const OptionalDuration& timeoutDurationAfterFence) const override;

   private:
    std::shared_ptr<const Parts> mParts;
};

// A burst that is configured again.
class ResilientBurst final : public IBurst {
   public:
    struct Parts;  // the library's own
    using Factory = std::function<GeneralResult<SharedBurst>()>;

    // INVALID_ARGUMENT for an empty factory; otherwise any error of the factory.
    static GeneralResult<std::shared_ptr<const ResilientBurst>> create(
            Factory makeBurst, ResilientOptions options = {});

    // For create(), which makes the parts.
    explicit ResilientBurst(std::shared_ptr<const Parts> parts) : mParts(std::move(parts)) {}

    // The current burst.
    SharedBurst getBurst() const;
    // Replaces a failing one; returns the current one if it is already another.
    GeneralResult<SharedBurst> recover(const IBurst* failingBurst) const;

    // Caches in the current burst; its successor starts with an empty cache.
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

// A buffer that is allocated again.
class ResilientBuffer final : public IBuffer {
   public:
    struct Parts;  // the library's own
    using Factory = std::function<GeneralResult<SharedBuffer>()>;

    // INVALID_ARGUMENT for an empty factory; otherwise any error of the factory.
    static GeneralResult<std::shared_ptr<const ResilientBuffer>> create(
            Factory makeBuffer, ResilientOptions options = {});

    // For create(), which makes the parts.
    explicit ResilientBuffer(std::shared_ptr<const Parts> parts) : mParts(std::move(parts)) {}

    // The current buffer.
    SharedBuffer getBuffer() const;
    // Replaces a failing one, without its value; returns the current one if it is already another.
    GeneralResult<SharedBuffer> recover(const IBuffer* failingBuffer) const;
    // For the library.
    const Parts& parts() const { return *mParts; }

    // The token of the current buffer; constant for a buffer that a ResilientDevice allocated.
    Request::MemoryDomainToken getToken() const override;
    GeneralResult<void> copyTo(const SharedMemory& dst) const override;
    GeneralResult<void> copyFrom(const SharedMemory& src,
                                 const Dimensions& dimensions) const override;

   private:
    std::shared_ptr<const Parts> mParts;
};

}  // namespace nn::hal::utils
