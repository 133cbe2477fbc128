#include "runtime/plan/preparation.h"

#include "driver/cache/bytes.h"
#include "driver/cache/digest.h"
#include "driver/memory/call_objects.h"
#include "nnapi/driver/compilation_cache.h"
#include "nnapi/driver/invalid.h"
#include "runtime/plan/exception_guard.h"
#include "runtime/plan/failed_devices.h"

namespace nn::runtime {
namespace {

// A device whose exceptions and null results become failures.
class GuardedDevice final : public driver::ForwardingCallDevice {
   public:
    using ForwardingCallDevice::ForwardingCallDevice;

   protected:
    GeneralResult<SharedPreparedModel> prepare(const driver::PreparationCall& call) const override {
        return guardObject<const IPreparedModel>(getName() + " prepareModel",
                                                 [&] { return call.on(*inner()); });
    }
    GeneralResult<SharedPreparedModel> load(const driver::LoadingCall& call) const override {
        return guardObject<const IPreparedModel>("prepareModelFromCache",
                                                 [&] { return call.on(*inner()); });
    }
};

bool wantsCache(const IDevice& device, const PlanOptions& options) {
    const auto [modelFiles, dataFiles] = device.getNumberOfCacheFilesNeeded();
    const bool hasPlace = !options.cacheDirectory.empty() || options.cacheFiles;
    return options.token && hasPlace && (modelFiles != 0 || dataFiles != 0);
}

GeneralResult<SharedPreparedModel> prepareWith(const IDevice& device, const Model& model,
                                               const PlanOptions& options,
                                               const CacheHandles& files, const CacheToken& token) {
    return device.prepareModel(model, options.preference, options.priority, options.deadline,
                               files.model, files.data, token, options.hints, options.prefixes);
}

// Prepares from cache files of the application, which are for a whole model.
GeneralResult<Compiled> prepareFromFiles(const IDevice& device, const Model& model,
                                         const PlanOptions& options, const CacheToken& token,
                                         bool isWholeModel) {
    const CacheHandles none;
    const CacheHandles& files = isWholeModel ? *options.cacheFiles : none;
    if (isWholeModel) {
        auto loaded =
                device.prepareModelFromCache(options.deadline, files.model, files.data, token);
        if (loaded.has_value()) return Compiled{*std::move(loaded), true};
    }
    auto prepared = prepareWith(device, model, options, files, token);
    if (!prepared.has_value()) return prepared.status();
    return Compiled{*std::move(prepared), false};
}

GeneralResult<Compiled> compile(const PlanDevice& planDevice, const Model& model,
                                const PlanOptions& options,
                                const std::optional<StepOrigin>& origin) {
    const GuardedDevice device(planDevice.device);
    const auto withoutCache = [&]() -> GeneralResult<Compiled> {
        auto prepared = prepareWith(device, model, options, {}, {});
        if (!prepared.has_value()) return prepared.status();
        return Compiled{*std::move(prepared), false};
    };
    if (planDevice.isCpu || !wantsCache(device, options)) return withoutCache();
    const auto request = cacheRequestFor(options, origin);
    if (!request.ok()) return withoutCache();
    if (!options.cacheFiles) {
        const CompilationCache cache(options.cacheDirectory, [&](const Status& why) {
            if (options.onCacheFailure) options.onCacheFailure(device.getName(), why);
        });
        return cache.prepare(device, model, options.preference, options.priority, options.deadline,
                             *request);
    }
    const auto token = compilationToken(*request, device.getName(), device.getVersionString(),
                                        options.preference, options.priority);
    if (!token.ok()) return withoutCache();
    return prepareFromFiles(device, model, options, *token, !origin);
}

// True if the model is the reason, not a lack of time or memory.
bool isRefusal(ErrorStatus code) {
    return code == ErrorStatus::INVALID_ARGUMENT || code == ErrorStatus::GENERAL_FAILURE;
}

}  // namespace

Result<CacheRequest> cacheRequestFor(const PlanOptions& options,
                                     const std::optional<StepOrigin>& origin) {
    CacheRequest request{.token = *options.token,
                         .hints = options.hints,
                         .extensionNameToPrefix = options.prefixes};
    if (!origin) return request;
    cache::ByteWriter step;
    step.put(origin->graph);
    for (const uint32_t operation : origin->operations) step.put(operation);
    NNAPI_ASSIGN_OR_RETURN(digest, cache::sha256(step.bytes()));
    request.digest = digest;
    return request;
}

GeneralResult<Prepared> prepareOn(const PlanDevice& device, const Model& model,
                                  const PlanOptions& options,
                                  const std::optional<StepOrigin>& origin) {
    auto compiled = compile(device, model, options, origin);
    if (compiled.has_value()) {
        return Prepared{std::move(compiled->preparedModel), compiled->isFromCache};
    }
    const GeneralError why = compiled.error();
    if (!device.isCpu || !options.defersErrors || !isRefusal(why.code)) {
        return failureOf(device.device->getName(), compiled.status());
    }
    return Prepared{std::make_shared<const hal::utils::InvalidPreparedModel>(why.message), false,
                    compiled.status()};
}

GeneralResult<SharedPreparedModel> prepareOnCpu(const IDevice& cpu, const Model& model,
                                                const PlanOptions& options) {
    const PlanOptions plain{.preference = options.preference, .priority = options.priority};
    return guardObject<const IPreparedModel>(cpu.getName() + " prepareModel", [&] {
        return prepareWith(cpu, model, plain, {}, {});
    });
}

}  // namespace nn::runtime
