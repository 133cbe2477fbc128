#include "nnapi/driver/reference.h"

#include <absl/algorithm/container.h>

#include <optional>
#include <utility>

#include "driver/common/fences.h"
#include "nnapi/device_overlay.h"
#include "nnapi/driver/cache.h"
#include "nnapi/driver/default_burst.h"
#include "nnapi/driver/default_execution.h"
#include "nnapi/type_utils.h"
#include "nnapi/validate.h"

namespace nn {
namespace {

class ReferencePreparedModel final : public IPreparedModel,
                                     public std::enable_shared_from_this<ReferencePreparedModel> {
   public:
    explicit ReferencePreparedModel(const PreparedModel& prepared)
        : mPrepared(prepared), mHasOpenOutputs(hasOpenOutputs(prepared.model())) {}

    ExecutionResult<Executed> execute(
            const Request& request, MeasureTiming measure, const OptionalTimePoint& deadline,
            const OptionalDuration& loopTimeoutDuration, const std::vector<TokenValuePair>& hints,
            const std::vector<ExtensionNameAndPrefix>& extensionNameToPrefix) const override {
        NNAPI_RETURN_IF_ERROR(check(measure, loopTimeoutDuration, hints, extensionNameToPrefix));
        return run(request, measure, deadline, loopTimeoutDuration);
    }

    GeneralResult<ExecutedFenced> executeFenced(
            const Request& request, const std::vector<SyncFence>& waitFor, MeasureTiming measure,
            const OptionalTimePoint& deadline, const OptionalDuration& loopTimeoutDuration,
            const OptionalDuration& timeoutDurationAfterFence,
            const std::vector<TokenValuePair>& hints,
            const std::vector<ExtensionNameAndPrefix>& extensionNameToPrefix) const override {
        const TimePoint launched = Clock::now();
        NNAPI_RETURN_IF_ERROR(check(measure, loopTimeoutDuration, hints, extensionNameToPrefix));
        NNAPI_RETURN_IF_ERROR(validateRequestForModel(request, mPrepared.model(),
                                                      /*allowUnspecifiedOutput=*/false)
                                      .status());
        NNAPI_RETURN_IF_ERROR(driver::waitForAll(waitFor, deadline));
        const TimePoint signalled = Clock::now();
        const OptionalTimePoint end =
                driver::earlier(deadline, driver::after(signalled, timeoutDurationAfterFence));
        const auto executed = run(request, measure, end, loopTimeoutDuration);
        if (!executed.has_value()) return executed.status();
        const Timing afterFences = executed->second;
        Timing afterLaunch = afterFences;
        if (afterLaunch.timeInDriver) *afterLaunch.timeInDriver += signalled - launched;
        return ExecutedFenced{SyncFence::createAsSignaled(),
                              [=] { return std::pair(afterLaunch, afterFences); }};
    }

    GeneralResult<SharedExecution> createReusableExecution(
            const Request& request, MeasureTiming measure,
            const OptionalDuration& loopTimeoutDuration, const std::vector<TokenValuePair>& hints,
            const std::vector<ExtensionNameAndPrefix>& extensionNameToPrefix) const override {
        NNAPI_RETURN_IF_ERROR(check(measure, loopTimeoutDuration, hints, extensionNameToPrefix));
        NNAPI_RETURN_IF_ERROR(validateRequestForModel(request, mPrepared.model()).status());
        return SharedExecution(std::make_shared<const DefaultExecution>(
                shared_from_this(), request, measure, loopTimeoutDuration, hints,
                extensionNameToPrefix));
    }

    GeneralResult<SharedBurst> configureExecutionBurst() const override {
        return SharedBurst(std::make_shared<const DefaultBurst>(shared_from_this()));
    }

    std::any getUnderlyingResource() const override { return mPrepared; }

   private:
    // True where the model leaves a dimension of an output open, or may do so.
    static bool hasOpenOutputs(const Model& model) {
        return absl::c_any_of(model.main.outputIndexes, [&](uint32_t index) {
            const Operand& output = model.main.operands[index];
            if (isNonExtensionScalar(output.type)) return false;
            return !isNonExtensionTensor(output.type) || output.dimensions.empty() ||
                   absl::c_linear_search(output.dimensions, 0u);
        });
    }

    // All arguments but the request, which the interpreter checks when it executes.
    static Status check(MeasureTiming measure, const OptionalDuration& loopTimeoutDuration,
                        const std::vector<TokenValuePair>& hints,
                        const std::vector<ExtensionNameAndPrefix>& extensionNameToPrefix) {
        NNAPI_RETURN_IF_ERROR(validate(measure).status());
        NNAPI_RETURN_IF_ERROR(validate(hints).status());
        NNAPI_RETURN_IF_ERROR(validate(extensionNameToPrefix).status());
        if (loopTimeoutDuration && *loopTimeoutDuration < Duration::zero()) {
            return error(ErrorStatus::INVALID_ARGUMENT) << "the time of a loop is negative";
        }
        return {};
    }

    ExecutionResult<Executed> run(const Request& request, MeasureTiming measure,
                                  const OptionalTimePoint& deadline,
                                  const OptionalDuration& loopTimeoutDuration) const {
        ExecutionOutcome outcome =
                mPrepared.execute(request, {.measure = measure,
                                            .deadline = deadline,
                                            .loopTimeout = loopTimeoutDuration,
                                            .listShapes = mHasOpenOutputs});  // Rule 14
        if (!outcome.status.ok()) {
            return {std::move(outcome.status), std::move(outcome.outputShapes)};
        }
        return Executed{std::move(outcome.outputShapes), outcome.timing};
    }

    PreparedModel mPrepared;
    bool mHasOpenOutputs;
};

class ReferenceDevice final : public IDevice {
   public:
    explicit ReferenceDevice(ReferenceDeviceOptions options)
        : mOptions(std::move(options)), mSeal(sealOf(mOptions)) {}

