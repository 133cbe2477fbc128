// nnapi/driver/interfaces.h -- Canonical driver interfaces, independent of the HAL version.
//
//   nn::SharedDevice device = nn::referenceDevice();   // nnapi/driver/reference.h
//   nn::GeneralResult<nn::SharedPreparedModel> prepared =
//           device->prepareModel(model, nn::ExecutionPreference::DEFAULT, nn::Priority::DEFAULT,
//                                {}, {}, {}, {}, {}, {});
//   if (!prepared.has_value()) return prepared.status();
//   auto executed = (*prepared)->execute(request, nn::MeasureTiming::NO, {}, {}, {}, {});
//
// Every method is const and may be called by any number of threads at once. Objects are shared and
// release their resources with the last reference. References returned by getters stay valid and
// equal as long as the object lives. Durations count from boot and include suspends (nn::Clock).
// Methods, arguments and their order are those of Android's canonical driver interfaces; the
// semantics are those of IDevice.hal, IPreparedModel.hal and IBuffer.hal of HAL 1.3 and of AIDL 4.
// docs/device_rules.md numbers the rules for implementations.
#pragma once

#include <any>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "nnapi/driver/result.h"
#include "nnapi/types.h"

namespace nn {

class IBurst;
class IDevice;
class IExecution;
class IPreparedModel;

// Objects are shared, and constant: their methods are thread-safe.
using SharedBurst = std::shared_ptr<const IBurst>;
using SharedDevice = std::shared_ptr<const IDevice>;
using SharedExecution = std::shared_ptr<const IExecution>;
using SharedPreparedModel = std::shared_ptr<const IPreparedModel>;

// Times of a fenced execution, measured from its launch and from the moment its fences were
// signaled.
using FencedTimings = std::pair<Timing, Timing>;

// Returns them. GENERAL_FAILURE before the execution has ended; the execution's code if it failed.
using ExecuteFencedInfoCallback = std::function<GeneralResult<FencedTimings>()>;

// A fence that is signaled when the execution has ended (without a descriptor if it already has),
// and its information.
using ExecutedFenced = std::pair<SyncFence, ExecuteFencedInfoCallback>;

// An accelerator, or anything else that executes models.
class IDevice {
   public:
    virtual ~IDevice() = default;

    // As clients know the device: registries list and open it by this name.
    virtual const std::string& getName() const = 0;
    // Never empty; differs for each version of the driver.
    virtual const std::string& getVersionString() const = 0;
    // The newest version whose models the device accepts.
    virtual Version getFeatureLevel() const = 0;

    // OTHER for a driver of HAL 1.0 or 1.1, which has no types.
    virtual DeviceType getType() const = 0;

    // Each name once. A model may use other extensions; their operations are not supported.
    virtual const std::vector<Extension>& getSupportedExtensions() const = 0;

    // Performance as the vendor declares it, relative to the CPU of the same machine.
    virtual const Capabilities& getCapabilities() const = 0;

    // Numbers of model and data cache files, each at most kMaxNumberOfCacheFiles; (0, 0) for a
    // device without caching.
    virtual std::pair<uint32_t, uint32_t> getNumberOfCacheFilesNeeded() const = 0;

    // Blocks until the device can be used again, or fails.
    virtual GeneralResult<void> wait() const = 0;

    // One entry for each operation of the main graph, in their order. INVALID_ARGUMENT for an
    // illegal model.
    virtual GeneralResult<std::vector<bool>> getSupportedOperations(const Model& model) const = 0;

