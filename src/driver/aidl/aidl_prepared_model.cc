#include "driver/aidl/aidl_prepared_model.h"

#include "driver/aidl/burst_wrapper.h"
#include "driver/wrap/versioned_arguments.h"

namespace nn::driver {

using aidl::ask;

Result<aidl_hal::Request> AidlPreparedModel::convertRequest(HalVersion version,
                                                            const nn::Request& request,
                                                            Losses* losses) {
    return convertFor<kNewest>(version, request, losses);
}

std::string_view AidlPreparedModel::nameOfExecuteSynchronously(const Execution& execution) const {
    if (execution != nullptr) return "IExecution::executeSynchronously";
    return hasConfigs() ? "executeSynchronouslyWithConfig" : "executeSynchronously";
}

GeneralResult<hal::utils::ExecutionReport> AidlPreparedModel::executeSynchronously(
        const Execution& execution, const Request& request,
        const ExecuteArguments& arguments) const {
    return aidl::report(nameOfExecuteSynchronously(execution), [&](auto* result) {
        if (execution != nullptr)
            return execution->executeSynchronously(arguments.deadline, result);
        if (hasConfigs()) {
            return mDriver->executeSynchronouslyWithConfig(request, arguments.config(),
                                                           arguments.deadline, result);
        }
        return mDriver->executeSynchronously(request, arguments.measure, arguments.deadline,
                                             arguments.loopTimeoutDuration, result);
    });
}

std::string_view AidlPreparedModel::nameOfExecuteFenced(const Execution& execution) const {
    if (execution != nullptr) return "IExecution::executeFenced";
    return hasConfigs() ? "executeFencedWithConfig" : "executeFenced";
}

Result<std::pair<::ndk::ScopedFileDescriptor, AidlPreparedModel::FencedInfo>>
AidlPreparedModel::executeFenced(const Execution& execution, const Request& request,
                                 const AidlFiles& waitFor, const ExecuteArguments& arguments,
                                 int64_t duration) const {
    const auto invoke = [&](auto* result) {
        if (execution != nullptr) {
            return execution->executeFenced(waitFor, arguments.deadline, duration, result);
        }
        if (hasConfigs()) {
            return mDriver->executeFencedWithConfig(request, waitFor, arguments.config(),
                                                    arguments.deadline, duration, result);
        }
        return mDriver->executeFenced(request, waitFor, arguments.measure, arguments.deadline,
                                      arguments.loopTimeoutDuration, duration, result);
    };
    NNAPI_ASSIGN_OR_RETURN(
            result, (ask<aidl_hal::FencedExecutionResult>(nameOfExecuteFenced(execution), invoke)));
    return std::pair(std::move(result.syncFence), std::move(result.callback));
}

Result<SyncFence> AidlPreparedModel::fenceOf(const ::ndk::ScopedFileDescriptor& fd) {
    if (fd.get() < 0) return SyncFence::createAsSignaled();
    NNAPI_ASSIGN_OR_RETURN(shared, convert(fd));
    return SyncFence::create(std::move(shared));
}

Result<AidlPreparedModel::Timings> AidlPreparedModel::getExecutionInfo(const FencedInfo& callback) {
    constexpr std::string_view kCall = "getExecutionInfo";
    Timings timings;
    NNAPI_ASSIGN_OR_RETURN(status, (ask<aidl_hal::ErrorStatus>(kCall, [&](auto* result) {
                               return callback->getExecutionInfo(&timings.first, &timings.second,
                                                                 result);
                           })));
    const ErrorStatus code = aidl::codeOf(status);
    if (code != ErrorStatus::NONE) return refusal(code, kCall);
    return timings;
}

GeneralResult<SharedBurst> AidlPreparedModel::configureExecutionBurst(
        const SharedPreparedModel&, const WrapOptions& options,
        SharedOutputSignatures outputs) const {
    constexpr std::string_view kCall = "configureExecutionBurst";
    NNAPI_ASSIGN_OR_RETURN(burst, (ask<std::shared_ptr<aidl_hal::IBurst>>(kCall, [&](auto* result) {
                               return mDriver->configureExecutionBurst(result);
                           })));
    if (burst == nullptr) return error() << kCall << ": the driver reports NONE without a burst";
    return aidl::wrapBurst(std::move(burst), mVersion, options, std::move(outputs));
}

Result<AidlPreparedModel::Execution> AidlPreparedModel::createReusableExecution(
        const Request& request, const ExecuteArguments& arguments) const {
    NNAPI_ASSIGN_OR_RETURN(execution, (ask<Execution>(kCreateReusableExecution, [&](auto* result) {
                               return mDriver->createReusableExecution(request, arguments.config(),
                                                                       result);
                           })));
    if (execution != nullptr) return execution;
    return Status(error() << kCreateReusableExecution
                          << ": the driver reports NONE without an execution");
}

}  // namespace nn::driver
