#include "driver/wrap/result_checks.h"

#include "nnapi/validate.h"

namespace nn::driver {
namespace {

Status judgeTiming(Timing& timing, MeasureTiming measure, std::string_view name) {
    if (measure != MeasureTiming::YES) {
        timing = {};
        return {};
    }
    const auto valid = validate(timing);
    return valid.ok() ? Status() : invalidResult(name, valid.status());
}

}  // namespace

Status refusal(ErrorStatus code, std::string_view call) {
    return error(code) << call << ": the driver reports " << code;
}

Status invalidResult(std::string_view call, const Status& status) {
    const std::string_view message(status.message().data(), status.message().size());
    return error() << call << (call.empty() ? "" : ": ") << message;
}

GeneralResult<SharedBuffer> checkedBuffer(GeneralResult<SharedBuffer> buffer) {
    if (!buffer.has_value()) return buffer;
    if (*buffer == nullptr) return error() << kNullBuffer;
    if ((*buffer)->getToken() == Request::MemoryDomainToken{}) return error() << kTokenZero;
    return buffer;
}

bool isOfWrongBuffer(const Status& status) {
    const absl::string_view message = status.message();
    const auto has = [&](std::string_view text) {
        return message.find(absl::string_view(text.data(), text.size())) != message.npos;
    };
    return has(kNullBuffer) || has(kTokenZero) || has(kNegativeToken);
}

ExecutionResult<Executed> checkExecutionResult(ExecutionResult<Executed> executed,
                                               const ExpectedOutputs& expected,
                                               MeasureTiming measure, const ResultNames& names) {
    if (!executed.has_value()) {
        const ExecutionError failure = executed.error();
        const Status wrong = checkOutputShapes(failure.code, failure.outputShapes, expected);
        if (!wrong.ok()) return invalidResult(names.shapes, wrong);
        return executed;
    }
    auto& [outputShapes, timing] = *executed;
    if (const Status wrong = checkOutputShapes(ErrorStatus::NONE, outputShapes, expected);
        !wrong.ok()) {
        return invalidResult(names.shapes, wrong);
    }
    NNAPI_RETURN_IF_ERROR(judgeTiming(timing, measure, names.times));
    return executed;
}

GeneralResult<FencedTimings> checkExecutionResult(GeneralResult<FencedTimings> timings,
                                                  MeasureTiming measure, const ResultNames& names) {
    if (!timings.has_value()) return timings;
    for (Timing* each : {&timings->first, &timings->second}) {
        NNAPI_RETURN_IF_ERROR(judgeTiming(*each, measure, names.times));
    }
    return timings;
}

}  // namespace nn::driver