    // Prepares a model. INVALID_ARGUMENT for an illegal model or argument; a broken cache never
    // fails the call.
    //     deadline    MISSED_DEADLINE_* if the model is not prepared by then
    //     modelCache, dataCache
    //                 both empty, or as many as getNumberOfCacheFilesNeeded() returns, open for
    //                 reading and writing
    //     token       identifies the model in the cache; ignored without cache files
    //     hints, extensionNameToPrefix
    //                 vendor hints, and the prefixes of their tokens
    virtual GeneralResult<SharedPreparedModel> prepareModel(
            const Model& model, ExecutionPreference preference, Priority priority,
            OptionalTimePoint deadline, const std::vector<SharedHandle>& modelCache,
            const std::vector<SharedHandle>& dataCache, const CacheToken& token,
            const std::vector<TokenValuePair>& hints,
            const std::vector<ExtensionNameAndPrefix>& extensionNameToPrefix) const = 0;

    // Prepares a model from cache files, without the model. INVALID_ARGUMENT or GENERAL_FAILURE if
    // this device did not write the files; GENERAL_FAILURE for a device without caching.
    virtual GeneralResult<SharedPreparedModel> prepareModelFromCache(
            OptionalTimePoint deadline, const std::vector<SharedHandle>& modelCache,
            const std::vector<SharedHandle>& dataCache, const CacheToken& token) const = 0;

    // Allocates memory of the device for inputs and outputs with these roles. `desc` may leave
    // dimensions unknown that the roles determine. The token of the buffer is not 0 and unique
    // among the living buffers of the device.
    virtual GeneralResult<SharedBuffer> allocate(
            const BufferDesc& desc, const std::vector<SharedPreparedModel>& preparedModels,
            const std::vector<BufferRole>& inputRoles,
            const std::vector<BufferRole>& outputRoles) const = 0;

   protected:
    IDevice() = default;
    IDevice(const IDevice&) = default;
    IDevice(IDevice&&) noexcept = default;
    IDevice& operator=(const IDevice&) = default;
    IDevice& operator=(IDevice&&) noexcept = default;
};

// A model that a device has compiled.
class IPreparedModel {
   public:
    virtual ~IPreparedModel() = default;

    // Executes synchronously. Inputs are not modified; outputs are unspecified after a failure.
    // OUTPUT_INSUFFICIENT_SIZE has the shapes of all outputs.
    //     deadline              MISSED_DEADLINE_* if the execution does not end by then
    //     loopTimeoutDuration   for each WHILE; kLoopTimeoutDefault without a value
    virtual ExecutionResult<Executed> execute(
            const Request& request, MeasureTiming measure, const OptionalTimePoint& deadline,
            const OptionalDuration& loopTimeoutDuration, const std::vector<TokenValuePair>& hints,
            const std::vector<ExtensionNameAndPrefix>& extensionNameToPrefix) const = 0;

    // Executes once all fences are signaled. INVALID_ARGUMENT if model and request do not
    // determine the size of all outputs, or if a size is 0. May block for the fences in order to
    // copy inputs.
    //     deadline, timeoutDurationAfterFence
    //                 the earlier of both applies; the timeout starts when all fences are signaled
    virtual GeneralResult<ExecutedFenced> executeFenced(
            const Request& request, const std::vector<SyncFence>& waitFor, MeasureTiming measure,
            const OptionalTimePoint& deadline, const OptionalDuration& loopTimeoutDuration,
            const OptionalDuration& timeoutDurationAfterFence,
            const std::vector<TokenValuePair>& hints,
            const std::vector<ExtensionNameAndPrefix>& extensionNameToPrefix) const = 0;

    // Validates a request once, so that it can be executed repeatedly.
    virtual GeneralResult<SharedExecution> createReusableExecution(
            const Request& request, MeasureTiming measure,
            const OptionalDuration& loopTimeoutDuration, const std::vector<TokenValuePair>& hints,
            const std::vector<ExtensionNameAndPrefix>& extensionNameToPrefix) const = 0;

    // Creates an object for a sequence of executions with low overhead.
    virtual GeneralResult<SharedBurst> configureExecutionBurst() const = 0;

    // The wrapped object, or nothing. Used only by allocate() of the same kind of device.
    virtual std::any getUnderlyingResource() const = 0;

