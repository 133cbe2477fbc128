// nnapi/driver/forwarding.h -- Base classes of objects that wrap a driver's object and change part
// of its behavior.
//
//   // Another device, under another name, whose executions are counted.
//   class CountedPreparedModel final : public nn::ForwardingPreparedModel {
//      public:
//       using ForwardingPreparedModel::ForwardingPreparedModel;
//       nn::ExecutionResult<nn::Executed> execute(const nn::Request& request, ...) const override {
//           ++executions;
//           return ForwardingPreparedModel::execute(request, ...);
//       }
//       mutable std::atomic<int> executions = 0;
//   };
//   class CountedDevice final : public nn::ForwardingDevice {
//      public:
//       using ForwardingDevice::ForwardingDevice;
//       const std::string& getName() const override { return mName; }
//
//      protected:
//       nn::SharedPreparedModel wrapPreparedModel(nn::SharedPreparedModel made) const override {
//           return std::make_shared<const CountedPreparedModel>(std::move(made));
//       }
//       nn::SharedPreparedModel unwrapPreparedModel(nn::SharedPreparedModel given) const override {
//           return nn::innerOf<CountedPreparedModel>(std::move(given));
//       }
//   };
//
// Each class implements one interface (nnapi/driver/interfaces.h): every method calls the same
// method of the inner object with the same arguments, and returns its result, unless a subclass
// overrides it. Results are not checked, exceptions of the inner object propagate, and nothing is
// locked. Objects that an inner object creates pass through a hook (wrap...), so that a subclass
// can wrap them without overriding the methods that create them; null does not pass through the
// hook, and stays null.
//
// If a subclass overrides only execute(), executions and bursts still come from the inner prepared
// model and do not call the subclass: see nnapi/driver/default_prepared_model.h for a prepared
// model whose every path goes through execute().
//
// Inner objects must not be null. Thread-safe if the inner objects are.
#pragma once

#include <any>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "nnapi/driver/interfaces.h"

namespace nn {

// The inner object of a forwarding class and its accessor.
template <class Interface>
class Forwarding : public Interface {
   public:
    // Keeps the inner object, which must not be null.
    explicit Forwarding(std::shared_ptr<const Interface> inner) : mInner(std::move(inner)) {}

    // The inner object; valid as long as this one lives.
    const std::shared_ptr<const Interface>& inner() const { return mInner; }

   private:
    std::shared_ptr<const Interface> mInner;
};

// The inner object if the object is a Wrapper; otherwise the object itself.
template <class Wrapper, class Interface>
std::shared_ptr<const Interface> innerOf(std::shared_ptr<const Interface> object) {
    const auto* wrapper = dynamic_cast<const Wrapper*>(object.get());
    return wrapper == nullptr ? object : std::shared_ptr<const Interface>(wrapper->inner());
}

// A buffer with an inner buffer.
class ForwardingBuffer : public Forwarding<IBuffer> {
   public:
    using Forwarding::Forwarding;

    Request::MemoryDomainToken getToken() const override;
    GeneralResult<void> copyTo(const SharedMemory& dst) const override;
    GeneralResult<void> copyFrom(const SharedMemory& src,
                                 const Dimensions& dimensions) const override;
};

// A reusable execution with an inner one.
class ForwardingExecution : public Forwarding<IExecution> {
   public:
    using Forwarding::Forwarding;

    ExecutionResult<Executed> compute(const OptionalTimePoint& deadline) const override;
    GeneralResult<ExecutedFenced> computeFenced(
            const std::vector<SyncFence>& waitFor, const OptionalTimePoint& deadline,
            const OptionalDuration& timeoutDurationAfterFence) const override;
};

// A burst with an inner burst.
class ForwardingBurst : public Forwarding<IBurst> {
   public:
    using Forwarding::Forwarding;

    OptionalCacheHold cacheMemory(const SharedMemory& memory) const override;
    ExecutionResult<Executed> execute(
            const Request& request, MeasureTiming measure, const OptionalTimePoint& deadline,
            const OptionalDuration& loopTimeoutDuration, const std::vector<TokenValuePair>& hints,
            const std::vector<ExtensionNameAndPrefix>& extensionNameToPrefix) const override;
    GeneralResult<SharedExecution> createReusableExecution(
            const Request& request, MeasureTiming measure,
            const OptionalDuration& loopTimeoutDuration, const std::vector<TokenValuePair>& hints,
            const std::vector<ExtensionNameAndPrefix>& extensionNameToPrefix) const override;

   protected:
    // Returns the result of createReusableExecution, given the execution of the inner burst.
    virtual SharedExecution wrapExecution(SharedExecution made) const;
};

// A prepared model with an inner one.
class ForwardingPreparedModel : public Forwarding<IPreparedModel> {
   public:
    using Forwarding::Forwarding;

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
    std::any getUnderlyingResource() const override;

   protected:
    // Return the results of createReusableExecution and configureExecutionBurst, given the objects
    // of the inner prepared model.
    virtual SharedExecution wrapExecution(SharedExecution made) const;
    virtual SharedBurst wrapBurst(SharedBurst made) const;
};

// A device with an inner device.
class ForwardingDevice : public Forwarding<IDevice> {
   public:
    using Forwarding::Forwarding;

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
    GeneralResult<SharedBuffer> allocate(const BufferDesc& desc,
                                         const std::vector<SharedPreparedModel>& preparedModels,
                                         const std::vector<BufferRole>& inputRoles,
                                         const std::vector<BufferRole>& outputRoles) const override;

   protected:
    // Returns the result of prepareModel and prepareModelFromCache, given the prepared model of the
    // inner device.
    virtual SharedPreparedModel wrapPreparedModel(SharedPreparedModel made) const;
    // The reverse, for allocate: a device accepts only prepared models that it created. A class
    // that overrides wrapPreparedModel must override this too.
    virtual SharedPreparedModel unwrapPreparedModel(SharedPreparedModel given) const;
    // Returns the result of allocate, given the buffer of the inner device.
    virtual SharedBuffer wrapBuffer(SharedBuffer made) const;
};

}  // namespace nn
