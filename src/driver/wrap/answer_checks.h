// Checks what drivers of any family answer: error codes, shapes, timings, null objects.
#pragma once

#include <string_view>

#include "driver/wrap/output_shapes.h"
#include "nnapi/driver/interfaces.h"
#include "nnapi/driver/result.h"

namespace nn::driver {

// A failure with the code of a driver, which is not NONE.
Status refusal(ErrorStatus code, std::string_view call);

// What is wrong with an answer: the same message after the call, GENERAL_FAILURE whatever code the
// status has.
Status wrongAnswer(std::string_view call, const Status& status);

// The answer of an execution to a request with these outputs, or GENERAL_FAILURE where no execution
// may answer that: wrong shapes, see driver/wrap/output_shapes.h, or times that cannot be. Times
// that nobody asked for are left out, whatever they are.
ExecutionResult<Executed> judge(ExecutionResult<Executed> executed, const ExpectedOutputs& expected,
                                MeasureTiming measure, std::string_view call);

// The same for times alone.
Status judge(Timing& timing, MeasureTiming measure, std::string_view call);

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
