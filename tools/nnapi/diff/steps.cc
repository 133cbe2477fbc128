#include "tools/nnapi/diff/steps.h"

#include <algorithm>

#include "comparison/expectations.h"
#include "tools/nnapi/output_parts.h"

namespace nn::cli {

Step stepOf(const ComputedOperation& computed) {
    Step step{.place = fmt::format("{} {}", computed.path, computed.name),
              .operation = std::string(computed.name),
              .path = std::string(computed.path),
              .graph = computed.graph,
              .index = computed.operation};
    for (const ComputedOperation::Output& output : computed.outputs) {
        step.outputs.push_back(
                {.operand = output.operand,
                 .type = output.type,
                 .value = {.dimensions = {output.dimensions.begin(), output.dimensions.end()},
                           .data = {output.data.begin(), output.data.end()}}});
    }
    return step;
}

std::optional<Difference> differenceOf(const Step& expected, size_t output, const Tensor& actual,
                                       const testing::Criteria& criteria, Verdict& verdict) {
    const Step::Output& wanted = expected.outputs[output];
    testing::TensorComparison c =
            testing::compareTensors(wanted.type, wanted.value, actual, criteria.of(wanted.type));
    if (!c.pass) {
        return Difference{.step = expected,
                          .message = c.message,
                          .output = output,
                          .comparison = c,
                          .tolerance = criteria.of(wanted.type)};
    }
    if (!verdict.first) {
        verdict.maxAbsError = std::max(verdict.maxAbsError, c.maxAbsError);
        verdict.maxUlps = std::max(verdict.maxUlps, c.maxUlps);
    }
    return std::nullopt;
}

std::optional<Difference> differenceOf(const Step& expected, const Step& actual,
                                       const testing::Criteria& criteria, Verdict& verdict) {
    if (expected.operation != actual.operation ||
        expected.outputs.size() != actual.outputs.size()) {
        return Difference{
                .step = expected,
                .message = fmt::format("the other executes {} with {}", actual.place,
                                       counted(actual.outputs.size(), "output", "outputs"))};
    }
    for (size_t i = 0; i < expected.outputs.size(); ++i) {
        const Step::Output& wanted = expected.outputs[i];
        const Step::Output& got = actual.outputs[i];
        if (wanted.type != got.type) {
            return Difference{.step = expected,
                              .message = fmt::format("type {}, expected {}", toString(got.type),
                                                     toString(wanted.type)),
                              .output = i};
        }
        if (auto difference = differenceOf(expected, i, got.value, criteria, verdict)) {
            return difference;
        }
    }
    return std::nullopt;
}

void enter(const Step& step, std::optional<Difference> difference, Verdict& verdict) {
    using Color = DrawingMark::Color;
    if (!difference) {
        if (!verdict.first) ++verdict.operations;
        verdict.marks.try_emplace(step.path, DrawingMark{.color = Color::GREEN});
        return;
    }
    const std::string where =
            difference->output ? fmt::format("output {}, ", *difference->output) : "";
    DrawingMark& mark =
            verdict.marks.try_emplace(step.path, DrawingMark{.color = Color::GREEN}).first->second;
    if (mark.color == Color::GREEN) {
        mark = {.color = verdict.first ? Color::ORANGE : Color::RED,
                .why = where + difference->message};
    }
    if (!verdict.first) verdict.first = *std::move(difference);
}

testing::Criteria criteriaOf(const Side& side, bool exact) {
    testing::Criteria criteria = testing::criteriaFor(side.name.raw, side.model);
    for (testing::Tolerance* tolerance : {&criteria.float32, &criteria.float16, &criteria.int32,
                                          &criteria.quant8, &criteria.quant16, &criteria.boolean}) {
        if (exact) *tolerance = {};
        tolerance->nanMeetsNan = true;
    }
    return criteria;
}

Diagnostic tooManyResults(const Limits& limits) {
    return {.message = fmt::format("the results of all operations take more than the {} bytes "
                                   "allowed",
                                   limits.peakBytes)};
}

}  // namespace nn::cli
