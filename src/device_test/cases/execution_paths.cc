#include "device_test/cases/execution_paths.h"

#include <fcntl.h>
#include <unistd.h>

namespace nn::testing {
namespace {

ExecutionResult<Executed> fenced(const IPreparedModel& prepared, const Request& request,
                                 const PathOptions& options) {
    auto launched = prepared.executeFenced(request, {}, options.measure, options.deadline,
                                           options.loopTimeout, {}, {}, {});
    if (!launched.has_value()) return launched.status();
    const auto& [fence, callback] = *launched;
    const auto state =
            fence.hasFd() ? fence.syncWait(options.patience) : SyncFence::FenceState::SIGNALED;
    if (state == SyncFence::FenceState::ACTIVE) return error() << "the fence is not signaled";
    if (!callback) return error() << "executeFenced returns no callback";
    auto info = callback();
    if (!info.has_value()) return info.status();
    if (state != SyncFence::FenceState::SIGNALED) {
        return error() << "the fence is in error, but its callback reports a success";
    }
    return Executed{{}, info->first};
}

}  // namespace

std::string_view nameOf(ExecutionPath path) {
    switch (path) {
        case ExecutionPath::SYNC:
            return "sync";
        case ExecutionPath::REUSABLE:
            return "reusable";
        case ExecutionPath::BURST:
            return "burst";
        case ExecutionPath::FENCED:
            return "fenced";
    }
    return "unknown";
}

ExecutionResult<Executed> executeBy(ExecutionPath path, const IPreparedModel& prepared,
                                    const Request& request, const PathOptions& options) {
    switch (path) {
        case ExecutionPath::SYNC:
            break;
        case ExecutionPath::REUSABLE: {
            auto execution = prepared.createReusableExecution(request, options.measure,
                                                              options.loopTimeout, {}, {});
            if (!execution.has_value()) return execution.status();
            if (*execution == nullptr) return error() << "createReusableExecution returns null";
            return (*execution)->compute(options.deadline);
        }
        case ExecutionPath::BURST: {
            auto burst = prepared.configureExecutionBurst();
            if (!burst.has_value()) return burst.status();
            if (*burst == nullptr) return error() << "configureExecutionBurst returns null";
            return (*burst)->execute(request, options.measure, options.deadline,
                                     options.loopTimeout, {}, {});
        }
        case ExecutionPath::FENCED:
            return fenced(prepared, request, options);
    }
    return prepared.execute(request, options.measure, options.deadline, options.loopTimeout, {},
                            {});
}

Failure lackOfFences(const IDevice& device, const Status& status, ExecutionPath path) {
    const bool isLack = path == ExecutionPath::FENCED && !status.ok() &&
                        device.getFeatureLevel().level < Version::Level::FEATURE_LEVEL_4 &&
                        errorStatus(status) == ErrorStatus::GENERAL_FAILURE;
    if (!isLack) return std::nullopt;
    return notSupported("fenced executions");
}

OwnFence::OwnFence() {
    int ends[2];
    if (pipe2(ends, O_CLOEXEC) != 0) return;
    mRead = std::make_shared<const Handle>(ends[0]);
    mWrite = UniqueFd(ends[1]);
}

void OwnFence::signal() const {
    const ssize_t written = write(mWrite.get(), "x", 1);
    (void)written;  // on failure, waiting for the fence times out
}

}  // namespace nn::testing
