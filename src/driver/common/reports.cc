#include "driver/common/reports.h"

#include "driver/common/answers.h"

namespace nn::driver {

ExecutionResult<Executed> judge(hal::utils::ExecutionReport report, const ExpectedOutputs& expected,
                                MeasureTiming measure, std::string_view call) {
    const bool isInsufficient = report.code == ErrorStatus::OUTPUT_INSUFFICIENT_SIZE;
    std::vector<OutputShape> shapes;
    if (report.outputShapes && report.outputShapes->ok()) shapes = **std::move(report.outputShapes);
    const bool hasShapes = report.outputShapes && report.outputShapes->ok();

    if (report.code == ErrorStatus::NONE) {
        if (report.outputShapes && !hasShapes)
            return wrongAnswer(call, report.outputShapes->status());
        if (!report.timing.ok()) return wrongAnswer(call, report.timing.status());
    } else if (!hasShapes) {
        return refusal(report.code, call);
    }
    if (const Status wrong = checkOutputShapes(report.code, shapes, expected); !wrong.ok()) {
        return wrongAnswer(call, wrong);
    }
    if (report.code != ErrorStatus::NONE) {
        return {refusal(report.code, call),
                isInsufficient ? std::move(shapes) : std::vector<OutputShape>()};
    }
    return Executed{std::move(shapes), measure == MeasureTiming::YES ? *report.timing : Timing{}};
}

}  // namespace nn::driver
