// Converts a driver's report of an execution to a canonical result.
#pragma once

#include "driver/wrap/output_shapes.h"
#include "nnapi/convert.h"
#include "nnapi/driver/callbacks.h"

namespace nn::driver {

// Makes a report of a result with shapes, of any version. `none` is the timing of unmeasured
// executions: the usual case, which needs no conversion.
template <class HalShapes, class HalTiming>
hal::utils::ExecutionReport makeReport(ErrorStatus code, const HalShapes& shapes,
                                       const HalTiming& timing, const HalTiming& none) {
    hal::utils::ExecutionReport report;
    report.code = code;
    report.outputShapes.emplace(std::vector<OutputShape>());
    if (shapes.size() != 0) report.outputShapes = convert(shapes);
    if (code == ErrorStatus::NONE && timing != none) report.timing = convert(timing);
    return report;
}

// As checkExecutionResult() in driver/wrap/result_checks.h; also GENERAL_FAILURE for a report that
// does not convert.
ExecutionResult<Executed> checkExecutionResult(hal::utils::ExecutionReport report,
                                               const ExpectedOutputs& expected,
                                               MeasureTiming measure, std::string_view call);

}  // namespace nn::driver
