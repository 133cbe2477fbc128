// A device whose calls are slices.
#include <utility>

#include "nnapi/driver/trace.h"

namespace nn {
namespace {

// What the objects of one device share.
struct Tracing {
    SharedTrace trace;
    TraceLayer layer;
    std::string device;  // its name

    // The slice of a call, "npu execute".
    class Slice {
       public:
        Slice(const Tracing& tracing, TracePhase phase, std::string_view call)
            : mDetail(tracing.trace->isOn() ? tracing.device + " " + std::string(call) : ""),
              mScope(tracing.trace.get(), tracing.layer, phase, mDetail) {}

       private:
        std::string mDetail;
        TraceScope mScope;
    };
};
using SharedTracing = std::shared_ptr<const Tracing>;
using Slice = Tracing::Slice;

class TracedBuffer final : public IBuffer {
   public:
    TracedBuffer(SharedTracing tracing, SharedBuffer buffer)
        : mTracing(std::move(tracing)), mBuffer(std::move(buffer)) {}
    const SharedBuffer& buffer() const { return mBuffer; }

    Request::MemoryDomainToken getToken() const override { return mBuffer->getToken(); }
    GeneralResult<void> copyTo(const SharedMemory& dst) const override {
        const Slice slice(*mTracing, TracePhase::INPUTS_AND_OUTPUTS, "copyTo");
        return mBuffer->copyTo(dst);
    }
    GeneralResult<void> copyFrom(const SharedMemory& src,
                                 const Dimensions& dimensions) const override {
        const Slice slice(*mTracing, TracePhase::INPUTS_AND_OUTPUTS, "copyFrom");
        return mBuffer->copyFrom(src, dimensions);
    }

   private:
    SharedTracing mTracing;
    SharedBuffer mBuffer;
};

// A request as the device gets it: with its own buffers. Refers to the caller's where there are
// none of ours.
class OwnRequest {
   public:
    explicit OwnRequest(const Request& request) : mRequest(&request) {
        for (size_t i = 0; i < request.pools.size(); ++i) {
            const auto* buffer = std::get_if<SharedBuffer>(&request.pools[i]);
            if (buffer == nullptr) continue;
            const auto* ours = dynamic_cast<const TracedBuffer*>(buffer->get());
            if (ours == nullptr) continue;
            if (mRequest == &request) {
                mChanged = request;
                mRequest = &mChanged;
            }
            mChanged.pools[i] = ours->buffer();
        }
    }
    OwnRequest(const OwnRequest&) = delete;
    OwnRequest& operator=(const OwnRequest&) = delete;
    const Request& operator*() const { return *mRequest; }

   private:
    Request mChanged{};
    const Request* mRequest;
};

class TracedExecution final : public IExecution {
   public:
    TracedExecution(SharedTracing tracing, SharedExecution execution)
        : mTracing(std::move(tracing)), mExecution(std::move(execution)) {}

    ExecutionResult<Executed> compute(const OptionalTimePoint& deadline) const override {
        const Slice slice(*mTracing, TracePhase::EXECUTION, "compute");
        return mExecution->compute(deadline);
    }
    GeneralResult<ExecutedFenced> computeFenced(
            const std::vector<SyncFence>& waitFor, const OptionalTimePoint& deadline,
            const OptionalDuration& timeoutDurationAfterFence) const override {
        const Slice slice(*mTracing, TracePhase::EXECUTION, "computeFenced");
        return mExecution->computeFenced(waitFor, deadline, timeoutDurationAfterFence);
    }

   private:
    SharedTracing mTracing;
    SharedExecution mExecution;
};

// What a device answers, as ours; null stays null.
template <class Ours, class I>
GeneralResult<std::shared_ptr<const I>> wrapped(const SharedTracing& tracing,
                                                GeneralResult<std::shared_ptr<const I>> answer) {
    if (!answer.has_value() || *answer == nullptr) return answer;
    return std::shared_ptr<const I>(std::make_shared<const Ours>(tracing, *std::move(answer)));
}

class TracedBurst final : public IBurst {
   public:
    TracedBurst(SharedTracing tracing, SharedBurst burst)
        : mTracing(std::move(tracing)), mBurst(std::move(burst)) {}

