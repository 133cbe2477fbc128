// Where two executions part: of two models, or of one and what comes back from a version.
#include <atomic>

#include "cli/command.h"

namespace nn::cli {
namespace {

// All results of an execution are kept until the other one has been compared with them.

struct Side {
    Model model;
    std::vector<Tensor> inputs;
    std::string name;
};

// What an operation computed, and where.
struct Step {
    struct Output {
        uint32_t operand = 0;
        OperandType type = OperandType::FLOAT32;
        Tensor value{};
    };
    std::string place{};  // "main.operations[4] SOFTMAX"
    std::string operation{};
    std::string path{};
    std::vector<Output> outputs{};
};

Step stepOf(const ComputedOperation& computed) {
    Step step{.place = fmt::format("{} {}", computed.path, computed.name),
              .operation = std::string(computed.name),
              .path = std::string(computed.path)};
    for (const ComputedOperation::Output& output : computed.outputs) {
        step.outputs.push_back(
                {.operand = output.operand,
                 .type = output.type,
                 .value = {.dimensions = {output.dimensions.begin(), output.dimensions.end()},
                           .data = {output.data.begin(), output.data.end()}}});
    }
    return step;
}

struct Difference {
    Step step{};                             // of the first execution
    std::string message{};                   // what is not the same
    std::optional<size_t> output{};          // which differs; none where the operations do
    testing::TensorComparison comparison{};  // of that output
};

struct Verdict {
    size_t operations = 0;  // that agree
    double maxAbsError = 0;
    uint64_t maxUlps = 0;
    std::optional<Difference> first{};
    std::vector<Diagnostic> diagnostics{};  // why they were not compared

