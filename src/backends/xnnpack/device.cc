#include <algorithm>
#include <thread>
#include <utility>

#include "backends/xnnpack/program.h"
#include "base/no_throw.h"
#include "device_profile/support_reasons.h"
#include "driver/adapt/argument_checks.h"
#include "driver/adapt/buffered_models.h"
#include "driver/fences/deadlines.h"
#include "driver/fences/execution_outcome.h"
#include "driver/threads/cancellation.h"
#include "interpreter/constants.h"
#include "interpreter/errors.h"
#include "nnapi/driver/default_prepared_model.h"
#include "nnapi/driver/xnnpack.h"
#include "nnapi/validate.h"
#include "validate/validation_facts.h"

namespace nn {
namespace {

using xnnpack::Lowering;
using xnnpack::Program;

// ---- support

constexpr std::string_view kWork = "the preparation";

// Passes the constants to the preparation of a graph; a strict device has already rejected any that
// it rejects.
class GraphConstants final : public PreparationListener {
   public:
    GraphConstants(const ValidatedModel& model, const Extensions& extensions, const Limits& limits)
        : mMain(model.model().main),
          mConstants(model.model(), extensions, limits),
          mWatched(mUntil, limits, kWork) {}

    ops::Bytes constant(size_t operand, ElementType element, Status& why) override {
        return mConstants.data(mMain.operands[operand], element, mWatched, why);
    }
    bool refused(Part, size_t, Refusal) override { return true; }

   private:
    const Model::Subgraph& mMain;
    Constants mConstants;
    StopCondition mUntil{};
    WorkBudget mWatched;
};

// Adds the reason why XNNPACK does not support operations that a strict device does.
Status addReasons(const ValidatedModel& model, const PrepareOptions& options,
                  DeviceSupport& support) {
    const Model::Subgraph& main = model.model().main;
    NNAPI_ASSIGN_OR_RETURN(extensions, Extensions::create(model.model(), options.extensions));
    GraphPreparation graph(main, model.found().main(), /*isMain=*/true, &extensions,
                           options.limits);
    GraphConstants constants(model, extensions, options.limits);
    graph.run(constants);
    const Status usable = xnnpack::initialize();
    xnnpack::Lowerings lowerings(main, graph.values, graph.operations);
    for (size_t k = 0; k < main.operations.size(); ++k) {
        std::vector<Diagnostic>& reasons = support.operations[k].reasons;
        if (!reasons.empty()) continue;
        Lowering lowering;
        std::optional<Refusal> refusal = lowerings.lower(k, lowering);
        xnnpack::Operator made;
        if (!refusal && !usable.ok()) {
            refusal = Refusal{.rule = "xnnpack.hardware", .message = std::string(usable.message())};
        } else if (!refusal) {
            refusal = xnnpack::make(lowering, made);
        }
        if (!refusal) continue;
        reasons.push_back({.rule = std::move(refusal->rule),
                           .path = pathOf(0, "operations", k),
                           .operation = extensions.operationName(main.operations[k].type),
                           .message = std::move(refusal->message)});
    }
    return {};
}

// ---- prepared models

class XnnpackPreparedModel final : public DefaultPreparedModel {
   public:
    explicit XnnpackPreparedModel(std::shared_ptr<const Program> program)
        : mProgram(std::move(program)) {}

    ExecutionResult<Executed> execute(
            const Request& request, MeasureTiming measure, const OptionalTimePoint& deadline,
            const OptionalDuration& loopTimeoutDuration, const std::vector<TokenValuePair>& hints,
            const std::vector<ExtensionNameAndPrefix>& extensionNameToPrefix) const override {
        NNAPI_RETURN_IF_ERROR(
                driver::checkExecution(measure, loopTimeoutDuration, hints, extensionNameToPrefix));
        return run(request, measure, deadline);
    }

