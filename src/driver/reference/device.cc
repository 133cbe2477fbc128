#include "nnapi/driver/reference.h"

#include <utility>

#include "driver/common/fences.h"
#include "driver/common/told.h"
#include "nnapi/device_overlay.h"
#include "nnapi/driver/default_burst.h"
#include "nnapi/driver/default_execution.h"
#include "nnapi/type_utils.h"
#include "nnapi/validate.h"

namespace nn {
namespace {

class ReferencePreparedModel final : public IPreparedModel,
                                     public std::enable_shared_from_this<ReferencePreparedModel> {
   public:
    ReferencePreparedModel(const PreparedModel& prepared, const ReferenceDeviceOptions& options)
        : mPrepared(prepared), mName(options.name), mLog(options.log), mTrace(options.trace) {}

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
        ExecuteOptions options{
                .measure = measure, .deadline = deadline, .loopTimeout = loopTimeoutDuration};
        if (NNAPI_VLOG_IS_ON(mLog, CPUEXE)) {
            options.starter = [this](const ComputedOperation& operation) {
                NNAPI_VLOG(mLog, CPUEXE) << mName << " " << operation.path << " " << operation.name;
            };
        }
        return driver::told(
                mLog, VlogTag::EXECUTION, mName, "execute", [&]() -> ExecutionResult<Executed> {
                    ExecutionOutcome outcome =
                            mPrepared.execute(request, traced(std::move(options), mTrace));
                    if (!outcome.status.ok()) {
                        return {std::move(outcome.status), std::move(outcome.outputShapes)};
                    }
                    return Executed{std::move(outcome.outputShapes), outcome.timing};
                });
    }

    PreparedModel mPrepared;
    std::string mName;
    SharedLog mLog;
    SharedTrace mTrace;
};

class ReferenceDevice final : public IDevice {
   public:
    explicit ReferenceDevice(ReferenceDeviceOptions options) : mOptions(std::move(options)) {}

    const std::string& getName() const override { return mOptions.name; }
    const std::string& getVersionString() const override { return mOptions.versionString; }
    Version getFeatureLevel() const override { return mOptions.featureLevel; }
    DeviceType getType() const override { return DeviceType::CPU; }
    const std::vector<Extension>& getSupportedExtensions() const override { return mExtensions; }
    const Capabilities& getCapabilities() const override { return mCapabilities; }
    std::pair<uint32_t, uint32_t> getNumberOfCacheFilesNeeded() const override { return {0, 0}; }

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
            OptionalTimePoint deadline, const std::vector<SharedHandle>&,
            const std::vector<SharedHandle>&, const CacheToken&,
            const std::vector<TokenValuePair>& hints,
            const std::vector<ExtensionNameAndPrefix>& extensionNameToPrefix) const override {
        NNAPI_RETURN_IF_ERROR(validate(preference).status());
        NNAPI_RETURN_IF_ERROR(validate(priority).status());
        NNAPI_RETURN_IF_ERROR(validate(hints).status());
        NNAPI_RETURN_IF_ERROR(validate(extensionNameToPrefix).status());
        return driver::told(mOptions.log, VlogTag::COMPILATION, mOptions.name, "prepareModel",
                            [&] { return prepare(model, deadline); });
    }

    GeneralResult<SharedPreparedModel> prepareModelFromCache(OptionalTimePoint,
                                                             const std::vector<SharedHandle>&,
                                                             const std::vector<SharedHandle>&,
                                                             const CacheToken&) const override {
        return error() << "the device has no cache";
    }

    GeneralResult<SharedBuffer> allocate(const BufferDesc&, const std::vector<SharedPreparedModel>&,
                                         const std::vector<BufferRole>&,
                                         const std::vector<BufferRole>&) const override {
        return error() << "the device has no memory of its own";
    }

   private:
    GeneralResult<SharedPreparedModel> prepare(const Model& model,
                                               const OptionalTimePoint& deadline) const {
        PrepareOptions options = mOptions.prepare;
        options.until = {.deadline = deadline};
        const auto checked = checkFor(model, mOptions.featureLevel, options.limits, options.until);
        if (!checked.ok()) return checked.status();
        Result<PreparedModel> prepared = nn::prepare(*checked, options);
        if (!prepared.ok()) return prepared.status();
        return SharedPreparedModel(
                std::make_shared<const ReferencePreparedModel>(*prepared, mOptions));
    }

    ReferenceDeviceOptions mOptions;
    std::vector<Extension> mExtensions{};
    Capabilities mCapabilities{};
};

}  // namespace

SharedDevice referenceDevice(ReferenceDeviceOptions options) {
    return std::make_shared<const ReferenceDevice>(std::move(options));
}

}  // namespace nn