    const std::string& getName() const override { return mOptions.name; }
    const std::string& getVersionString() const override { return mOptions.versionString; }
    Version getFeatureLevel() const override { return mOptions.featureLevel; }
    DeviceType getType() const override { return DeviceType::CPU; }
    const std::vector<Extension>& getSupportedExtensions() const override { return mExtensions; }
    const Capabilities& getCapabilities() const override { return mCapabilities; }
    std::pair<uint32_t, uint32_t> getNumberOfCacheFilesNeeded() const override {
        if (!mSeal) return {0, 0};
        return {mSeal->counts().model, mSeal->counts().data};
    }

    GeneralResult<void> wait() const override { return {}; }

    GeneralResult<std::vector<bool>> getSupportedOperations(const Model& model) const override {
        const auto support = supportedOperations(
                model,
                {.name = mOptions.name,
                 .version = mOptions.featureLevel,
                 .supportsOthers = true,
                 .isStrict = true},
                {.limits = mOptions.prepare.limits, .extensions = mOptions.prepare.extensions});
        if (!support.ok()) return support.status();
        std::vector<bool> isSupported;
        for (const OperationSupport& operation : support->operations) {
            isSupported.push_back(support->reasons.empty() && operation.isSupported());
        }
        return isSupported;
    }

    GeneralResult<SharedPreparedModel> prepareModel(
            const Model& model, ExecutionPreference preference, Priority priority,
            OptionalTimePoint deadline, const std::vector<SharedHandle>& modelCache,
            const std::vector<SharedHandle>& dataCache, const CacheToken& token,
            const std::vector<TokenValuePair>& hints,
            const std::vector<ExtensionNameAndPrefix>& extensionNameToPrefix) const override {
        NNAPI_RETURN_IF_ERROR(validate(preference).status());
        NNAPI_RETURN_IF_ERROR(validate(priority).status());
        NNAPI_RETURN_IF_ERROR(validate(hints).status());
        NNAPI_RETURN_IF_ERROR(validate(extensionNameToPrefix).status());
        auto prepared = prepare(model, deadline);
        if (prepared.has_value() && (!modelCache.empty() || !dataCache.empty())) {
            saveToCache({modelCache, dataCache, token}, model, preference, priority);
        }
        return prepared;
    }

    GeneralResult<SharedPreparedModel> prepareModelFromCache(
            OptionalTimePoint deadline, const std::vector<SharedHandle>& modelCache,
            const std::vector<SharedHandle>& dataCache, const CacheToken& token) const override {
        if (!mSeal) return error() << "the device has no cache";
        NNAPI_ASSIGN_OR_RETURN(cached, loadModel(*mSeal, {modelCache, dataCache, token}));
        auto prepared = prepare(std::move(cached.model), deadline);
        if (prepared.error().code != ErrorStatus::INVALID_ARGUMENT) return prepared;
        return error() << "the model in the cache: " << prepared.error().message;
    }

    GeneralResult<SharedBuffer> allocate(const BufferDesc&, const std::vector<SharedPreparedModel>&,
                                         const std::vector<BufferRole>&,
                                         const std::vector<BufferRole>&) const override {
        return error() << "the device has no memory of its own";
    }

   private:
    static std::optional<CacheSeal> sealOf(const ReferenceDeviceOptions& options) {
        if (!options.hasCache) return std::nullopt;
        const Result<CacheKey> key =
                options.cacheKey ? Result<CacheKey>(*options.cacheKey) : CacheKey::random();
        if (!key.ok()) return std::nullopt;
        return CacheSeal(*key, options.name, options.versionString, {.model = 1, .data = 1});
    }

    GeneralResult<SharedPreparedModel> prepare(Model model, OptionalTimePoint deadline) const {
        PrepareOptions options = mOptions.prepare;
        options.until = {.deadline = deadline};
        const auto checked =
                checkFor(std::move(model), mOptions.featureLevel, options.limits, options.until);
        if (!checked.ok()) return checked.status();
        Result<PreparedModel> prepared = nn::prepare(*checked, options);
        if (!prepared.ok()) return prepared.status();
        return SharedPreparedModel(std::make_shared<const ReferencePreparedModel>(*prepared));
    }

    void saveToCache(const CacheFiles& files, const Model& model, ExecutionPreference preference,
                     Priority priority) const {
        const Status saved = mSeal ? saveModel(*mSeal, files, model, preference, priority,
                                               mOptions.prepare.limits)
                                   : Status(error() << "the device has no cache");
        if (!saved.ok() && mOptions.onCacheFailure) mOptions.onCacheFailure(saved);
    }

    ReferenceDeviceOptions mOptions;
    std::optional<CacheSeal> mSeal;
    std::vector<Extension> mExtensions{};
    Capabilities mCapabilities{};
};

}  // namespace

SharedDevice referenceDevice(ReferenceDeviceOptions options) {
    return std::make_shared<const ReferenceDevice>(std::move(options));
}

}  // namespace nn