    GeneralResult<ExecutedFenced> executeFenced(
            const Request& request, const std::vector<SyncFence>& waitFor, MeasureTiming measure,
            const OptionalTimePoint& deadline, const OptionalDuration& loopTimeoutDuration,
            const OptionalDuration& timeoutDurationAfterFence,
            const std::vector<TokenValuePair>& hints,
            const std::vector<ExtensionNameAndPrefix>& extensionNameToPrefix) const override {
        NNAPI_RETURN_IF_ERROR(
                driver::checkExecution(measure, loopTimeoutDuration, hints, extensionNameToPrefix));
        NNAPI_RETURN_IF_ERROR(validateRequestForModel(request, mProgram->plan().model,
                                                      /*allowUnspecifiedOutput=*/false)
                                      .status());
        NNAPI_RETURN_IF_ERROR(driver::checkDeadlineBefore("executeFenced", deadline));
        return DefaultPreparedModel::executeFenced(request, waitFor, measure, deadline,
                                                   loopTimeoutDuration, timeoutDurationAfterFence,
                                                   hints, extensionNameToPrefix);
    }

    GeneralResult<SharedExecution> createReusableExecution(
            const Request& request, MeasureTiming measure,
            const OptionalDuration& loopTimeoutDuration, const std::vector<TokenValuePair>& hints,
            const std::vector<ExtensionNameAndPrefix>& extensionNameToPrefix) const override {
        NNAPI_RETURN_IF_ERROR(
                driver::checkExecution(measure, loopTimeoutDuration, hints, extensionNameToPrefix));
        NNAPI_RETURN_IF_ERROR(validateRequestForModel(request, mProgram->plan().model).status());
        return DefaultPreparedModel::createReusableExecution(request, measure, loopTimeoutDuration,
                                                             hints, extensionNameToPrefix);
    }

   private:
    ExecutionResult<Executed> run(const Request& request, MeasureTiming measure,
                                  const OptionalTimePoint& deadline) const {
        return driver::resultOf(mProgram->execute(request, measure, deadline));
    }

    std::shared_ptr<const Program> mProgram;
};

// ---- the device

class XnnpackDevice final : public IDevice, public ISupportReasons {
   public:
    explicit XnnpackDevice(XnnpackDeviceOptions options)
        : mOptions(std::move(options)), mBuffers(mOptions.prepare.limits.peakBytes) {
        if (mOptions.executionsAtOnce == 0) {
            mOptions.executionsAtOnce = std::max(1u, std::thread::hardware_concurrency());
        }
        mWorkers = std::make_shared<const xnnpack::Workers>(mOptions.prepare.threads);
    }

    const std::string& getName() const override { return mOptions.name; }
    const std::string& getVersionString() const override { return mOptions.versionString; }
    Version getFeatureLevel() const override { return mOptions.featureLevel; }
    DeviceType getType() const override { return DeviceType::CPU; }
    const std::vector<Extension>& getSupportedExtensions() const override { return mExtensions; }
    const Capabilities& getCapabilities() const override { return mOptions.capabilities; }
    std::pair<uint32_t, uint32_t> getNumberOfCacheFilesNeeded() const override { return {0, 0}; }

    GeneralResult<void> wait() const override { return {}; }

    GeneralResult<std::vector<bool>> getSupportedOperations(const Model& model) const override {
        const auto support = supportOf(model);
        if (!support.ok()) return support.status();
        return support->byOperation();
    }
    Result<DeviceSupport> supportOf(const Model& model) const override {
        return xnnpackSupport(model, mOptions);
    }

    GeneralResult<SharedPreparedModel> prepareModel(
            const Model& model, ExecutionPreference preference, Priority priority,
            OptionalTimePoint deadline, const std::vector<SharedHandle>&,
            const std::vector<SharedHandle>&, const CacheToken&,
            const std::vector<TokenValuePair>& hints,
            const std::vector<ExtensionNameAndPrefix>& extensionNameToPrefix) const override {
        NNAPI_RETURN_IF_ERROR(
                driver::checkPreparation(preference, priority, hints, extensionNameToPrefix));
        const auto program = makeProgram(model, deadline);
        if (!program.ok()) return program.status();
        return mBuffers.wrap(std::make_shared<const XnnpackPreparedModel>(*program), model);
    }

