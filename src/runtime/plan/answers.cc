#include "runtime/plan/answers.h"

#include <string>
#include <utility>

#include "driver/fences/execution_outcome.h"
#include "nnapi/validate.h"
#include "runtime/plan/exception_guard.h"

namespace nn::runtime {
namespace {

Status checkTimes(Timing& timing, MeasureTiming measure) {
    if (measure == MeasureTiming::NO) {
        timing = {};
        return {};
    }
    const auto legal = validate(timing);
    if (legal.ok()) return {};
    return error() << "the driver answers times that cannot be: "
                   << std::string(legal.status().message());
}

}  // namespace

ExecutionResult<Executed> checkedAnswer(ExecutionResult<Executed> answer,
                                        const driver::ExpectedOutputs& expected,
                                        MeasureTiming measure) {
    if (!answer.has_value()) {
        const ExecutionError failure = answer.error();
        NNAPI_RETURN_IF_ERROR(
                driver::checkOutputShapes(failure.code, failure.outputShapes, expected));
        return answer;
    }
    NNAPI_RETURN_IF_ERROR(driver::checkOutputShapes(ErrorStatus::NONE, answer->first, expected));
    NNAPI_RETURN_IF_ERROR(checkTimes(answer->second, measure));
    return answer;
}

GeneralResult<FencedInfos> checkedInfos(const ExecuteFencedInfoCallback& callback,
                                        MeasureTiming measure) {
    auto infos = guardExceptions<GeneralResult<FencedInfos>>([&] { return callback(); });
    if (!infos.has_value()) return infos;
    NNAPI_RETURN_IF_ERROR(checkTimes(infos->first, measure));
    NNAPI_RETURN_IF_ERROR(checkTimes(infos->second, measure));
    return infos;
}

ExecutionResult<Executed> executeOn(const IPreparedModel& preparedModel, const Request& request,
                                    const CallArguments& arguments,
                                    const std::vector<driver::OutputSignature>& signature) {
    return checkedAnswer(guardExceptions<ExecutionResult<Executed>>([&] {
                             return preparedModel.execute(request, arguments.measure,
                                                          arguments.deadline, arguments.loopTimeout,
                                                          arguments.hints, arguments.prefixes);
                         }),
                         {request.outputs, &signature}, arguments.measure);
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