   protected:
    IPreparedModel() = default;
    IPreparedModel(const IPreparedModel&) = default;
    IPreparedModel(IPreparedModel&&) noexcept = default;
    IPreparedModel& operator=(const IPreparedModel&) = default;
    IPreparedModel& operator=(IPreparedModel&&) noexcept = default;
};

// A request that can be executed repeatedly, each time with the current contents of its inputs.
class IExecution {
   public:
    virtual ~IExecution() = default;

    // As IPreparedModel::execute.
    virtual ExecutionResult<Executed> compute(const OptionalTimePoint& deadline) const = 0;

    // As IPreparedModel::executeFenced; GENERAL_FAILURE for an execution created by a burst.
    virtual GeneralResult<ExecutedFenced> computeFenced(
            const std::vector<SyncFence>& waitFor, const OptionalTimePoint& deadline,
            const OptionalDuration& timeoutDurationAfterFence) const = 0;

   protected:
    IExecution() = default;
    IExecution(const IExecution&) = default;
    IExecution(IExecution&&) noexcept = default;
    IExecution& operator=(const IExecution&) = default;
    IExecution& operator=(IExecution&&) noexcept = default;
};

// A sequence of executions with low overhead. One at a time: a second concurrent one fails.
class IBurst {
   public:
    // Keeps a memory in the burst's cache until the last copy is destroyed.
    class CacheHold {
       public:
        // `release` is called once, on the thread that destroys the last copy; it may be empty.
        explicit CacheHold(std::function<void()> release) : mRelease(std::move(release)) {}
        CacheHold(const CacheHold&) = delete;
        CacheHold& operator=(const CacheHold&) = delete;
        ~CacheHold() {
            if (mRelease) mRelease();
        }

       private:
        std::function<void()> mRelease;
    };
    // Null if nothing is cached.
    using OptionalCacheHold = std::shared_ptr<const CacheHold>;

    virtual ~IBurst() = default;

    // Caches a memory; null for a burst without a cache.
    virtual OptionalCacheHold cacheMemory(const SharedMemory& memory) const = 0;

    // As IPreparedModel::execute; fails while another execution of the burst runs.
    virtual ExecutionResult<Executed> execute(
            const Request& request, MeasureTiming measure, const OptionalTimePoint& deadline,
            const OptionalDuration& loopTimeoutDuration, const std::vector<TokenValuePair>& hints,
            const std::vector<ExtensionNameAndPrefix>& extensionNameToPrefix) const = 0;

    // As IPreparedModel::createReusableExecution; its executions are those of the burst, and none
    // of them is fenced.
    virtual GeneralResult<SharedExecution> createReusableExecution(
            const Request& request, MeasureTiming measure,
            const OptionalDuration& loopTimeoutDuration, const std::vector<TokenValuePair>& hints,
            const std::vector<ExtensionNameAndPrefix>& extensionNameToPrefix) const = 0;

   protected:
    IBurst() = default;
    IBurst(const IBurst&) = default;
    IBurst(IBurst&&) noexcept = default;
    IBurst& operator=(const IBurst&) = default;
    IBurst& operator=(IBurst&&) noexcept = default;
};

// Memory of a device. Requests refer to it by its token.
class IBuffer {
   public:
    virtual ~IBuffer() = default;

    // Not 0, and unique among the living buffers of the device.
    virtual Request::MemoryDomainToken getToken() const = 0;
    // Copies the buffer's value; fails for a buffer without one, and for memory of another size.
    virtual GeneralResult<void> copyTo(const SharedMemory& dst) const = 0;
    // Sets the buffer's value. `dimensions` are those of the value, all known; empty: those of the
    // buffer.
    virtual GeneralResult<void> copyFrom(const SharedMemory& src,
                                         const Dimensions& dimensions) const = 0;

   protected:
    IBuffer() = default;
    IBuffer(const IBuffer&) = default;
    IBuffer(IBuffer&&) noexcept = default;
    IBuffer& operator=(const IBuffer&) = default;
    IBuffer& operator=(IBuffer&&) noexcept = default;
};

}  // namespace nn
