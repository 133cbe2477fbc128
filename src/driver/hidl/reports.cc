#include "driver/hidl/reports.h"

#include "driver/hidl/transport.h"
#include "nnapi/convert.h"

namespace nn::driver::hidl {
namespace {

// No times at all, which most answers have and which need no conversion.
bool isEmpty(const V1_2::Timing& timing) {
    return timing.timeOnDevice == UINT64_MAX && timing.timeInDriver == UINT64_MAX;
}

}  // namespace

hal::utils::ExecutionReport makeReport(ErrorStatus code,
                                       const nn::hidl::hidl_vec<V1_2::OutputShape>& shapes,
                                       const V1_2::Timing& timing) {
    hal::utils::ExecutionReport report;
    report.code = code;
    report.outputShapes.emplace(std::vector<OutputShape>());
    if (!shapes.empty()) report.outputShapes = convert(shapes);
    if (code == ErrorStatus::NONE && !isEmpty(timing)) report.timing = convert(timing);
    return report;
}

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

}  // namespace nn::driver::hidl