    GeneralResult<SharedPreparedModel> prepareModelFromCache(OptionalTimePoint,
                                                             const std::vector<SharedHandle>&,
                                                             const std::vector<SharedHandle>&,
                                                             const CacheToken&) const override {
        return error() << "the device has no cache";
    }

    GeneralResult<SharedBuffer> allocate(
            const BufferDesc& desc, const std::vector<SharedPreparedModel>& preparedModels,
            const std::vector<BufferRole>& inputRoles,
            const std::vector<BufferRole>& outputRoles) const override {
        return mBuffers.allocate(desc, preparedModels, inputRoles, outputRoles);
    }

   private:
    // Errors of the model come before a past deadline.
    Result<std::shared_ptr<const Program>> makeProgram(
            const Model& model, const OptionalTimePoint& deadline) const NNAPI_TRY {
        const Status inTime = driver::checkDeadlineBefore("prepareModel", deadline);
        PrepareOptions options = mOptions.prepare;
        options.threads = 1;
        options.until = {.deadline = inTime.ok() ? deadline : OptionalTimePoint()};
        NNAPI_ASSIGN_OR_RETURN(
                checked, checkFor(model, mOptions.featureLevel, options.limits, options.until));
        auto plan = makePlan(checked, options);
        if (!plan.ok()) {
            // A legal model that cannot be executed is one that is not supported.
            const ErrorStatus code = errorStatus(plan.status());
            const auto why = diagnostic(plan.status());
            if (code != ErrorStatus::GENERAL_FAILURE || !why) return plan.status();
            return makeError(ErrorStatus::INVALID_ARGUMENT, *why);
        }
        NNAPI_RETURN_IF_ERROR(xnnpack::initialize());
        auto program = Program::create(*std::move(plan), options.until, mWorkers,
                                       mOptions.executionsAtOnce);
        if (program.ok()) NNAPI_RETURN_IF_ERROR(inTime);
        if (program.ok()) logSteps(**program);
        return program;
    }
    NNAPI_CATCH

    void logSteps(const Program& program) const {
        if (!NNAPI_VLOG_IS_ON(mOptions.log, COMPILATION)) return;
        const std::vector<Operation>& operations = program.plan().model.main.operations;
        for (const auto& [operation, name] : program.steps()) {
            NNAPI_VLOG(mOptions.log, COMPILATION)
                    << mOptions.name << ": " << pathOf(0, "operations", operation) << " "
                    << toString(operations[operation].type) << " by " << name;
        }
    }

    XnnpackDeviceOptions mOptions;
    driver::BufferedModels mBuffers;
    xnnpack::SharedWorkers mWorkers{};
    std::vector<Extension> mExtensions{};
};

}  // namespace

SharedDevice xnnpackDevice(XnnpackDeviceOptions options) {
    return std::make_shared<const XnnpackDevice>(std::move(options));
}

Result<DeviceSupport> xnnpackSupport(const Model& model,
                                     const XnnpackDeviceOptions& options) NNAPI_TRY {
    NNAPI_ASSIGN_OR_RETURN(checked, validateModel(model, options.prepare.limits));
    NNAPI_ASSIGN_OR_RETURN(support,
                           supportedOperations(checked,
                                               {.name = options.name,
                                                .version = options.featureLevel,
                                                .supportsOthers = true,
                                                .isStrict = true},
                                               {.limits = options.prepare.limits,
                                                .extensions = options.prepare.extensions,
                                                .until = {.isCancelled = driver::borrowedStop()}}));
    NNAPI_RETURN_IF_ERROR(addReasons(checked, options.prepare, support));
    return support;
}
NNAPI_CATCH

}  // namespace nn
