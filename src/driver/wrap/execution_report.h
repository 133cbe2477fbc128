// Converts a driver's report of an execution to a canonical result.
#pragma once

#include "driver/wrap/output_shapes.h"
#include "nnapi/convert.h"
#include "nnapi/driver/callbacks.h"

namespace nn::driver {

// Of an answer that has shapes, in any version. No times at all, `none`, is what most answers have
// and what needs no conversion.
template <class HalShapes, class HalTiming>
hal::utils::ExecutionReport makeReport(ErrorStatus code, const HalShapes& shapes,
                                       const HalTiming& timing, const HalTiming& none) {
    hal::utils::ExecutionReport report;
    report.code = code;
    report.outputShapes.emplace(std::vector<OutputShape>());
    if (!shapes.empty()) report.outputShapes = convert(shapes);
    if (code == ErrorStatus::NONE && timing != none) report.timing = convert(timing);
    return report;
}

// The same as for the answer of a canonical device, see driver/wrap/answer_checks.h, with
// GENERAL_FAILURE also for what does not convert.
ExecutionResult<Executed> judge(hal::utils::ExecutionReport report, const ExpectedOutputs& expected,
                                MeasureTiming measure, std::string_view call);

}  // namespace nn::driver