    OptionalCacheHold cacheMemory(const SharedMemory& memory) const override {
        const Slice slice(*mTracing, TracePhase::INPUTS_AND_OUTPUTS, "burst cacheMemory");
        return mBurst->cacheMemory(memory);
    }
    ExecutionResult<Executed> execute(
            const Request& request, MeasureTiming measure, const OptionalTimePoint& deadline,
            const OptionalDuration& loopTimeoutDuration, const std::vector<TokenValuePair>& hints,
            const std::vector<ExtensionNameAndPrefix>& extensionNameToPrefix) const override {
        const Slice slice(*mTracing, TracePhase::EXECUTION, "burst execute");
        const OwnRequest own(request);
        return mBurst->execute(*own, measure, deadline, loopTimeoutDuration, hints,
                               extensionNameToPrefix);
    }
    GeneralResult<SharedExecution> createReusableExecution(
            const Request& request, MeasureTiming measure,
            const OptionalDuration& loopTimeoutDuration, const std::vector<TokenValuePair>& hints,
            const std::vector<ExtensionNameAndPrefix>& extensionNameToPrefix) const override {
        const Slice slice(*mTracing, TracePhase::EXECUTION, "burst createReusableExecution");
        const OwnRequest own(request);
        return wrapped<TracedExecution>(
                mTracing, mBurst->createReusableExecution(*own, measure, loopTimeoutDuration, hints,
                                                          extensionNameToPrefix));
    }

   private:
    SharedTracing mTracing;
    SharedBurst mBurst;
};

class TracedPreparedModel final : public IPreparedModel {
   public:
    TracedPreparedModel(SharedTracing tracing, SharedPreparedModel preparedModel)
        : mTracing(std::move(tracing)), mPreparedModel(std::move(preparedModel)) {}
    const SharedPreparedModel& preparedModel() const { return mPreparedModel; }

    ExecutionResult<Executed> execute(
            const Request& request, MeasureTiming measure, const OptionalTimePoint& deadline,
            const OptionalDuration& loopTimeoutDuration, const std::vector<TokenValuePair>& hints,
            const std::vector<ExtensionNameAndPrefix>& extensionNameToPrefix) const override {
        const Slice slice(*mTracing, TracePhase::EXECUTION, "execute");
        const OwnRequest own(request);
        return mPreparedModel->execute(*own, measure, deadline, loopTimeoutDuration, hints,
                                       extensionNameToPrefix);
    }
    GeneralResult<ExecutedFenced> executeFenced(
            const Request& request, const std::vector<SyncFence>& waitFor, MeasureTiming measure,
            const OptionalTimePoint& deadline, const OptionalDuration& loopTimeoutDuration,
            const OptionalDuration& timeoutDurationAfterFence,
            const std::vector<TokenValuePair>& hints,
            const std::vector<ExtensionNameAndPrefix>& extensionNameToPrefix) const override {
        const Slice slice(*mTracing, TracePhase::EXECUTION, "executeFenced");
        const OwnRequest own(request);
        return mPreparedModel->executeFenced(*own, waitFor, measure, deadline, loopTimeoutDuration,
                                             timeoutDurationAfterFence, hints,
                                             extensionNameToPrefix);
    }
    GeneralResult<SharedExecution> createReusableExecution(
            const Request& request, MeasureTiming measure,
            const OptionalDuration& loopTimeoutDuration, const std::vector<TokenValuePair>& hints,
            const std::vector<ExtensionNameAndPrefix>& extensionNameToPrefix) const override {
        const Slice slice(*mTracing, TracePhase::EXECUTION, "createReusableExecution");
        const OwnRequest own(request);
        return wrapped<TracedExecution>(mTracing, mPreparedModel->createReusableExecution(
                                                          *own, measure, loopTimeoutDuration, hints,
                                                          extensionNameToPrefix));
    }
    GeneralResult<SharedBurst> configureExecutionBurst() const override {
        const Slice slice(*mTracing, TracePhase::EXECUTION, "configureExecutionBurst");
        return wrapped<TracedBurst>(mTracing, mPreparedModel->configureExecutionBurst());
    }
    std::any getUnderlyingResource() const override {
        return mPreparedModel->getUnderlyingResource();
    }

