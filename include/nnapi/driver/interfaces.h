// nnapi/driver/interfaces.h -- what a device is, whatever version of the HAL it speaks.
//
//   nn::SharedDevice device = nn::referenceDevice("nnapi-reference");   // nnapi/driver/reference.h
//   nn::GeneralResult<nn::SharedPreparedModel> prepared =
//           device->prepareModel(model, nn::ExecutionPreference::DEFAULT, nn::Priority::DEFAULT,
//                                {}, {}, {}, {}, {}, {});
//   if (!prepared.has_value()) return prepared.status();
//   auto executed = (*prepared)->execute(request, nn::MeasureTiming::NO, {}, {}, {}, {});
//
// Every method is const and may be called by any number of threads at once; objects are shared and
// free what they hold with the last reference. References that getters return are valid, and what
// they show stays equal, as long as the object lives. Durations count from boot and through
// suspends (nn::Clock). The methods, their arguments and their order are those that Android's
// canonical driver interfaces have.
#pragma once

#include <any>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "nnapi/answers.h"
#include "nnapi/driver/result.h"
#include "nnapi/types.h"

namespace nn {

class IBurst;
class IDevice;
class IExecution;
class IPreparedModel;

using SharedBurst = std::shared_ptr<const IBurst>;
using SharedDevice = std::shared_ptr<const IDevice>;
using SharedExecution = std::shared_ptr<const IExecution>;
using SharedPreparedModel = std::shared_ptr<const IPreparedModel>;

// The timing of a fenced execution, from its launch and from the moment when its fences were
// signalled. GENERAL_FAILURE until it has ended; the code of the execution where that failed.
using ExecuteFencedInfoCallback = std::function<GeneralResult<std::pair<Timing, Timing>>()>;

// A fence that is signalled when the execution has ended, without a descriptor where it has.
using ExecutedFenced = std::pair<SyncFence, ExecuteFencedInfoCallback>;

class IDevice {
   public:
    virtual ~IDevice() = default;

    virtual const std::string& getName() const = 0;
    // Never empty.
    virtual const std::string& getVersionString() const = 0;
    virtual Version getFeatureLevel() const = 0;
    virtual DeviceType getType() const = 0;
    virtual const std::vector<Extension>& getSupportedExtensions() const = 0;
    virtual const Capabilities& getCapabilities() const = 0;
    // Of models and of data, each at most kMaxNumberOfCacheFiles; (0, 0) for no caching.
    virtual std::pair<uint32_t, uint32_t> getNumberOfCacheFilesNeeded() const = 0;

    // Returns when the device can be used again, or fails.
    virtual GeneralResult<void> wait() const = 0;

    // One answer for each operation of the main graph, in their order. INVALID_ARGUMENT for a model
    // that is not legal.
    virtual GeneralResult<std::vector<bool>> getSupportedOperations(const Model& model) const = 0;

    // INVALID_ARGUMENT for a model or other arguments that are not legal; what is wrong with the
    // cache never makes it fail.
    //   deadline    MISSED_DEADLINE_* where the model is not prepared by then
    //   modelCache, dataCache
    //               both empty, or as many as getNumberOfCacheFilesNeeded() says, for reading and
    //               writing
    //   token       of the model in the cache; of no meaning without cache files
    virtual GeneralResult<SharedPreparedModel> prepareModel(
            const Model& model, ExecutionPreference preference, Priority priority,
            OptionalTimePoint deadline, const std::vector<SharedHandle>& modelCache,
            const std::vector<SharedHandle>& dataCache, const CacheToken& token,
            const std::vector<TokenValuePair>& hints,
            const std::vector<ExtensionNameAndPrefix>& extensionNameToPrefix) const = 0;

    // INVALID_ARGUMENT or GENERAL_FAILURE where the cache does not hold what the device has
    // written; GENERAL_FAILURE for a device without caching.
    virtual GeneralResult<SharedPreparedModel> prepareModelFromCache(
            OptionalTimePoint deadline, const std::vector<SharedHandle>& modelCache,
            const std::vector<SharedHandle>& dataCache, const CacheToken& token) const = 0;

