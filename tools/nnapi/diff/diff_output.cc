#include "tools/nnapi/diff/diff_output.h"

#include <nlohmann/json.hpp>

#include "base/files.h"
#include "base/printable.h"
#include "tools/nnapi/output_parts.h"
#include "tools/nnapi/text_layout.h"

namespace nn::cli {
namespace {

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
    json["tolerance"] = {{"absolute", d.tolerance.absolute}, {"relative", d.tolerance.relative}};
    return json;
}

Json jsonOf(const std::vector<OperationAlone>& each) {
    Json rows = Json::array();
    for (const OperationAlone& alone : each) {
        const testing::ValueStatistics& own = alone.statistics;
        const bool isNan = own.largest == UINT64_MAX;
        rows.push_back({{"place", alone.place},
                        {"agrees", alone.difference.empty()},
                        {"difference", alone.difference},
                        {"values", own.values()},
                        {"counts", own.counts},
                        {"exact", own.share(0)},
                        {"meanError", own.meanError()},
                        {"largest", isNan ? Json("NaN") : Json(own.largest)}});
    }
    return rows;
}

// "add against HAL 1.2: 3 operations agree, then differs"
std::string summaryOf(const Side& a, const OtherSide& other, const Verdict& verdict) {
    const bool isEach = verdict.device && !verdict.device->each.empty();
    std::string text = fmt::format(
            "{} against {}{}{}{}: {}", a.name, other.shown,
            isEach ? ", each operation by itself" : "", a.inputs.seed ? ", " : "",
            a.inputs.origin(), counted(verdict.operations, "operation agrees", "operations agree"));
    if (isEach && verdict.first) {
        const size_t different = verdict.device->each.size() - verdict.operations;
        text += fmt::format(", {} differ{}", different, different == 1 ? "s" : "");
    } else if (verdict.first) {
        text += ", then differs";
    } else if (!verdict.diagnostics.empty()) {
        text += ", then fails";
    } else {
        text += fmt::format(", max error {:.3g}, at most {} ulps", verdict.maxAbsError,
                            verdict.maxUlps);
    }
    if (verdict.device && !verdict.device->left.empty()) {
        text += fmt::format("; {} not compared",
                            counted(verdict.device->left.size(), "operation is", "operations are"));
    }
    if (!verdict.dumped || verdict.dumped->missing == 0) return text;
    return text + fmt::format("; {} not in the dump",
                              counted(verdict.dumped->missing, "tensor is", "tensors are"));
}

Json jsonOf(const Side& a, const OtherSide& other, const Verdict& verdict) {
    Json object = {{"name", a.name},
                   {"against", other.exact},
                   {"same", verdict.same()},
                   {"inputsSeed", a.inputs.seed ? Json(*a.inputs.seed) : Json()},
                   {"operations", verdict.operations},
                   {"maxAbsError", verdict.maxAbsError},
                   {"maxUlps", verdict.maxUlps},
                   {"first", verdict.first ? jsonOf(*verdict.first) : Json()},
                   {"diagnostics", toJson(verdict.diagnostics)}};
    if (verdict.dumped) {
        object["missing"] = verdict.dumped->missing;
        object["unknown"] = verdict.dumped->unknown;
    }
    if (verdict.device) {
        object["preparations"] = verdict.device->preparations;
        object["left"] = verdict.device->left;
        object["byItself"] =
                verdict.device->byItself.empty() ? Json() : Json(verdict.device->byItself);
        object["fused"] = verdict.device->fused;
        object["alone"] = verdict.device->alone ? Json(*verdict.device->alone) : Json();
        object["each"] = jsonOf(verdict.device->each);
    }
    return object;
}

}  // namespace

