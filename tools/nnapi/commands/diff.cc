// Finds where two executions differ: of two models, of a model and its copy that comes back from a
// version, of a model and the dump of a driver, or of the reference and a device.
#include "base/printable.h"
#include "base/status_message.h"
#include "nnapi/comparison.h"
#include "nnapi/convert.h"
#include "tools/nnapi/command.h"
#include "tools/nnapi/diff/diff_output.h"
#include "tools/nnapi/diff/dump.h"
#include "tools/nnapi/diff/sides.h"
#include "tools/nnapi/input_files.h"
#include "tools/nnapi/output_parts.h"

namespace nn::cli {
namespace {

// All results of one execution are kept until the other is compared with them.
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
        verdict.diagnostics = {tooManyResults(limits)};
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
            // The comparison may continue after different values.
            const bool goesOn = !difference || (difference->output && !options.drawing.empty());
            enter(expected, std::move(difference), verdict);
            return goesOn;
        }
        return false;
    });
    if (!verdict.first && next < steps.size() && second.ok()) {
        verdict.first = Difference{.step = steps[next], .message = "the other does not execute it"};
    }
    // Two failures with the same reason are not a difference, but leave the rest unexecuted.
    if (!verdict.first) {
        if (!first.ok()) verdict.diagnostics = diagnosticsOf(first);
        if (first != second) {
            for (Diagnostic& why : diagnosticsOf(second)) verdict.diagnostics.push_back(why);
        }
    }
    return verdict;
}

Exit diffWithVersion(DiffOutput& output, const Options& options) {
    const std::string version(titleOf(*options.hal));
    return forEachExecution(options, [&](Input& input) {
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
        return output.add(*side, {.exact = version, .shown = version}, verdict);
    });
}

Exit diffWithDump(DiffOutput& output, const Options& options) {
    Result<DumpReader> dump = DumpReader::open(options.dump, options.limits);
    if (!dump.ok()) return Output::complain(dump.status());
    return forEachExecution(options, [&](Input& input) {
        const std::optional<Side> side = sideOf(input, options);
        if (!side) return kUsageOrUnreadable;
        const Result<std::string> prefix = dumpPrefix(input.name.raw, input.testCase.has_value());
        const Result<Verdict> verdict = prefix.ok()
                                                ? compareWithDump(*side, options, *dump, *prefix)
                                                : Result<Verdict>(prefix.status());
        if (!verdict.ok()) {
            return Output::complain(fmt::format("{}: {}", input.name, messageOf(verdict.status())));
        }
        return output.add(*side, {.exact = options.dump, .shown = printable(options.dump)},
                          *verdict);
    });
}

// Compares each model of the first file with the one in the same place of the second, on the inputs
// of the first.
Exit diffOfFiles(DiffOutput& output, const Options& options) {
    std::vector<Side> sides;
    const Exit read = forEachExecutionOf(options.files[0], options, [&](Input& input) {
        std::optional<Side> side = sideOf(input, options);
        if (!side) return kUsageOrUnreadable;
        sides.push_back(*std::move(side));
        return kGood;
    });
    if (read != kGood) return read;
    size_t next = 0;
    const Exit exit = forEachExecutionOf(options.files[1], options, [&](Input& input) {
        if (next++ >= sides.size()) return kUsageOrUnreadable;
        const Side& a = sides[next - 1];
        std::optional<Model> model = modelOf(input);
        if (!model) return kUsageOrUnreadable;
        const Side b{.model = *std::move(model), .inputs = a.inputs, .name = input.name};
        return output.add(a, {.exact = b.name.raw, .shown = fmt::to_string(b.name)},
                          compare(a, b, options));
    });
    if (next != sides.size()) {
        return Output::complain(fmt::format("{} has {}, {} {}", options.files[0],
                                            counted(sides.size(), "model", "models"),
                                            options.files[1], next));
    }
    return exit;
}

}  // namespace

Exit diff(const Options& options) {
    if (!hasValidUsage(options)) return kUsageOrUnreadable;
    DiffOutput output(options);
    return output.finish(options.hal             ? diffWithVersion(output, options)
                         : !options.dump.empty() ? diffWithDump(output, options)
                                                 : diffOfFiles(output, options));
}

}  // namespace nn::cli