    bool same() const { return !first && diagnostics.empty(); }
};

// Executes and hands every step to the function until that answers false.
template <class OnStep>
Status execute(const Side& side, const Options& options, OnStep onStep) {
    NNAPI_ASSIGN_OR_RETURN(prepared, prepareFor(options, side.model));
    std::atomic<bool> isOver = false;
    const auto observer = [&](const ComputedOperation& computed) {
        if (!isOver && !onStep(stepOf(computed))) isOver = true;
    };
    const auto outputs = prepared.run(
            side.inputs, {.stop = [&] { return isOver.load(); }, .observer = observer});
    return isOver ? Status() : outputs.status();
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
        testing::TensorComparison c = testing::compareTensors(wanted.type, wanted.value, got.value,
                                                              criteria.of(wanted.type));
        if (!c.pass) {
            return Difference{.step = expected, .message = c.message, .output = i, .comparison = c};
        }
        verdict.maxAbsError = std::max(verdict.maxAbsError, c.maxAbsError);
        verdict.maxUlps = std::max(verdict.maxUlps, c.maxUlps);
    }
    ++verdict.operations;
    return std::nullopt;
}

testing::Criteria criteriaOf(const Side& side, bool exact) {
    testing::Criteria criteria = criteriaFor(side.name, side.model);
    for (testing::Tolerance* tolerance : {&criteria.float32, &criteria.float16, &criteria.int32,
                                          &criteria.quant8, &criteria.quant16, &criteria.boolean}) {
        if (exact) *tolerance = {};
        tolerance->nanMeetsNan = true;
    }
    return criteria;
}

Verdict compare(const Side& a, const Side& b, const Options& options) {
    const Limits& limits = options.limits;
    const testing::Criteria criteria = criteriaOf(a, options.exact);
    Verdict verdict;
    std::vector<Step> steps;
    uint64_t bytes = 0;
    const Status first = execute(a, options, [&](Step step) {
        for (const Step::Output& output : step.outputs) bytes += output.value.data.size();
        steps.push_back(std::move(step));
        return bytes <= limits.peakBytes;
    });
    if (first.ok() && bytes > limits.peakBytes) {
        verdict.diagnostics = {{.message = fmt::format("the results of all operations take more "
                                                       "than the {} bytes allowed",
                                                       limits.peakBytes)}};
        return verdict;
    }
    size_t next = 0;
    const Status second = execute(b, options, [&](const Step& step) {
        if (next == steps.size()) {
            if (!first.ok()) return false;  // no difference in what they compute
            verdict.first = Difference{.step = step, .message = "only the other executes it"};
        } else {
            verdict.first = differenceOf(steps[next++], step, criteria, verdict);
        }
        return !verdict.first.has_value();
    });
    if (!verdict.first && next < steps.size() && second.ok()) {
        verdict.first = Difference{.step = steps[next], .message = "the other does not execute it"};
    }
    // That both fail for the same reason is no difference.
    if (!verdict.first && first != second) {
        for (const Status& status : {first, second}) {
            for (Diagnostic& why : diagnosticsOf(status)) verdict.diagnostics.push_back(why);
        }
    }
    return verdict;
}

// "main.operations[4] SOFTMAX, output 0 (operand 17)"
std::string placeOf(const Difference& difference) {
    if (!difference.output) return difference.step.place;
    return fmt::format("{}, output {} (operand {})", difference.step.place, *difference.output,
                       difference.step.outputs[*difference.output].operand);
}

Json jsonOf(const Difference& d) {
    Json json = {{"path", d.step.path},
                 {"operation", d.step.operation},
                 {"output", nullptr},
                 {"operand", nullptr},
                 {"message", d.message}};
    if (!d.output) return json;
    json["output"] = *d.output;
    json["operand"] = d.step.outputs[*d.output].operand;
    if (!d.comparison.first) return json;
    json["element"] = d.comparison.first->element;
    json["expected"] = d.comparison.first->expected;
    json["actual"] = d.comparison.first->actual;
    json["elements"] = d.comparison.elements;
    json["maxAbsError"] = d.comparison.maxAbsError;
    json["meanAbsError"] = d.comparison.meanAbsError;
    json["maxUlps"] = d.comparison.maxUlps;
    return json;
}

Exit show(const Output& output, const Side& a, const std::string& against, const Verdict& verdict) {
    if (output.isJson()) {
        output.object({{"name", a.name},
                       {"against", against},
                       {"same", verdict.same()},
                       {"operations", verdict.operations},
                       {"maxAbsError", verdict.maxAbsError},
                       {"maxUlps", verdict.maxUlps},
                       {"first", verdict.first ? jsonOf(*verdict.first) : Json()},
                       {"diagnostics", toJson(verdict.diagnostics)}});
    }
    const std::string agreeing =
            counted(verdict.operations, "operation agrees", "operations agree");
    if (verdict.first) {
        const testing::TensorComparison& c = verdict.first->comparison;
        output.text("{} against {}: {}, then differs\n  {}: {}\n", a.name, against, agreeing,
                    placeOf(*verdict.first), verdict.first->message);
        if (c.first) {
            output.text("  of {}: max error {:.3g}, mean error {:.3g}, at most {} ulps\n",
                        counted(c.elements, "element", "elements"), c.maxAbsError, c.meanAbsError,
                        c.maxUlps);
        }
    } else if (!verdict.diagnostics.empty()) {
        output.text("{} against {}: {}, then fails\n", a.name, against, agreeing);
        for (const Diagnostic& why : verdict.diagnostics) output.text("  {}\n", toString(why));
    } else {
        output.text("{} against {}: {}, max error {:.3g}, at most {} ulps\n", a.name, against,
                    agreeing, verdict.maxAbsError, verdict.maxUlps);
    }
    return verdict.same() ? kGood : kInvalidOrDiffers;
}

// The model; nothing, after a complaint, where there is none.
std::optional<Model> modelOf(Input& input) {
    Result<Model> model = canonical(std::move(input.model));
    if (model.ok()) return *std::move(model);
    Output::complain(fmt::format("{}: {}", input.name, messageOf(model.status())));
    return std::nullopt;
}

// The model with its inputs.
std::optional<Side> sideOf(Input& input, const Options& options) {
    std::optional<Model> model = modelOf(input);
    if (!model) return std::nullopt;
    Result<std::vector<Tensor>> inputs = inputsOf(input, *model, options);
    if (!inputs.ok()) {
        Output::complain(messageOf(inputs.status()));
        return std::nullopt;
    }
    return Side{.model = *std::move(model), .inputs = *std::move(inputs), .name = input.name};
}

Exit diffWithVersion(const Output& output, const Options& options) {
    const std::string against = fmt::format("HAL {}", toString(*options.hal));
    return forEachInput(options.files, options.limits, [&](Input& input) {
        const std::optional<Side> side = sideOf(input, options);
        if (!side) return kUsageOrUnreadable;
        Verdict verdict;
        const Result<HalModel> versioned =
                convertTo(*options.hal, side->model, nullptr, options.limits);
        const Result<Model> back = versioned.ok() ? convertFrom(*versioned, options.limits)
                                                  : Result<Model>(versioned.status());
        if (back.ok()) {
            verdict = compare(*side, {.model = *back, .inputs = side->inputs, .name = side->name},
                              options);
        } else {
            verdict.diagnostics = diagnosticsOf(back.status());
        }
        return show(output, *side, against, verdict);
    });
}

}  // namespace

Exit diff(const Options& options) {
    const Output output(options.json);
    if (options.hal && options.files.size() == 1) return diffWithVersion(output, options);
    if (options.hal || options.files.size() != 2) {
        Output::complain("diff takes two files, or one and --hal");
        return kUsageOrUnreadable;
    }
    // The models of the first file against those in the same places of the second, on the inputs of
    // the first.
    std::vector<Side> sides;
    const Exit read = forEachInput({options.files[0]}, options.limits, [&](Input& input) {
        std::optional<Side> side = sideOf(input, options);
        if (!side) return kUsageOrUnreadable;
        sides.push_back(*std::move(side));
        return kGood;
    });
    if (read != kGood) return read;
    size_t next = 0;
    const Exit exit = forEachInput({options.files[1]}, options.limits, [&](Input& input) {
        if (next++ >= sides.size()) return kUsageOrUnreadable;
        const Side& a = sides[next - 1];
        std::optional<Model> model = modelOf(input);
        if (!model) return kUsageOrUnreadable;
        const Side b{.model = *std::move(model), .inputs = a.inputs, .name = input.name};
        return show(output, a, b.name, compare(a, b, options));
    });
    if (next != sides.size()) {
        Output::complain(fmt::format("{} has {}, {} {}", options.files[0],
                                     counted(sides.size(), "model", "models"), options.files[1],
                                     next));
        return kUsageOrUnreadable;
    }
    return exit;
}

}  // namespace nn::cli
