#include "runtime/devices/host_device.h"

#include <string>
#include <utility>

#include "nnapi/driver/forwarding.h"
#include "nnapi/driver/plugin.h"
#include "nnapi/driver/reference.h"
#include "runtime/devices/fenced_executions.h"
#include "runtime/plan/plan.h"
#include "types/no_throw.h"
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
                            .fencedThreads = kThreads,
                            .log = std::move(log),
                            .hasCache = false});
}

// The interpreter, and XNNPACK for the models that it computes faster. Device buffers are only for
// models that the interpreter executes alone; XNNPACK has none.
class HostDevice final : public ForwardingDevice {
   public:
    explicit HostDevice(SharedLog log)
        : ForwardingDevice(interpreter(std::move(log))),
          mFast(fastDevice()),
          mThreads(std::make_shared<FencedThreads>(kThreads)) {}

    GeneralResult<SharedPreparedModel> prepareModel(
            const Model& model, ExecutionPreference preference, Priority priority,
            OptionalTimePoint deadline, const std::vector<SharedHandle>& modelCache,
            const std::vector<SharedHandle>& dataCache, const CacheToken& token,
            const std::vector<TokenValuePair>& hints,
            const std::vector<ExtensionNameAndPrefix>& extensionNameToPrefix)
            const override NNAPI_TRY {
        if (mFast != nullptr) {
            // Asking first would compile every operation once more.
            auto whole = mFast->prepareModel(model, preference, priority, deadline, {}, {}, {},
                                             hints, extensionNameToPrefix);
            if (whole.has_value()) return fenced(*std::move(whole), model, priority);
            auto divided =
                    divide(model, {.preference = preference,
                                   .priority = priority,
                                   .deadline = deadline,
                                   .hints = hints,
                                   .prefixes = extensionNameToPrefix,
                                   .partitioning = PlanOptions::Partitioning::WITHOUT_FALLBACK});
            if (divided.has_value()) return divided;
        }
        return ForwardingDevice::prepareModel(model, preference, priority, deadline, modelCache,
                                              dataCache, token, hints, extensionNameToPrefix);
    }
    NNAPI_CATCH

   private:
    // XNNPACK executes what it supports of the model, the interpreter the rest.
    GeneralResult<SharedPreparedModel> divide(const Model& model,
                                              const PlanOptions& options) const {
        NNAPI_ASSIGN_OR_RETURN(plan,
                               makePlan(model, {{mFast, false, true}, {inner(), true}}, options));
        // A simple one is the interpreter's, since XNNPACK has refused the whole model.
        if (plan->isSimple()) return plan->steps().front().preparedModel;
        return fenced(plan->preparedModel(), model, options.priority);
    }

    SharedPreparedModel fenced(SharedPreparedModel prepared, const Model& model,
                               Priority priority) const {
        return withFencedThreads(std::move(prepared), driver::outputSignatures(model), priority,
                                 mThreads);
    }

    SharedDevice mFast;  // null if there is none
    std::shared_ptr<FencedThreads> mThreads;
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
