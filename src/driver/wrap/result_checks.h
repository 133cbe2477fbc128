// Checks the results of drivers of any family: error codes, shapes, timings, null objects.
#pragma once

#include <string_view>
#include <utility>

#include "driver/wrap/output_shapes.h"
#include "nnapi/driver/interfaces.h"
#include "nnapi/driver/result.h"

namespace nn::driver {

// A failure with a driver's code, which must not be NONE.
Status refusal(ErrorStatus code, std::string_view call);

// GENERAL_FAILURE with the status's message, after the name of the call if there is one.
Status invalidResult(std::string_view call, const Status& status);

// The calls that messages about shapes and times begin with.
struct ResultNames {
    constexpr ResultNames(std::string_view call) : shapes(call), times(call) {}
    constexpr ResultNames(const char* call) : ResultNames(std::string_view(call)) {}
    consteval ResultNames(std::string_view ofShapes, std::string_view ofTimes)
        : shapes(ofShapes), times(ofTimes) {}

    std::string_view shapes{};
    std::string_view times{};
};

// Checks the result of an execution. Wrappers, adapters, bursts, plans and services all use this
// function. Returns the result, or GENERAL_FAILURE for wrong shapes (driver/wrap/output_shapes.h)
// and for impossible times. Removes times that were not requested.
ExecutionResult<Executed> checkExecutionResult(ExecutionResult<Executed> executed,
                                               const ExpectedOutputs& expected,
                                               MeasureTiming measure, const ResultNames& names);

// The same for the timings that a fenced execution's callback reports.
GeneralResult<FencedTimings> checkExecutionResult(GeneralResult<FencedTimings> timings,
                                                  MeasureTiming measure, const ResultNames& names);

// The result of a preparation.
template <class PreparedModel>
GeneralResult<PreparedModel> preparation(std::string_view call, ErrorStatus code,
                                         const PreparedModel& preparedModel) {
    if (code != ErrorStatus::NONE) return refusal(code, call);
    if (preparedModel == nullptr) {
        return error() << call << ": the driver reports NONE without a prepared model";
    }
    return preparedModel;
}

// Errors of a buffer that a driver has allocated.
inline constexpr std::string_view kNullBuffer = "the buffer is null";
inline constexpr std::string_view kTokenZero = "the buffer's token is 0, which names no buffer";
inline constexpr std::string_view kNegativeToken = "the buffer's token is -";

// Checks the result of a canonical device's allocate(): a buffer with a token.
GeneralResult<SharedBuffer> checkedBuffer(GeneralResult<SharedBuffer> buffer);

// Whether allocate() failed only because of the buffer, also in a server. A device without device
// memory returns the same code.
bool isOfWrongBuffer(const Status& status);

}  // namespace nn::driver