Exit DiffOutput::add(const Side& a, const OtherSide& other, const Verdict& verdict) {
    const std::string summary = summaryOf(a, other, verdict);
    if (mOutput.isJson()) mOutput.object(jsonOf(a, other, verdict));
    if (mHasReport) report(summary, verdict);
    if (!mOptions.drawing.empty()) {
        mDrawings +=
                drawing(a.model, {.name = a.name.raw,
                                  .caption = summary + "\ngreen: agrees; red: the first to differ; "
                                                       "orange: differs; white: not compared",
                                  .marks = verdict.marks});
    }
    return verdict.same() ? kGood : kInvalidOrDiffers;
}

Exit DiffOutput::finish(Exit exit) const {
    if (mOptions.drawing.empty()) return exit;
    if (!mHasReport) {
        mOutput.text("{}", Lines{mDrawings});
        return exit;
    }
    const Status written = writeFile(mOptions.drawing, mDrawings);
    return written.ok() ? exit : Output::complain(written);
}

void DiffOutput::report(const std::string& summary, const Verdict& verdict) const {
    mOutput.text("{}\n", summary);
    const bool isEach = verdict.device && !verdict.device->each.empty();
    if (isEach) {
        reportEach(verdict.device->each);
    } else if (verdict.first) {
        const testing::TensorComparison& c = verdict.first->comparison;
        mOutput.text("  {}: {}\n", placeOf(*verdict.first), verdict.first->message);
        if (c.first) {
            mOutput.text("  of {}: max error {:.3g}, mean error {:.3g}, at most {} ulps\n",
                         counted(c.elements, "element", "elements"), c.maxAbsError, c.meanAbsError,
                         c.maxUlps);
            if (verdict.device) {
                const testing::Tolerance& allowed = verdict.first->tolerance;
                mOutput.text("  allowed: {} absolute, {} relative\n", allowed.absolute,
                             allowed.relative);
            }
        }
    } else {
        for (const Diagnostic& why : verdict.diagnostics) {
            mOutput.text("  {}\n", why.rule.empty() ? why.message : toString(why));
        }
    }
    if (verdict.device) report(*verdict.device);
    if (!verdict.dumped) return;
    for (const std::string& name : verdict.dumped->unknown) {
        mOutput.text("  {}: no operation computes it\n", printable(name));
    }
}

// For the author of the driver: the place of the difference, and the operations that were not
// compared.
void DiffOutput::report(const DeviceParts& parts) const {
    if (parts.fused) {
        mOutput.text(
                "  only where no value before it is an output: look for what the device joins\n");
    } else if (parts.alone) {
        mOutput.text("  {}\n",
                     *parts.alone ? "by itself, with the inputs of the reference, it differs too"
                                  : "by itself, with the inputs of the reference, it agrees: "
                                    "small differences of those before it add up");
    }
    if (!parts.byItself.empty()) {
        mOutput.text("  the first that differs by itself: {}\n", parts.byItself);
    }
    const size_t shown = mOptions.out.empty() ? 0 : parts.examples.size();
    for (size_t i = 0; i < shown; ++i) {
        mOutput.text("  as a test case of its own: {} in {}\n", printable(parts.examples[i].name),
                     printable(mOptions.out));
    }
    for (const std::string& name : parts.passing) {
        mOutput.text("  not in {}: {}, which the device passes as a test case of its own\n",
                     printable(mOptions.out), printable(name));
    }
    for (const std::string& left : parts.left) mOutput.text("  {}\n", left);
    mOutput.text("  {}\n",
                 counted(parts.preparations, "model was prepared", "models were prepared"));
}

// How far the results of each operation are off.
void DiffOutput::reportEach(const std::vector<OperationAlone>& each) const {
    constexpr size_t kWidth = 140;
    std::vector<std::vector<std::string>> rows{{"operation", "", "results"}};
    for (const OperationAlone& alone : each) {
        std::string results = toString(alone.statistics);
        if (!alone.difference.empty()) results = alone.difference + "; " + results;
        rows.push_back(
                {alone.place, alone.difference.empty() ? "agrees" : "DIFFERS", onOneLine(results)});
    }
    mOutput.text("{}", Lines{table(std::move(rows), 2, kWidth)});
}

}  // namespace nn::cli
