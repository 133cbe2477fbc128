#include "runtime/devices/host_device.h"

#include <string>
#include <utility>

#include "base/no_throw.h"
#include "driver/adapt/buffered_models.h"
#include "driver/memory/call_objects.h"
#include "nnapi/driver/plugin.h"
#include "nnapi/driver/reference.h"
#include "runtime/devices/fenced_executions.h"
#include "runtime/plan/plan.h"
#ifdef NNAPI_HAS_XNNPACK
#include "nnapi/driver/xnnpack.h"
#endif

namespace nn::runtime {
namespace {

constexpr size_t kThreads = 2;
// Relative to the reference, so that a plan prefers this device.
constexpr Capabilities::PerformanceInfo kHost = {.execTime = 0.5f, .powerUsage = 0.5f};
#ifdef NNAPI_HAS_XNNPACK
constexpr Capabilities::PerformanceInfo kFast = {.execTime = 0.1f, .powerUsage = 0.1f};
#endif

SharedDevice fastDevice() {
#ifdef NNAPI_HAS_XNNPACK
    return xnnpackDevice({.capabilities = sameForAll(kFast)});
#else
    return nullptr;
#endif
}

SharedDevice interpreter(SharedLog log) {
    return referenceDevice({.name = kHostDeviceName,
                            .versionString = std::string(plugin::kLibraryVersion),
                            .capabilities = sameForAll(kHost),
                            .log = std::move(log),
                            .hasCache = false});
}

// The interpreter, and XNNPACK for the models that it computes faster. Device buffers are shared
// memory, so that those of one model can be used by another, whatever computes it.
class HostDevice final : public driver::ForwardingCallDevice {
   public:
    explicit HostDevice(SharedLog log)
        : ForwardingCallDevice(interpreter(std::move(log))),
          mFast(fastDevice()),
          mThreads(std::make_shared<FencedThreads>(kThreads)) {}

    GeneralResult<SharedBuffer> allocate(
            const BufferDesc& desc, const std::vector<SharedPreparedModel>& preparedModels,
            const std::vector<BufferRole>& inputRoles,
            const std::vector<BufferRole>& outputRoles) const override {
        return mBuffers.allocate(desc, preparedModels, inputRoles, outputRoles);
    }

   protected:
    GeneralResult<SharedPreparedModel> prepare(
            const driver::PreparationCall& call) const override NNAPI_TRY {
        if (mFast != nullptr) {
            // Asking first would compile every operation once more.
            auto whole = call.withoutCache().on(*mFast);
            if (whole.has_value()) return fenced(*std::move(whole), call.model, call.priority);
            auto divided = divide(call.model,
                                  {.preference = call.preference,
                                   .priority = call.priority,
                                   .deadline = call.deadline,
                                   .hints = call.hints,
                                   .prefixes = call.prefixes,
                                   .partitioning = PlanOptions::Partitioning::WITHOUT_FALLBACK});
            if (divided.has_value()) return divided;
        }
        NNAPI_ASSIGN_OR_RETURN(prepared, call.on(*inner()));
        return fenced(std::move(prepared), call.model, call.priority);
    }
    NNAPI_CATCH

   private:
    // XNNPACK executes what it supports of the model, the interpreter the rest.
    GeneralResult<SharedPreparedModel> divide(const Model& model,
                                              const PlanOptions& options) const {
        NNAPI_ASSIGN_OR_RETURN(plan,
                               makePlan(model, {{mFast, false, true}, {inner(), true}}, options));
        // A simple one is the interpreter's, since XNNPACK has refused the whole model.
        return fenced(
                plan->isSimple() ? plan->steps().front().preparedModel : plan->preparedModel(),
                model, options.priority);
    }

    // With device buffers, and fenced executions that do not block.
    SharedPreparedModel fenced(SharedPreparedModel prepared, const Model& model,
                               Priority priority) const {
        return withFencedThreads(mBuffers.wrap(std::move(prepared), model),
                                 driver::outputSignatures(model), priority, mThreads);
    }

    SharedDevice mFast;  // null if there is none
    std::shared_ptr<FencedThreads> mThreads;
    driver::BufferedModels mBuffers{Limits().peakBytes};
};

}  // namespace

Capabilities sameForAll(Capabilities::PerformanceInfo info) {
    return {.relaxedFloat32toFloat16PerformanceScalar = info,
            .relaxedFloat32toFloat16PerformanceTensor = info,
            .operandPerformance = nonExtensionOperandPerformance(kHalVersions.back(), info),
            .ifPerformance = info,
            .whilePerformance = info};
}

SharedDevice hostDevice(SharedLog log) {
    return std::make_shared<const HostDevice>(std::move(log));
}

}  // namespace nn::runtime
