#include "driver/wrap/execution_report.h"

#include "driver/wrap/result_checks.h"

namespace nn::driver {

ExecutionResult<Executed> checkExecutionResult(hal::utils::ExecutionReport report,
                                               const ExpectedOutputs& expected,
                                               MeasureTiming measure, std::string_view call) {
    const bool isSuccess = report.code == ErrorStatus::NONE;
    const bool hasShapes = report.outputShapes && report.outputShapes->ok();
    if (isSuccess && report.outputShapes && !hasShapes) {
        return invalidResult(call, report.outputShapes->status());
    }
    // HAL 1.0 reports no shapes: the code is all that there is to check.
    if (!isSuccess && !hasShapes) return refusal(report.code, call);
    std::vector<OutputShape> shapes;
    if (hasShapes) shapes = **std::move(report.outputShapes);

    if (!isSuccess) {
        return checkExecutionResult({refusal(report.code, call), std::move(shapes)}, expected,
                                    measure, call);
    }
    if (!report.timing.ok()) return invalidResult(call, report.timing.status());
    return checkExecutionResult(Executed{std::move(shapes), *report.timing}, expected, measure,
                                call);
}

}  // namespace nn::driver