   private:
    SharedTracing mTracing;
    SharedPreparedModel mPreparedModel;
};

class TracedDevice final : public IDevice {
   public:
    TracedDevice(SharedTracing tracing, SharedDevice device)
        : mTracing(std::move(tracing)), mDevice(std::move(device)) {}

    const std::string& getName() const override { return mDevice->getName(); }
    const std::string& getVersionString() const override { return mDevice->getVersionString(); }
    Version getFeatureLevel() const override { return mDevice->getFeatureLevel(); }
    DeviceType getType() const override { return mDevice->getType(); }
    const std::vector<Extension>& getSupportedExtensions() const override {
        return mDevice->getSupportedExtensions();
    }
    const Capabilities& getCapabilities() const override { return mDevice->getCapabilities(); }
    std::pair<uint32_t, uint32_t> getNumberOfCacheFilesNeeded() const override {
        return mDevice->getNumberOfCacheFilesNeeded();
    }
    GeneralResult<void> wait() const override {
        const Slice slice(*mTracing, TracePhase::INITIALIZATION, "wait");
        return mDevice->wait();
    }
    GeneralResult<std::vector<bool>> getSupportedOperations(const Model& model) const override {
        const Slice slice(*mTracing, TracePhase::COMPILATION, "getSupportedOperations");
        return mDevice->getSupportedOperations(model);
    }
    GeneralResult<SharedPreparedModel> prepareModel(
            const Model& model, ExecutionPreference preference, Priority priority,
            OptionalTimePoint deadline, const std::vector<SharedHandle>& modelCache,
            const std::vector<SharedHandle>& dataCache, const CacheToken& token,
            const std::vector<TokenValuePair>& hints,
            const std::vector<ExtensionNameAndPrefix>& extensionNameToPrefix) const override {
        const Slice slice(*mTracing, TracePhase::COMPILATION, "prepareModel");
        return wrapped<TracedPreparedModel>(
                mTracing, mDevice->prepareModel(model, preference, priority, deadline, modelCache,
                                                dataCache, token, hints, extensionNameToPrefix));
    }
    GeneralResult<SharedPreparedModel> prepareModelFromCache(
            OptionalTimePoint deadline, const std::vector<SharedHandle>& modelCache,
            const std::vector<SharedHandle>& dataCache, const CacheToken& token) const override {
        const Slice slice(*mTracing, TracePhase::COMPILATION, "prepareModelFromCache");
        return wrapped<TracedPreparedModel>(
                mTracing, mDevice->prepareModelFromCache(deadline, modelCache, dataCache, token));
    }
    GeneralResult<SharedBuffer> allocate(
            const BufferDesc& desc, const std::vector<SharedPreparedModel>& preparedModels,
            const std::vector<BufferRole>& inputRoles,
            const std::vector<BufferRole>& outputRoles) const override {
        const Slice slice(*mTracing, TracePhase::COMPILATION, "allocate");
        std::vector<SharedPreparedModel> own = preparedModels;
        for (SharedPreparedModel& preparedModel : own) {
            const auto* ours = dynamic_cast<const TracedPreparedModel*>(preparedModel.get());
            if (ours != nullptr) preparedModel = SharedPreparedModel(ours->preparedModel());
        }
        return wrapped<TracedBuffer>(mTracing,
                                     mDevice->allocate(desc, own, inputRoles, outputRoles));
    }

   private:
    SharedTracing mTracing;
    SharedDevice mDevice;
};

}  // namespace

SharedDevice traced(SharedDevice device, SharedTrace trace, TraceLayer layer) {
    if (device == nullptr || trace == nullptr) return device;
    auto tracing =
            std::make_shared<const Tracing>(Tracing{std::move(trace), layer, device->getName()});
    return std::make_shared<const TracedDevice>(std::move(tracing), std::move(device));
}

}  // namespace nn
