#include "backends/reference/prepared_model.h"

#include <absl/algorithm/container.h>

#include <system_error>
#include <utility>

#include "base/no_throw.h"
#include "driver/adapt/argument_checks.h"
#include "driver/adapt/default_execution.h"
#include "driver/fences/deadlines.h"
#include "driver/fences/execution_outcome.h"
#include "driver/fences/fenced_result.h"
#include "driver/fences/fences.h"
#include "driver/observe/logged_call.h"
#include "driver/threads/cancellation.h"
#include "nnapi/driver/default_burst.h"
#include "nnapi/type_utils.h"
#include "nnapi/validate.h"

namespace nn::driver {
namespace {

// True if the model leaves a dimension of an output open, or may do so.
bool hasOpenOutputs(const Model& model) {
    return absl::c_any_of(model.main.outputIndexes, [&](uint32_t index) {
        const Operand& output = model.main.operands[index];
        if (isNonExtensionScalar(output.type)) return false;
        return !isNonExtensionTensor(output.type) || output.dimensions.empty() ||
               absl::c_linear_search(output.dimensions, 0u);
    });
}

Status check(const ExecutionCall& call) {
    return checkExecution(call.measure, call.loopTimeoutDuration, call.hints,
                          call.extensionNameToPrefix);
}

ExecuteOptions optionsOf(const ExecutionCall& call, StopFunction stop) {
    return {.measure = call.measure,
            .deadline = call.deadline,
            .loopTimeout = call.loopTimeoutDuration,
            .isCancelled = std::move(stop)};
}

}  // namespace

// An execution between its launch and its end.
struct ReferencePreparedModel::Fenced : FencedResult {
    BufferUse use{};
    ExecuteOptions options{};
    OptionalDuration timeoutAfterFences{};
    TimePoint launched{};
};

ReferencePreparedModel::ReferencePreparedModel(const PreparedModel& prepared, Priority priority,
                                               std::shared_ptr<ReferenceParts> parts)
    : mPrepared(prepared),
      mPriority(priority),
      mParts(std::move(parts)),
      mHasOpenOutputs(hasOpenOutputs(prepared.model())) {}

std::shared_ptr<const ReferencePreparedModel> ReferencePreparedModel::of(
        const SharedPreparedModel& any, const std::shared_ptr<ReferenceParts>& parts) {
    if (any == nullptr) return nullptr;
    using Weak = std::weak_ptr<const ReferencePreparedModel>;
    const std::any resource = any->getUnderlyingResource();
    const auto* weak = std::any_cast<Weak>(&resource);
    auto own = weak == nullptr ? nullptr : weak->lock();
    return own != nullptr && own->mParts == parts ? own : nullptr;
}

ExecutionResult<Executed> ReferencePreparedModel::executeCall(const ExecutionCall& call) const {
    NNAPI_RETURN_IF_ERROR(check(call));
    NNAPI_RETURN_IF_ERROR(checkDeadlineBefore("execute", call.deadline));
    const ExecuteOptions options = optionsOf(call, borrowedStop());
    if (!BufferUse::hasBuffers(call.request)) return run(call.request, options);
    NNAPI_ASSIGN_OR_RETURN(use, useOf(call.request));
    return run(use, options);
}

GeneralResult<ExecutedFenced> ReferencePreparedModel::launchCall(
        const ExecutionCall& call, const std::vector<SyncFence>& waitFor,
        const OptionalDuration& timeoutDurationAfterFence) const {
    const TimePoint launched = Clock::now();
    NNAPI_RETURN_IF_ERROR(check(call));
    NNAPI_ASSIGN_OR_RETURN(use, useOf(call.request, /*allowUnspecifiedOutput=*/false));
    NNAPI_RETURN_IF_ERROR(checkDeadlineBefore("executeFenced", call.deadline));
    const auto fenced = std::make_shared<Fenced>();
    fenced->use = std::move(use);
    fenced->options = optionsOf(call, currentStop());
    fenced->timeoutAfterFences = timeoutDurationAfterFence;
    fenced->launched = launched;

    SyncFence fence = SyncFence::createAsSignaled();
    if (mParts->threads) {
        NNAPI_ASSIGN_OR_RETURN(own, OwnFence::create());
        fence = own.fence();
        fenced->fence = std::move(own);
        NNAPI_RETURN_IF_ERROR(mParts->fences.add(
                waitFor, call.deadline, [self = shared_from_this(), fenced](const Status& waited) {
                    if (!waited.ok()) return fenced->end(fenced->use.end(waited).status());
                    try {
                        self->mParts->threads->run([self, fenced] { self->runFenced(fenced); },
                                                   self->mPriority);
                    } catch (const std::system_error&) {
                        self->runFenced(fenced);  // no new thread: on this one
                    }
                }));
    } else {
        NNAPI_RETURN_IF_ERROR(waitForAll(waitFor, call.deadline));
        runFenced(fenced);
        const auto infos = fenced->info();
        if (!infos.has_value()) return infos.status();
    }
    return ExecutedFenced{std::move(fence), [fenced] { return fenced->info(); }};
}

GeneralResult<SharedExecution> ReferencePreparedModel::makeExecution(
        const ExecutionCall& call) const {
    NNAPI_RETURN_IF_ERROR(check(call));
    NNAPI_RETURN_IF_ERROR(useOf(call.request).status());
    return defaultExecution(shared_from_this(), call);
}

GeneralResult<SharedBurst> ReferencePreparedModel::configureExecutionBurst() const {
    return SharedBurst(std::make_shared<const DefaultBurst>(shared_from_this()));
}

Result<BufferUse> ReferencePreparedModel::useOf(const Request& request,
                                                bool allowUnspecifiedOutput) const {
    NNAPI_RETURN_IF_ERROR(validate(request).status());
    NNAPI_ASSIGN_OR_RETURN(use, BufferUse::make(*mParts->buffers, weak_from_this(), request));
    // With the dimensions of the buffers, which a request may leave out.
    NNAPI_RETURN_IF_ERROR(
            validateRequestForModel(use.request(), model(), allowUnspecifiedOutput).status());
    return use;
}

ExecutionResult<Executed> ReferencePreparedModel::run(const Request& request,
                                                      const ExecuteOptions& given) const {
    ExecuteOptions options{.measure = given.measure,
                           .deadline = given.deadline,
                           .loopTimeout = given.loopTimeout,
                           .listShapes = mHasOpenOutputs,  // Rule execution.shapes
                           .isCancelled = either(mParts->stop, given.isCancelled)};
    if (NNAPI_VLOG_IS_ON(mParts->log, CPUEXE)) {
        options.starter = [this](const ComputedOperation& operation) {
            NNAPI_VLOG(mParts->log, CPUEXE)
                    << mParts->name << " " << operation.path << " " << operation.name;
        };
    }
    return logged(mParts->log, VlogTag::EXECUTION, mParts->name, "execute", [&] {
        return resultOf(mPrepared.execute(request, traced(std::move(options), mParts->trace)));
    });
}

ExecutionResult<Executed> ReferencePreparedModel::run(const BufferUse& use,
                                                      const ExecuteOptions& options) const {
    const Result<Request> request = use.begin();
    return use.end(request.ok() ? run(*request, options)
                                : ExecutionResult<Executed>(request.status()));
}

GeneralResult<FencedTimings> ReferencePreparedModel::compute(const Fenced& fenced) const NNAPI_TRY {
    const TimePoint signaled = Clock::now();
    ExecuteOptions options = fenced.options;
    options.deadline = earlier(options.deadline, after(signaled, fenced.timeoutAfterFences));
    const auto executed = run(fenced.use, options);
    if (!executed.has_value()) return executed.status();
    return fencedTimings(executed->second, signaled - fenced.launched);
}
NNAPI_CATCH

void ReferencePreparedModel::runFenced(const std::shared_ptr<Fenced>& fenced) const {
    fenced->end(compute(*fenced));
}

}  // namespace nn::driver
