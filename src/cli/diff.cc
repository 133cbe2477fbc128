// Finds where two executions differ: of two models, of a model and its copy that comes back from a
// version, or of a model and the dump of a driver.
#include <atomic>

#include "cli/command.h"
#include "cli/dump.h"
#include "nnapi/drawing.h"
#include "nnapi/print.h"
#include "schema/files.h"
#include "testing/device/judge.h"

namespace nn::cli {
namespace {

// All results of one execution are kept until the other is compared with them.

struct Side {
    Model model;
    std::vector<Tensor> inputs;
    Name name;
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
    size_t graph = 0;
    std::vector<Output> outputs{};
};

Step stepOf(const ComputedOperation& computed) {
    Step step{.place = fmt::format("{} {}", computed.path, computed.name),
              .operation = std::string(computed.name),
              .path = std::string(computed.path),
              .graph = computed.graph};
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
    Step step{};                     // of the first execution
    std::string message{};           // what differs
    std::optional<size_t> output{};  // the output that differs; empty where the operations differ
    testing::TensorComparison comparison{};  // of that output
};

// Tensors that a dump lacks, and names in it that no tensor has.
struct Dumped {
    size_t missing = 0;
    std::vector<std::string> unknown{};
};

struct Verdict {
    size_t operations = 0;  // that agree
    double maxAbsError = 0;
    uint64_t maxUlps = 0;
    std::optional<Difference> first{};
    std::vector<Diagnostic> diagnostics{};  // why they were not compared
    DrawingMarks marks{};                   // of all operations that were compared

    std::optional<Dumped> dumped{};  // where one side is a dump

