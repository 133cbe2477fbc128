#include "driver/aidl/adapter.h"
#include "driver/memory/kept_mappings.h"
#include "driver/wrap/checked_objects.h"

namespace nn::hal::adapter {

using driver::aidl::kNoTiming;

// ---- arguments

GeneralResult<OptionalTimePoint> readDeadline(int64_t deadlineNs) {
    return convertAs<OptionalTimePoint>(deadlineNs);
}

GeneralResult<OptionalDuration> readDuration(int64_t durationNs) {
    return convertAs<OptionalDuration>(durationNs);
}

GeneralResult<OwnedCall> readExecution(const aidl_hal::ExecutionConfig& config,
                                       int64_t deadlineNs) NNAPI_TRY {
    OwnedCall execution;
    NNAPI_ASSIGN_OR_RETURN(deadline, readDeadline(deadlineNs));
    NNAPI_ASSIGN_OR_RETURN(canonical, convert(config));
    execution.config = std::move(canonical);
    execution.deadline = deadline;
    return execution;
}
NNAPI_CATCH

GeneralResult<OwnedCall> readExecution(const aidl_hal::Request& request,
                                       const aidl_hal::ExecutionConfig& config,
                                       int64_t deadlineNs) NNAPI_TRY {
    NNAPI_ASSIGN_OR_RETURN(canonical, convert(request));
    NNAPI_ASSIGN_OR_RETURN(execution, readExecution(config, deadlineNs));
    execution.request = std::make_shared<const Request>(std::move(canonical));
    return execution;
}
NNAPI_CATCH

// ---- results

ScopedAStatus returnExecution(const Context& context, std::string_view call,
                              const ExecutionResult<Executed>& executed,
                              aidl_hal::ExecutionResult* to) {
    using Hal = aidl_hal::ExecutionResult;
    return returnResult(context, call, to, [&](Losses*) -> GeneralResult<Hal> {
        if (executed.has_value()) {
            auto result = AIDL4::utils::convert(*executed);
            if (!result.ok()) return blameDevice(result.status());
            return *std::move(result);
        }
        const ExecutionError error = executed.error();
        if (error.code != ErrorStatus::OUTPUT_INSUFFICIENT_SIZE) return executed.status();
        auto shapes = AIDL4::utils::convert(error.outputShapes);
        if (!shapes.ok()) return blameDevice(shapes.status());
        return Hal{.outputSufficientSize = false,
                   .outputShapes = *std::move(shapes),
                   .timing = kNoTiming};
    });
}

GeneralResult<aidl_hal::FencedExecutionResult> fencedResult(
        const SharedContext& context, GeneralResult<ExecutedFenced> executed) {
    if (!executed.has_value()) return executed.status();
    auto& [fence, info] = *executed;
    if (!info) return error() << "the device gave no callback";
    aidl_hal::FencedExecutionResult result;
    if (fence.hasFd()) {
        auto fd = AIDL4::utils::convert(fence);
        if (!fd.ok()) return blameDevice(fd.status());
        result.syncFence = *std::move(fd);
    }
    result.callback = ndk::SharedRefBase::make<AidlFencedAdapter>(context, std::move(info));
    return result;
}

// ---- prepared models

AidlPreparedModelAdapter::AidlPreparedModelAdapter(SharedContext context,
                                                   SharedPreparedModel preparedModel,
                                                   driver::SharedOutputSignatures outputs)
    : Offered(std::move(context)),
      mPreparedModel(std::move(preparedModel)),
      mChecked(driver::checkResults(mPreparedModel, std::move(outputs))) {
    mContext->preparedModels.add(static_cast<const aidl_hal::IPreparedModel*>(this));
}

AidlPreparedModelAdapter::~AidlPreparedModelAdapter() {
    mContext->preparedModels.remove(static_cast<const aidl_hal::IPreparedModel*>(this));
}

ScopedAStatus AidlPreparedModelAdapter::execute(std::string_view call,
                                                const aidl_hal::Request& request,
                                                const aidl_hal::ExecutionConfig& config,
                                                int64_t deadlineNs,
                                                aidl_hal::ExecutionResult* result) const {
    const auto executed = contain([&]() -> ExecutionResult<Executed> {
        const auto execution = readExecution(request, config, deadlineNs);
        if (!execution.has_value()) return blameClient(execution.status());
        return doOn(*mChecked, mContext->log, call, *execution);
    });
    return returnExecution(*mContext, call, executed, result);
}

ScopedAStatus AidlPreparedModelAdapter::executeSynchronously(const aidl_hal::Request& request,
                                                             bool measureTiming, int64_t deadlineNs,
                                                             int64_t loopTimeoutDurationNs,
                                                             aidl_hal::ExecutionResult* result) {
    return execute("executeSynchronously", request, configOf(measureTiming, loopTimeoutDurationNs),
                   deadlineNs, result);
}

ScopedAStatus AidlPreparedModelAdapter::executeSynchronouslyWithConfig(
        const aidl_hal::Request& request, const aidl_hal::ExecutionConfig& config,
        int64_t deadlineNs, aidl_hal::ExecutionResult* result) {
    if (!hasConfigs()) return unknownMethod();
    return execute("executeSynchronouslyWithConfig", request, config, deadlineNs, result);
}

ScopedAStatus AidlPreparedModelAdapter::launch(std::string_view call,
                                               const aidl_hal::Request& request,
                                               const std::vector<ScopedFileDescriptor>& waitFor,
                                               const aidl_hal::ExecutionConfig& config,
                                               int64_t deadlineNs, int64_t durationNs,
                                               aidl_hal::FencedExecutionResult* result) const {
    using Hal = aidl_hal::FencedExecutionResult;
    return returnResult(*mContext, call, result, [&](Losses*) -> GeneralResult<Hal> {
        const auto execution = readExecution(request, config, deadlineNs);
        const auto fences = readFences(waitFor);
        const auto afterFences = readDuration(durationNs);
        for (const Status& argument : {execution.status(), fences.status(), afterFences.status()}) {
            if (!argument.ok()) return blameClient(argument);
        }
        return fencedResult(mContext, execution->lent().fencedOn(*mChecked, *fences, *afterFences));
    });
}

ScopedAStatus AidlPreparedModelAdapter::executeFenced(
        const aidl_hal::Request& request, const std::vector<ScopedFileDescriptor>& waitFor,
        bool measureTiming, int64_t deadlineNs, int64_t loopTimeoutDurationNs, int64_t durationNs,
        aidl_hal::FencedExecutionResult* result) {
    return launch("executeFenced", request, waitFor, configOf(measureTiming, loopTimeoutDurationNs),
                  deadlineNs, durationNs, result);
}

ScopedAStatus AidlPreparedModelAdapter::executeFencedWithConfig(
        const aidl_hal::Request& request, const std::vector<ScopedFileDescriptor>& waitFor,
        const aidl_hal::ExecutionConfig& config, int64_t deadlineNs, int64_t durationNs,
        aidl_hal::FencedExecutionResult* result) {
    if (!hasConfigs()) return unknownMethod();
    return launch("executeFencedWithConfig", request, waitFor, config, deadlineNs, durationNs,
                  result);
}

ScopedAStatus AidlPreparedModelAdapter::configureExecutionBurst(
        std::shared_ptr<aidl_hal::IBurst>* burst) {
    using Hal = std::shared_ptr<aidl_hal::IBurst>;
    return returnResult(
            *mContext, "configureExecutionBurst", burst, [&](Losses*) -> GeneralResult<Hal> {
                GeneralResult<SharedBurst> made = mChecked->configureExecutionBurst();
                if (!made.has_value()) return made.status();
                if (*made == nullptr) return error() << "the device gave no burst";
                return Hal(ndk::SharedRefBase::make<AidlBurstAdapter>(mContext, *std::move(made)));
            });
}

ScopedAStatus AidlPreparedModelAdapter::createReusableExecution(
        const aidl_hal::Request& request, const aidl_hal::ExecutionConfig& config,
        std::shared_ptr<aidl_hal::IExecution>* execution) {
    if (!hasConfigs()) return unknownMethod();
    using Hal = std::shared_ptr<aidl_hal::IExecution>;
    constexpr std::string_view kCall = "createReusableExecution";
    return returnResult(*mContext, kCall, execution, [&](Losses*) -> GeneralResult<Hal> {
        auto read = readExecution(request, config, driver::aidl::kNoTime);
        if (!read.has_value()) return blameClient(read.status());
        Request kept = *read->request;
        driver::keepMappings(kept);
        read->request = std::make_shared<const Request>(std::move(kept));
        auto made = read->lent().reusableOn(*mChecked);
        if (!made.has_value()) return made.status();
        if (*made == nullptr) return error() << "the device gave no execution";
        return Hal(ndk::SharedRefBase::make<AidlExecutionAdapter>(mContext, *std::move(made)));
    });
}

// ---- reusable executions

ScopedAStatus AidlExecutionAdapter::executeSynchronously(int64_t deadlineNs,
                                                         aidl_hal::ExecutionResult* result) {
    constexpr std::string_view kCall = "IExecution::executeSynchronously";
    const auto executed = contain([&]() -> ExecutionResult<Executed> {
        const auto deadline = readDeadline(deadlineNs);
        if (!deadline.has_value()) return blameClient(deadline.status());
        return driver::logged(mContext->log, VlogTag::DRIVER, "adapter", kCall,
                              [&] { return mExecution->compute(*deadline); });
    });
    return returnExecution(*mContext, kCall, executed, result);
}

ScopedAStatus AidlExecutionAdapter::executeFenced(const std::vector<ScopedFileDescriptor>& waitFor,
                                                  int64_t deadlineNs, int64_t durationNs,
                                                  aidl_hal::FencedExecutionResult* result) {
    using Hal = aidl_hal::FencedExecutionResult;
    constexpr std::string_view kCall = "IExecution::executeFenced";
    return returnResult(*mContext, kCall, result, [&](Losses*) -> GeneralResult<Hal> {
        const auto fences = readFences(waitFor);
        const auto deadline = readDeadline(deadlineNs);
        const auto afterFences = readDuration(durationNs);
        for (const Status& argument : {fences.status(), deadline.status(), afterFences.status()}) {
            if (!argument.ok()) return blameClient(argument);
        }
        return fencedResult(mContext, mExecution->computeFenced(*fences, *deadline, *afterFences));
    });
}

// ---- fenced executions

// The status reports failures too.
ScopedAStatus AidlFencedAdapter::getExecutionInfo(aidl_hal::Timing* launched,
                                                  aidl_hal::Timing* fenced,
                                                  aidl_hal::ErrorStatus* status) {
    if (launched == nullptr || fenced == nullptr || status == nullptr) {
        return ScopedAStatus::fromExceptionCode(EX_NULL_POINTER);
    }
    using Timings = std::pair<aidl_hal::Timing, aidl_hal::Timing>;
    const auto [code, timings, why] = askIn<aidl_hal::ErrorStatus, Timings>(
            mContext->version, *mContext, "getExecutionInfo",
            [&](Losses*) -> GeneralResult<Timings> {
                const auto canonical = mInfo();
                if (!canonical.has_value()) return canonical.status();
                const auto sinceLaunch = AIDL4::utils::convert(canonical->first);
                const auto sinceFences = AIDL4::utils::convert(canonical->second);
                for (const Status& each : {sinceLaunch.status(), sinceFences.status()}) {
                    if (!each.ok()) return blameDevice(each);
                }
                return Timings(*sinceLaunch, *sinceFences);
            });
    const bool isDone = code == aidl_hal::ErrorStatus::NONE;
    *launched = isDone ? timings.first : kNoTiming;
    *fenced = isDone ? timings.second : kNoTiming;
    *status = code;
    return ScopedAStatus::ok();
}

}  // namespace nn::hal::adapter
