// Checks what drivers of any family answer: error codes, shapes, timings, null objects.
#pragma once

#include <string_view>
#include <utility>

#include "driver/wrap/output_shapes.h"
#include "nnapi/driver/interfaces.h"
#include "nnapi/driver/result.h"

namespace nn::driver {

// A failure with the code of a driver, which is not NONE.
Status refusal(ErrorStatus code, std::string_view call);

// What is wrong with an answer: the same message after the call, where it has a name;
// GENERAL_FAILURE whatever code the status has.
Status wrongAnswer(std::string_view call, const Status& status);

// What messages about an answer begin with.
struct AnswerNames {
    constexpr AnswerNames(std::string_view call) : shapes(call), times(call) {}
    constexpr AnswerNames(const char* call) : AnswerNames(std::string_view(call)) {}
    constexpr AnswerNames(std::string_view ofShapes, std::string_view ofTimes)
        : shapes(ofShapes), times(ofTimes) {}

    std::string_view shapes{};
    std::string_view times{};
};

// The one judge of executions, for all who ask a device or offer one: wrappers, adapters, bursts,
// plans, services. The answer of an execution to a request with these outputs, or GENERAL_FAILURE
// where no execution may answer that: wrong shapes, see driver/wrap/output_shapes.h, or times that
// cannot be. Times that nobody asked for are left out, whatever they are.
ExecutionResult<Executed> judge(ExecutionResult<Executed> executed, const ExpectedOutputs& expected,
                                MeasureTiming measure, const AnswerNames& names);

// The same for what a fenced execution tells afterwards.
using FencedTimings = std::pair<Timing, Timing>;
GeneralResult<FencedTimings> judge(GeneralResult<FencedTimings> timings, MeasureTiming measure,
                                   const AnswerNames& names);

// What a driver says of a preparation.
template <class PreparedModel>
GeneralResult<PreparedModel> preparation(std::string_view call, ErrorStatus code,
                                         const PreparedModel& preparedModel) {
    if (code != ErrorStatus::NONE) return refusal(code, call);
    if (preparedModel == nullptr) {
        return error() << call << ": the driver answers NONE without a prepared model";
    }
    return preparedModel;
}

// What a canonical device answers to allocate: a buffer, which a token names.
GeneralResult<SharedBuffer> checkedBuffer(GeneralResult<SharedBuffer> buffer);

}  // namespace nn::driver
