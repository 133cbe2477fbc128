#include "driver/wrap/answer_checks.h"

#include "nnapi/validate.h"

namespace nn::driver {

Status refusal(ErrorStatus code, std::string_view call) {
    return error(code) << call << ": the driver answers " << code;
}

Status wrongAnswer(std::string_view call, const Status& status) {
    const std::string_view message(status.message().data(), status.message().size());
    return error() << call << ": " << message;
}

GeneralResult<SharedBuffer> checkedBuffer(GeneralResult<SharedBuffer> buffer) {
    if (!buffer.has_value()) return buffer;
    if (*buffer == nullptr) return error() << "the device gave no buffer";
    if ((*buffer)->getToken() == Request::MemoryDomainToken{}) {
        return error() << "the device gave a buffer with token 0";
    }
    return buffer;
}

ExecutionResult<Executed> judge(ExecutionResult<Executed> executed, const ExpectedOutputs& expected,
                                MeasureTiming measure, std::string_view call) {
    if (!executed.has_value()) {
        const ExecutionError failure = executed.error();
        const Status wrong = checkOutputShapes(failure.code, failure.outputShapes, expected);
        if (!wrong.ok()) return wrongAnswer(call, wrong);
        return executed;
    }
    auto& [outputShapes, timing] = *executed;
    if (const Status wrong = checkOutputShapes(ErrorStatus::NONE, outputShapes, expected);
        !wrong.ok()) {
        return wrongAnswer(call, wrong);
    }
    NNAPI_RETURN_IF_ERROR(judge(timing, measure, call));
    return executed;
}

Status judge(Timing& timing, MeasureTiming measure, std::string_view call) {
    if (measure != MeasureTiming::YES) {
        timing = {};
        return {};
    }
    const auto valid = validate(timing);
    return valid.ok() ? Status() : wrongAnswer(call, valid.status());
}

}  // namespace nn::driver
