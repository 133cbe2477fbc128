// Calls AIDL drivers and checks transport status and error codes.
#pragma once

#include <string_view>
#include <utility>

#include "driver/wrap/answer_checks.h"
#include "driver/wrap/execution_report.h"
#include "nnapi/driver/callbacks.h"
#include "nnapi/hal/aidl/interfaces.h"

namespace nn::driver::aidl {

using hal::utils::failureOf;

// The code of a driver; GENERAL_FAILURE for one that AIDL does not have.
ErrorStatus codeOf(aidl_hal::ErrorStatus status);

// Of an execution that was not measured, and of whatever has no deadline.
inline constexpr int64_t kNoTime = -1;
inline constexpr aidl_hal::Timing kNoTiming = {.timeOnDeviceNs = kNoTime,
                                               .timeInDriverNs = kNoTime};

// Calls a method that answers one value: invoke(&value).
template <class Value, class Invoke>
Result<Value> ask(std::string_view call, const Invoke& invoke) {
    Value value{};
    NNAPI_RETURN_IF_ERROR(failureOf(invoke(&value), call));
    return value;
}

// Calls a method that executes: invoke(&result). Outputs that are too small are no failure of it.
template <class Invoke>
GeneralResult<hal::utils::ExecutionReport> report(std::string_view call, const Invoke& invoke) {
    aidl_hal::ExecutionResult result;
    if (const Status failed = failureOf(invoke(&result), call); !failed.ok()) {
        const bool isWrong = errorStatus(failed) == ErrorStatus::OUTPUT_INSUFFICIENT_SIZE;
        return isWrong ? wrongAnswer(call, failed) : failed;
    }
    const ErrorStatus code =
            result.outputSufficientSize ? ErrorStatus::NONE : ErrorStatus::OUTPUT_INSUFFICIENT_SIZE;
    return makeReport(code, result.outputShapes, result.timing, kNoTiming);
}

}  // namespace nn::driver::aidl