    bool same() const { return !first && diagnostics.empty(); }
};

// Executes, and calls the function with every step until it returns false.
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

// Compares one output of a step with another value.
std::optional<Difference> differenceOf(const Step& expected, size_t output, const Tensor& actual,
                                       const testing::Criteria& criteria, Verdict& verdict) {
    const Step::Output& wanted = expected.outputs[output];
    testing::TensorComparison c =
            testing::compareTensors(wanted.type, wanted.value, actual, criteria.of(wanted.type));
    if (!c.pass) {
        return Difference{
                .step = expected, .message = c.message, .output = output, .comparison = c};
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

// Records the comparison of a step. The mark of an operation that is executed several times is that
// of its first difference.
void enter(const Step& step, std::optional<Difference> difference, Verdict& verdict) {
    using Colour = DrawingMark::Colour;
    if (!difference) {
        if (!verdict.first) ++verdict.operations;
        verdict.marks.try_emplace(step.path, DrawingMark{.colour = Colour::GREEN});
        return;
    }
    const std::string where =
            difference->output ? fmt::format("output {}, ", *difference->output) : "";
    DrawingMark& mark = verdict.marks.try_emplace(step.path, DrawingMark{.colour = Colour::GREEN})
                                .first->second;
    if (mark.colour == Colour::GREEN) {
        mark = {.colour = verdict.first ? Colour::ORANGE : Colour::RED,
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
            if (!first.ok()) return false;  // their values do not differ
            verdict.first = Difference{.step = step, .message = "only the other executes it"};
        } else {
            const Step& expected = steps[next++];
            auto difference = differenceOf(expected, step, criteria, verdict);
            // After different values the comparison may go on.
            const bool goesOn = !difference || (difference->output && !options.drawing.empty());
            enter(expected, std::move(difference), verdict);
            return goesOn;
        }
        return false;
    });
    if (!verdict.first && next < steps.size() && second.ok()) {
        verdict.first = Difference{.step = steps[next], .message = "the other does not execute it"};
    }
    // Failing for the same reason is not a difference.
    if (!verdict.first && first != second) {
        for (const Status& status : {first, second}) {
            for (Diagnostic& why : diagnosticsOf(status)) verdict.diagnostics.push_back(why);
        }
    }
    return verdict;
}

// Compares an execution of the reference with the tensors in a dump.
class DumpComparison {
   public:
    DumpComparison(const Side& side, const Options& options, DumpReader& dump, std::string prefix)
        : mSide(side),
          mOptions(options),
          mDump(dump),
          mPrefix(std::move(prefix)),
          mCriteria(criteriaOf(side, options.exact)) {}

    // Fails where a tensor of the dump cannot be read or has a wrong size.
    Result<Verdict> run() {
        mVerdict.dumped.emplace();
        NNAPI_RETURN_IF_ERROR(mDump.begin(mPrefix));
        const Status executed = execute(mSide, mOptions, [&](const Step& step) {
            mUnusable = compare(step);
            return mUnusable.ok();
        });
        NNAPI_RETURN_IF_ERROR(mUnusable);
        mVerdict.dumped->unknown.assign(mDump.left().begin(), mDump.left().end());
        if (!mVerdict.first) mVerdict.diagnostics = diagnosticsOf(executed);
        if (executed.ok() && mFound == 0) {
            mVerdict.diagnostics = {
                    {.message =
                             fmt::format("the dump has none of the {} that are computed",
                                         counted(mVerdict.dumped->missing, "tensor", "tensors"))}};
        }
        return std::move(mVerdict);
    }

   private:
    Status compare(const Step& step) {
        std::optional<Difference> difference;
        size_t found = 0;
        for (size_t i = 0; i < step.outputs.size(); ++i) {
            const std::string name = mPrefix + mNames.next(step.graph, step.outputs[i].operand);
            auto dumped = mDump.take(name);
            if (!dumped) {
                ++mVerdict.dumped->missing;
                continue;
            }
            if (!dumped->ok()) return dumped->status();
            ++found;
            Tensor tensor = **std::move(dumped);
            const Tensor& wanted = step.outputs[i].value;
            if (tensor.dimensions.empty()) tensor.dimensions = wanted.dimensions;
            if (tensor.dimensions == wanted.dimensions &&
                tensor.data.size() != wanted.data.size()) {
                return makeError(ErrorStatus::INVALID_ARGUMENT,
                                 fmt::format("{}: has {}, allowed {} for {} {}, output {} of {}",
                                             mDump.placeOf(name),
                                             counted(tensor.data.size(), "byte", "bytes"),
                                             wanted.data.size(), toString(step.outputs[i].type),
                                             print(wanted.dimensions), i, step.place));
            }
            if (!difference) difference = differenceOf(step, i, tensor, mCriteria, mVerdict);
        }
        mFound += found;
        if (found != 0) enter(step, std::move(difference), mVerdict);
        return {};
    }

    const Side& mSide;
    const Options& mOptions;
    DumpReader& mDump;
    const std::string mPrefix;
    const testing::Criteria mCriteria;
    DumpNames mNames;
    Verdict mVerdict;
    Status mUnusable;
    size_t mFound = 0;  // tensors
};

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

// The name of the other side, for JSON and for people.
struct Against {
    std::string exact;
    std::string shown;
};

// "add against HAL 1.2: 3 operations agree, then differs"
std::string summaryOf(const Side& a, const Against& against, const Verdict& verdict) {
    std::string text =
            fmt::format("{} against {}: {}", a.name, against.shown,
                        counted(verdict.operations, "operation agrees", "operations agree"));
    if (verdict.first) {
        text += ", then differs";
    } else if (!verdict.diagnostics.empty()) {
        text += ", then fails";
    } else {
        text += fmt::format(", max error {:.3g}, at most {} ulps", verdict.maxAbsError,
                            verdict.maxUlps);
    }
    if (!verdict.dumped || verdict.dumped->missing == 0) return text;
    return text + fmt::format("; {} not in the dump",
                              counted(verdict.dumped->missing, "tensor is", "tensors are"));
}

// The answer of diff: a report of each pair and, at the end, their drawings.
class Answer {
   public:
    explicit Answer(const Options& options)
        : mOptions(options), mOutput(options.json), mHasReport(options.drawing != "-") {}

    Exit add(const Side& a, const Against& against, const Verdict& verdict) {
        const std::string summary = summaryOf(a, against, verdict);
        if (mOutput.isJson()) mOutput.object(jsonOf(a, against, verdict));
        if (mHasReport) report(summary, verdict);
        if (!mOptions.drawing.empty()) {
            mDrawings += drawing(a.model,
                                 {.name = a.name.raw,
                                  .caption = summary + "\ngreen: agrees; red: the first to differ; "
                                                       "orange: differs; white: not compared",
                                  .marks = verdict.marks});
        }
        return verdict.same() ? kGood : kInvalidOrDiffers;
    }

    // Writes the drawings.
    Exit finish(Exit exit) const {
        if (mOptions.drawing.empty()) return exit;
        if (!mHasReport) {
            mOutput.text("{}", mDrawings);
            return exit;
        }
        const Status written = schema::writeFile(mOptions.drawing, mDrawings);
        if (!written.ok()) Output::complain(messageOf(written));
        return written.ok() ? exit : kUsageOrUnreadable;
    }

   private:
    static Json jsonOf(const Side& a, const Against& against, const Verdict& verdict) {
        Json object = {{"name", a.name},
                       {"against", against.exact},
                       {"same", verdict.same()},
                       {"operations", verdict.operations},
                       {"maxAbsError", verdict.maxAbsError},
                       {"maxUlps", verdict.maxUlps},
                       {"first", verdict.first ? cli::jsonOf(*verdict.first) : Json()},
                       {"diagnostics", toJson(verdict.diagnostics)}};
        if (verdict.dumped) {
            object["missing"] = verdict.dumped->missing;
            object["unknown"] = verdict.dumped->unknown;
        }
        return object;
    }

    void report(const std::string& summary, const Verdict& verdict) const {
        mOutput.text("{}\n", summary);
        if (verdict.first) {
            const testing::TensorComparison& c = verdict.first->comparison;
            mOutput.text("  {}: {}\n", placeOf(*verdict.first), verdict.first->message);
            if (c.first) {
                mOutput.text("  of {}: max error {:.3g}, mean error {:.3g}, at most {} ulps\n",
                             counted(c.elements, "element", "elements"), c.maxAbsError,
                             c.meanAbsError, c.maxUlps);
            }
        } else {
            for (const Diagnostic& why : verdict.diagnostics) {
                mOutput.text("  {}\n", why.rule.empty() ? why.message : toString(why));
            }
        }
        if (!verdict.dumped) return;
        for (const std::string& name : verdict.dumped->unknown) {
            mOutput.text("  {}: no operation computes it\n", printable(name));
        }
    }

    const Options& mOptions;
    Output mOutput;
    bool mHasReport;
    std::string mDrawings;
};

// The model; empty after a complaint.
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

Exit diffWithVersion(Answer& answer, const Options& options) {
    const std::string version(titleOf(*options.hal));
    return forEachInput(options, [&](Input& input) {
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
        return answer.add(*side, {.exact = version, .shown = version}, verdict);
    });
}

Exit diffWithDump(Answer& answer, const Options& options) {
    Result<DumpReader> dump = DumpReader::open(options.dump, options.limits);
    if (!dump.ok()) {
        Output::complain(messageOf(dump.status()));
        return kUsageOrUnreadable;
    }
    return forEachInput(options, [&](Input& input) {
        const std::optional<Side> side = sideOf(input, options);
        if (!side) return kUsageOrUnreadable;
        const Result<std::string> prefix = dumpPrefix(input.name.raw, input.testCase.has_value());
        const Result<Verdict> verdict =
                prefix.ok() ? DumpComparison(*side, options, *dump, *prefix).run()
                            : Result<Verdict>(prefix.status());
        if (!verdict.ok()) {
            Output::complain(fmt::format("{}: {}", input.name, messageOf(verdict.status())));
            return kUsageOrUnreadable;
        }
        return answer.add(*side, {.exact = options.dump, .shown = printable(options.dump)},
                          *verdict);
    });
}

// Compares each model of the first file with the one in the same place of the second, on the inputs
// of the first.
Exit diffOfFiles(Answer& answer, const Options& options) {
    std::vector<Side> sides;
    const Exit read = forEachInputOf(options.files[0], options, [&](Input& input) {
        std::optional<Side> side = sideOf(input, options);
        if (!side) return kUsageOrUnreadable;
        sides.push_back(*std::move(side));
        return kGood;
    });
    if (read != kGood) return read;
    size_t next = 0;
    const Exit exit = forEachInputOf(options.files[1], options, [&](Input& input) {
        if (next++ >= sides.size()) return kUsageOrUnreadable;
        const Side& a = sides[next - 1];
        std::optional<Model> model = modelOf(input);
        if (!model) return kUsageOrUnreadable;
        const Side b{.model = *std::move(model), .inputs = a.inputs, .name = input.name};
        return answer.add(a, {.exact = b.name.raw, .shown = fmt::to_string(b.name)},
                          compare(a, b, options));
    });
    if (next != sides.size()) {
        Output::complain(fmt::format("{} has {}, {} {}", options.files[0],
                                     counted(sides.size(), "model", "models"), options.files[1],
                                     next));
        return kUsageOrUnreadable;
    }
    return exit;
}

}  // namespace

Exit diff(const Options& options) {
    const bool hasOther = options.hal || !options.dump.empty();
    if (options.files.size() != (hasOther ? 1 : 2)) {
        Output::complain("diff takes two files, or one and --hal or --dump");
        return kUsageOrUnreadable;
    }
    Answer answer(options);
    return answer.finish(options.hal             ? diffWithVersion(answer, options)
                         : !options.dump.empty() ? diffWithDump(answer, options)
                                                 : diffOfFiles(answer, options));
}

}  // namespace nn::cli
