#include "runtime/plan/device_results.h"

#include <string>
#include <utility>

#include "driver/fences/execution_outcome.h"
#include "runtime/plan/exception_guard.h"

namespace nn::runtime {

GeneralResult<FencedTimings> checkedInfos(const ExecuteFencedInfoCallback& callback,
                                          MeasureTiming measure) {
    return driver::checkExecutionResult(
            guardExceptions<GeneralResult<FencedTimings>>([&] { return callback(); }), measure,
            kResultNames);
}

ExecutionResult<Executed> executeOn(const IPreparedModel& preparedModel, const ExecutionCall& call,
                                    const std::vector<driver::OutputSignature>& signature) {
    return driver::checkExecutionResult(
            guardExceptions<ExecutionResult<Executed>>([&] { return call.on(preparedModel); }),
            {call.request.outputs, &signature}, call.measure, kResultNames);
}

bool isFinal(ErrorStatus code, const OptionalTimePoint& deadline, bool hasLoop) {
    switch (code) {
        case ErrorStatus::OUTPUT_INSUFFICIENT_SIZE:
            return true;
        case ErrorStatus::MISSED_DEADLINE_TRANSIENT:
        case ErrorStatus::MISSED_DEADLINE_PERSISTENT:
            return hasLoop || hasDeadlinePassed(deadline);
        case ErrorStatus::NONE:
        case ErrorStatus::DEVICE_UNAVAILABLE:
        case ErrorStatus::GENERAL_FAILURE:
        case ErrorStatus::INVALID_ARGUMENT:
        case ErrorStatus::RESOURCE_EXHAUSTED_TRANSIENT:
        case ErrorStatus::RESOURCE_EXHAUSTED_PERSISTENT:
        case ErrorStatus::DEAD_OBJECT:
            return false;
    }
    return false;
}

Timing sum(const Timing& a, const Timing& b) {
    const auto both = [](const OptionalDuration& x, const OptionalDuration& y) {
        return x && y ? OptionalDuration(driver::extendedBy(*x, *y)) : std::nullopt;
    };
    return {both(a.timeOnDevice, b.timeOnDevice), both(a.timeInDriver, b.timeInDriver)};
}

}  // namespace nn::runtime