    // A buffer in the device's own memory, for the inputs and outputs that have these roles in
    // these prepared models. Its token is not 0, and no other living buffer of the device has it.
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

class IPreparedModel {
   public:
    virtual ~IPreparedModel() = default;

    // Executes, and returns when that is done. Inputs are not written; outputs have no particular
    // value after a failure.
    //   deadline              MISSED_DEADLINE_* where it is not done by then
    //   loopTimeoutDuration   for each WHILE; kLoopTimeoutDefault without a value
    virtual ExecutionResult<Executed> execute(
            const Request& request, MeasureTiming measure, const OptionalTimePoint& deadline,
            const OptionalDuration& loopTimeoutDuration, const std::vector<TokenValuePair>& hints,
            const std::vector<ExtensionNameAndPrefix>& extensionNameToPrefix) const = 0;

    // Executes when all fences are signalled. INVALID_ARGUMENT where model and request do not say
    // the size of all outputs, and 0 is none. To copy inputs it may wait for the fences itself.
    //   deadline, timeoutDurationAfterFence
    //               the earlier of both, the second from the moment when all fences are signalled
    virtual GeneralResult<ExecutedFenced> executeFenced(
            const Request& request, const std::vector<SyncFence>& waitFor, MeasureTiming measure,
            const OptionalTimePoint& deadline, const OptionalDuration& loopTimeoutDuration,
            const OptionalDuration& timeoutDurationAfterFence,
            const std::vector<TokenValuePair>& hints,
            const std::vector<ExtensionNameAndPrefix>& extensionNameToPrefix) const = 0;

    // Checks a request once, to compute it any number of times.
    virtual GeneralResult<SharedExecution> createReusableExecution(
            const Request& request, MeasureTiming measure,
            const OptionalDuration& loopTimeoutDuration, const std::vector<TokenValuePair>& hints,
            const std::vector<ExtensionNameAndPrefix>& extensionNameToPrefix) const = 0;

    virtual GeneralResult<SharedBurst> configureExecutionBurst() const = 0;

    // What this wraps, or nothing; for the allocate() of the same kind of device alone.
    virtual std::any getUnderlyingResource() const = 0;

   protected:
    IPreparedModel() = default;
    IPreparedModel(const IPreparedModel&) = default;
    IPreparedModel(IPreparedModel&&) noexcept = default;
    IPreparedModel& operator=(const IPreparedModel&) = default;
    IPreparedModel& operator=(IPreparedModel&&) noexcept = default;
};

// A request that is computed again and again, with what its inputs hold then.
class IExecution {
   public:
    virtual ~IExecution() = default;

    // As IPreparedModel::execute.
    virtual ExecutionResult<Executed> compute(const OptionalTimePoint& deadline) const = 0;

    // As IPreparedModel::executeFenced; GENERAL_FAILURE for an execution that a burst has made.
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

// Executions one after the other, by a shorter way. One at a time: another meanwhile fails.
class IBurst {
   public:
    // Keeps a memory in the burst's cache until the last copy is gone.
    class CacheHold {
       public:
        explicit CacheHold(std::function<void()> release) : mRelease(std::move(release)) {}
        CacheHold(const CacheHold&) = delete;
        CacheHold& operator=(const CacheHold&) = delete;
        ~CacheHold() {
            if (mRelease) mRelease();
        }

       private:
        std::function<void()> mRelease;
    };
    using OptionalCacheHold = std::shared_ptr<const CacheHold>;

    virtual ~IBurst() = default;

    // Null for a burst without a cache.
    virtual OptionalCacheHold cacheMemory(const SharedMemory& memory) const = 0;

    virtual ExecutionResult<Executed> execute(
            const Request& request, MeasureTiming measure, const OptionalTimePoint& deadline,
            const OptionalDuration& loopTimeoutDuration, const std::vector<TokenValuePair>& hints,
            const std::vector<ExtensionNameAndPrefix>& extensionNameToPrefix) const = 0;

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

// Memory of a device that requests name by a token.
class IBuffer {
   public:
    virtual ~IBuffer() = default;

    virtual Request::MemoryDomainToken getToken() const = 0;
    virtual GeneralResult<void> copyTo(const SharedMemory& dst) const = 0;
    // The dimensions are those of the values, all known, or empty for those of the buffer.
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
