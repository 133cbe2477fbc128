// Calls AIDL drivers and checks transport status and error codes.
#pragma once

#include <string_view>
#include <utility>

#include "driver/wrap/execution_report.h"
#include "driver/wrap/result_checks.h"
#include "nnapi/driver/callbacks.h"
#include "nnapi/hal/aidl/interfaces.h"

namespace nn::driver::aidl {

using hal::utils::failureOf;

// A driver's code; GENERAL_FAILURE for one that AIDL lacks.
ErrorStatus codeOf(aidl_hal::ErrorStatus status);

// No deadline, no timeout, and the time of an execution that was not measured.
inline constexpr int64_t kNoTime = -1;
inline constexpr aidl_hal::Timing kNoTiming = {.timeOnDeviceNs = kNoTime,
                                               .timeInDriverNs = kNoTime};

// Calls a method with one result: invoke(&value).
template <class Value, class Invoke>
Result<Value> ask(std::string_view call, const Invoke& invoke) {
    Value value{};
    NNAPI_RETURN_IF_ERROR(failureOf(invoke(&value), call));
    return value;
}

// Calls a method that executes: invoke(&result). Insufficient outputs are reported, not a failure.
template <class Invoke>
GeneralResult<hal::utils::ExecutionReport> report(std::string_view call, const Invoke& invoke) {
    aidl_hal::ExecutionResult result;
    if (const Status failed = failureOf(invoke(&result), call); !failed.ok()) {
        const bool isWrong = errorStatus(failed) == ErrorStatus::OUTPUT_INSUFFICIENT_SIZE;
        return isWrong ? invalidResult(call, failed) : failed;
    }
    const ErrorStatus code =
            result.outputSufficientSize ? ErrorStatus::NONE : ErrorStatus::OUTPUT_INSUFFICIENT_SIZE;
    return makeReport(code, result.outputShapes, result.timing, kNoTiming);
}

}  // namespace nn::driver::aidl
