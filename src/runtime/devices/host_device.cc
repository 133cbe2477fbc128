#include "runtime/devices/host_device.h"

#include <absl/algorithm/container.h>

#include <string>
#include <utility>

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
// Relative to the reference, so that a plan over both prefers the first.
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

class HostDevice final : public IDevice {
   public:
    explicit HostDevice(SharedLog log)
        : mInterpreter(interpreter(std::move(log))),
          mFast(fastDevice()),
          mThreads(std::make_shared<FencedThreads>(kThreads)) {}

    const std::string& getName() const override { return mInterpreter->getName(); }
    const std::string& getVersionString() const override {
        return mInterpreter->getVersionString();
    }
    Version getFeatureLevel() const override { return mInterpreter->getFeatureLevel(); }
    DeviceType getType() const override { return mInterpreter->getType(); }
    const std::vector<Extension>& getSupportedExtensions() const override {
        return mInterpreter->getSupportedExtensions();
    }
    const Capabilities& getCapabilities() const override { return mInterpreter->getCapabilities(); }
    std::pair<uint32_t, uint32_t> getNumberOfCacheFilesNeeded() const override { return {0, 0}; }
    GeneralResult<void> wait() const override { return {}; }

    GeneralResult<std::vector<bool>> getSupportedOperations(const Model& model) const override {
        return mInterpreter->getSupportedOperations(model);
    }

    GeneralResult<SharedPreparedModel> prepareModel(
            const Model& model, ExecutionPreference preference, Priority priority,
            OptionalTimePoint deadline, const std::vector<SharedHandle>& modelCache,
            const std::vector<SharedHandle>& dataCache, const CacheToken& token,
            const std::vector<TokenValuePair>& hints,
            const std::vector<ExtensionNameAndPrefix>& extensionNameToPrefix)
            const override NNAPI_TRY {
        if (hasFastOperations(model)) {
            auto prepared = prepareFast(
                    model, {.preference = preference,
                            .priority = priority,
                            .deadline = deadline,
                            .hints = hints,
                            .prefixes = extensionNameToPrefix,
                            .partitioning = PlanOptions::Partitioning::WITHOUT_FALLBACK});
            if (prepared.has_value()) return prepared;
        }
        return mInterpreter->prepareModel(model, preference, priority, deadline, modelCache,
                                          dataCache, token, hints, extensionNameToPrefix);
    }
    NNAPI_CATCH

    GeneralResult<SharedPreparedModel> prepareModelFromCache(
            OptionalTimePoint deadline, const std::vector<SharedHandle>& modelCache,
            const std::vector<SharedHandle>& dataCache, const CacheToken& token) const override {
        return mInterpreter->prepareModelFromCache(deadline, modelCache, dataCache, token);
    }

    // Of models that the interpreter executes alone; XNNPACK has no memory of its own.
    GeneralResult<SharedBuffer> allocate(
            const BufferDesc& desc, const std::vector<SharedPreparedModel>& preparedModels,
            const std::vector<BufferRole>& inputRoles,
            const std::vector<BufferRole>& outputRoles) const override {
        return mInterpreter->allocate(desc, preparedModels, inputRoles, outputRoles);
    }

   private:
    bool hasFastOperations(const Model& model) const {
        if (mFast == nullptr) return false;
        const auto supported = mFast->getSupportedOperations(model);
        return supported.has_value() && absl::c_linear_search(*supported, true);
    }

    GeneralResult<SharedPreparedModel> prepareFast(const Model& model,
                                                   const PlanOptions& options) const {
        NNAPI_ASSIGN_OR_RETURN(
                plan, makePlan(model, {{mFast, false, true}, {mInterpreter, true}}, options));
        return withFencedThreads(plan->preparedModel(), driver::outputSignatures(model),
                                 options.priority, mThreads);
    }

    SharedDevice mInterpreter;
    SharedDevice mFast;  // null: there is none
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
