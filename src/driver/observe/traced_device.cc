// A device whose calls are slices.
#include <utility>

#include "driver/memory/call_objects.h"
#include "nnapi/driver/forwarding.h"
#include "nnapi/driver/trace.h"

namespace nn {
namespace {

using driver::ExecutionCall;

// State that the objects of one device share.
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

// An object whose calls are slices of one device.
template <class Base, class Object>
class Traced : public Base {
   public:
    Traced(SharedTracing tracing, Object inner)
        : Base(std::move(inner)), mTracing(std::move(tracing)) {}

   protected:
    Slice slice(TracePhase phase, std::string_view call) const {
        return Slice(*mTracing, phase, call);
    }
    template <class Wrapper, class Made>
    auto traced(Made made) const {
        return std::make_shared<const Wrapper>(mTracing, std::move(made));
    }

   private:
    SharedTracing mTracing;
};

class TracedBuffer final : public Traced<ForwardingBuffer, SharedBuffer> {
   public:
    using Traced::Traced;

    GeneralResult<void> copyTo(const SharedMemory& dst) const override {
        const Slice copying = slice(TracePhase::INPUTS_AND_OUTPUTS, "copyTo");
        return ForwardingBuffer::copyTo(dst);
    }
    GeneralResult<void> copyFrom(const SharedMemory& src,
                                 const Dimensions& dimensions) const override {
        const Slice copying = slice(TracePhase::INPUTS_AND_OUTPUTS, "copyFrom");
        return ForwardingBuffer::copyFrom(src, dimensions);
    }
};

// The request for the inner device, with the inner device's buffers. Refers to the caller's request
// if that names no wrapped buffers.
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
            mChanged.pools[i] = ours->inner();
        }
    }
    OwnRequest(const OwnRequest&) = delete;
    OwnRequest& operator=(const OwnRequest&) = delete;
    const Request& operator*() const { return *mRequest; }

   private:
    Request mChanged{};
    const Request* mRequest;
};

class TracedExecution final : public Traced<ForwardingExecution, SharedExecution> {
   public:
    using Traced::Traced;

    ExecutionResult<Executed> compute(const OptionalTimePoint& deadline) const override {
        const Slice computing = slice(TracePhase::EXECUTION, "compute");
        return ForwardingExecution::compute(deadline);
    }
    GeneralResult<ExecutedFenced> computeFenced(
            const std::vector<SyncFence>& waitFor, const OptionalTimePoint& deadline,
            const OptionalDuration& timeoutDurationAfterFence) const override {
        const Slice computing = slice(TracePhase::EXECUTION, "computeFenced");
        return ForwardingExecution::computeFenced(waitFor, deadline, timeoutDurationAfterFence);
    }
};

class TracedBurst final : public Traced<driver::ForwardingCallBurst, SharedBurst> {
   public:
    using Traced::Traced;

    OptionalCacheHold cacheMemory(const SharedMemory& memory) const override {
        const Slice caching = slice(TracePhase::INPUTS_AND_OUTPUTS, "burst cacheMemory");
        return ForwardingBurst::cacheMemory(memory);
    }

   protected:
    ExecutionResult<Executed> executeCall(const ExecutionCall& call) const override {
        const Slice executing = slice(TracePhase::EXECUTION, "burst execute");
        return Traced::executeCall(call.with(*OwnRequest(call.request)));
    }
    GeneralResult<SharedExecution> makeExecution(const ExecutionCall& call) const override {
        const Slice creating = slice(TracePhase::EXECUTION, "burst createReusableExecution");
        return Traced::makeExecution(call.with(*OwnRequest(call.request)));
    }
    SharedExecution wrapExecution(SharedExecution made) const override {
        return traced<TracedExecution>(std::move(made));
    }
};

class TracedPreparedModel final
    : public Traced<driver::ForwardingCallPreparedModel, SharedPreparedModel> {
   public:
    using Traced::Traced;

    GeneralResult<SharedBurst> configureExecutionBurst() const override {
        const Slice creating = slice(TracePhase::EXECUTION, "configureExecutionBurst");
        return ForwardingPreparedModel::configureExecutionBurst();
    }

   protected:
    ExecutionResult<Executed> executeCall(const ExecutionCall& call) const override {
        const Slice executing = slice(TracePhase::EXECUTION, "execute");
        return Traced::executeCall(call.with(*OwnRequest(call.request)));
    }
    GeneralResult<ExecutedFenced> launchCall(
            const ExecutionCall& call, const std::vector<SyncFence>& waitFor,
            const OptionalDuration& timeoutDurationAfterFence) const override {
        const Slice executing = slice(TracePhase::EXECUTION, "executeFenced");
        return Traced::launchCall(call.with(*OwnRequest(call.request)), waitFor,
                                  timeoutDurationAfterFence);
    }
    GeneralResult<SharedExecution> makeExecution(const ExecutionCall& call) const override {
        const Slice creating = slice(TracePhase::EXECUTION, "createReusableExecution");
        return Traced::makeExecution(call.with(*OwnRequest(call.request)));
    }
    SharedExecution wrapExecution(SharedExecution made) const override {
        return traced<TracedExecution>(std::move(made));
    }
    SharedBurst wrapBurst(SharedBurst made) const override {
        return traced<TracedBurst>(std::move(made));
    }
};

class TracedDevice final : public Traced<driver::ForwardingCallDevice, SharedDevice> {
   public:
    using Traced::Traced;

    GeneralResult<void> wait() const override {
        const Slice waiting = slice(TracePhase::INITIALIZATION, "wait");
        return ForwardingDevice::wait();
    }
    GeneralResult<std::vector<bool>> getSupportedOperations(const Model& model) const override {
        const Slice asking = slice(TracePhase::COMPILATION, "getSupportedOperations");
        return ForwardingDevice::getSupportedOperations(model);
    }
    GeneralResult<SharedBuffer> allocate(
            const BufferDesc& desc, const std::vector<SharedPreparedModel>& preparedModels,
            const std::vector<BufferRole>& inputRoles,
            const std::vector<BufferRole>& outputRoles) const override {
        const Slice allocating = slice(TracePhase::COMPILATION, "allocate");
        return ForwardingDevice::allocate(desc, preparedModels, inputRoles, outputRoles);
    }

   protected:
    GeneralResult<SharedPreparedModel> prepare(const driver::PreparationCall& call) const override {
        const Slice preparing = slice(TracePhase::COMPILATION, "prepareModel");
        return call.on(*inner());
    }
    GeneralResult<SharedPreparedModel> load(const driver::LoadingCall& call) const override {
        const Slice preparing = slice(TracePhase::COMPILATION, "prepareModelFromCache");
        return call.on(*inner());
    }
    SharedPreparedModel wrapPreparedModel(SharedPreparedModel made) const override {
        return traced<TracedPreparedModel>(std::move(made));
    }
    SharedPreparedModel unwrapPreparedModel(SharedPreparedModel given) const override {
        return innerOf<TracedPreparedModel>(std::move(given));
    }
    SharedBuffer wrapBuffer(SharedBuffer made) const override {
        return traced<TracedBuffer>(std::move(made));
    }
};

}  // namespace

SharedDevice traced(SharedDevice device, SharedTrace trace, TraceLayer layer) {
    if (device == nullptr || trace == nullptr) return device;
    auto tracing =
            std::make_shared<const Tracing>(Tracing{std::move(trace), layer, device->getName()});
    return std::make_shared<const TracedDevice>(std::move(tracing), std::move(device));
}

}  // namespace nn
