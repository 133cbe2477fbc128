// verify: does a model survive each version of the interface?
#include <absl/strings/str_split.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <memory>
#include <nlohmann/json.hpp>
#include <utility>

#include "base/status_message.h"
#include "comparison/expectations.h"
#include "nnapi/comparison.h"
#include "nnapi/convert.h"
#include "nnapi/passes.h"
#include "nnapi/validated_model.h"
#include "tools/nnapi/command.h"
#include "tools/nnapi/commands/verify_report.h"
#include "tools/nnapi/import_files.h"
#include "tools/nnapi/input_files.h"
#include "tools/nnapi/interrupt.h"
#include "tools/nnapi/output_files.h"
#include "tools/nnapi/output_parts.h"
#include "tools/nnapi/preparation.h"
#include "tools/nnapi/progress.h"
#include "validate/validation_facts.h"

namespace nn::cli {
namespace {

// A model, and the models that come back from the versions. Each distinct one is checked once.
class Checks {
   public:
    Checks(std::shared_ptr<const Model> model, const Options& options)
        : mLimits(options.limits),
          mModel(std::move(model)),
          mChecked(nn::validateModel(mModel, mLimits, {.isCancelled = interrupted})) {
        if (mChecked.ok()) mKnown.push_back(*mChecked);
    }

    const Model& model() const { return *mModel; }
    const Result<ValidatedModel>& checked() const { return mChecked; }

    // Why a version cannot carry the model.
    Status refusal(HalVersion version) const {
        const Version target = toVersion(version);
        return mChecked.ok() ? validateFor(*mChecked, target)
                             : validateFor(*mModel, target, mLimits);
    }

    // A model that came back from the version.
    Result<ValidatedModel> check(Model back, HalVersion version) {
        const Version target = toVersion(version);
        for (const ValidatedModel& known : mKnown) {
            if (known.model() != back) continue;
            NNAPI_RETURN_IF_ERROR(validateFor(known, target));
            return ModelValidator::replace(known, std::move(back));
        }
        NNAPI_ASSIGN_OR_RETURN(checked, checkFor(std::move(back), target, mLimits));
        mKnown.push_back(checked);
        return checked;
    }
    bool isOriginal(const ValidatedModel& model) const {
        return &model.found() == &mChecked->found();
    }

   private:
    Limits mLimits;
    std::shared_ptr<const Model> mModel;
    Result<ValidatedModel> mChecked;
    std::vector<ValidatedModel> mKnown{};  // all distinct
};

// A model to verify, and its execution.
struct Subject {
    Checks checks;
    ExecutionInputs inputs{};
    ExecuteOptions execution{};
    Result<std::vector<Tensor>> outputs = std::vector<Tensor>();  // of the interpreter

    // Random inputs show nothing about a model that rejects them.
    bool isComparable() const { return outputs.ok() || !inputs.seed; }
};

Result<std::vector<Tensor>> execute(const ValidatedModel& model, const Subject& subject,
                                    const Options& options) {
    NNAPI_ASSIGN_OR_RETURN(prepared, prepareFor(options, model));
    return prepared.run(subject.inputs.values, subject.execution);
}

ExecutionCheck compareExecutions(const UntrustedText& name, const Model& original,
                                 const Subject& subject, const ValidatedModel& back,
                                 const Options& options) {
    const Result<std::vector<Tensor>>& expected = subject.outputs;
    if (!subject.isComparable()) return {.message = messageOf(expected.status())};
    const Result<std::vector<Tensor>> actual = execute(back, subject, options);
    if (!expected.ok() || !actual.ok()) {  // both for the same reason, or only one
        return {.compared = true,
                .pass = expected.status() == actual.status(),
                .message = messageOf(expected.ok() ? actual.status() : expected.status())};
    }
    testing::Comparison c = testing::compareOutputs(original, *expected, *actual,
                                                    testing::criteriaFor(name.raw, original));
    return {.compared = true,
            .pass = c.pass,
            .maxAbsError = c.maxAbsError,
            .message = std::move(c.message)};
}

VersionVerdict judge(const UntrustedText& name, Subject& subject, HalVersion version,
                     const Options& options) {
    Checks& checks = subject.checks;
    VersionVerdict verdict{.hasConverters = hasConverters(version)};
    const Status refusal = checks.refusal(version);
    const Result<HalModel> versioned =
            refusal.ok() ? unvalidatedConvertTo(version, checks.model(), &verdict.losses)
                         : Result<HalModel>(refusal);
    if (!versioned.ok()) {
        verdict.diagnostics = diagnosticsOf(versioned.status());
        verdict.tooNew = !refusal.ok() && checks.checked().ok();
        verdict.valid = !verdict.hasConverters && refusal.ok();
        return verdict;
    }
    verdict.converts = true;
    Result<Model> back = unvalidatedConvertFrom(*versioned);
    const Result<ValidatedModel> checked =
            back.ok() ? checks.check(*std::move(back), version) : back.status();
    verdict.valid = checked.ok();
    if (!checked.ok()) {
        verdict.diagnostics = diagnosticsOf(checked.status());
        return verdict;
    }
    verdict.identical = checks.isOriginal(*checked);
    verdict.execution = compareExecutions(name, checks.model(), subject, *checked, options);
    return verdict;
}

// The lines below the first of a message, or the message of one line.
std::vector<Diagnostic> reasonsOf(const Status& status) {
    std::vector<std::string> lines = absl::StrSplit(messageOf(status), "\n  ");
    if (lines.size() == 1) return diagnosticsOf(status);
    std::vector<Diagnostic> reasons;
    for (size_t i = 1; i < lines.size(); ++i) reasons.push_back({.message = std::move(lines[i])});
    return reasons;
}

// Out to a file of TensorFlow Lite and in again.
VersionVerdict judgeTflite(const UntrustedText& name, const Checks& checks,
                           const Options& options) {
    VersionVerdict verdict;
    const Result<std::string> bytes = checks.checked().ok()
                                              ? exportBytes(checks.model(), {}, verdict.losses)
                                              : Result<std::string>(checks.checked().status());
    if (!bytes.ok()) {
        verdict.diagnostics = reasonsOf(bytes.status());
        verdict.tooNew = checks.checked().ok();
        return verdict;
    }
    verdict.converts = true;
    const Result<std::string> difference =
            differenceOfTflite(*bytes, name.raw, checks.model(), options);
    verdict.valid = difference.ok();
    verdict.identical = difference.ok() && difference->empty();
    verdict.execution.message = "compared by structure";
    if (!difference.ok()) verdict.diagnostics = diagnosticsOf(difference.status());
    return verdict;
}

Json jsonOf(const UntrustedText& name, const std::string& version, const VersionVerdict& verdict) {
    Json execution = {{"compared", verdict.execution.compared},
                      {"pass", verdict.execution.pass},
                      {"maxAbsError", verdict.execution.maxAbsError}};
    if (!verdict.execution.message.empty()) execution["message"] = verdict.execution.message;
    return {{"name", name},
            {"hal", version},
            {"converts", verdict.converts},
            {"valid", verdict.valid},
            {"roundTrip", verdict.roundTrip()},
            {"losses", toJson(verdict.losses)},
            {"importLosses", toJson(verdict.importLosses)},
            {"execution", std::move(execution)},
            {"diagnostics", toJson(verdict.diagnostics)}};
}

void printRow(const Output& output, const std::string& title, const VersionVerdict& v) {
    const auto yes = [](bool value) { return value ? "yes" : "no"; };
    const bool isKnown = v.converts || !v.hasConverters;
    output.text("  {:<8} {:<9} {:<6} {:<11} {:<7} {:<15} {}\n", title, yes(v.converts),
                isKnown ? yes(v.valid) : "-", v.roundTrip(),
                v.losses.size() + v.importLosses.size(),
                !v.execution.compared ? "-" : yes(v.execution.pass),
                v.execution.compared ? fmt::format("{:.3g}", v.execution.maxAbsError) : "-");
}

void printDetails(const Output& output, const std::string& version, const VersionVerdict& v) {
    for (const Loss& loss : v.importLosses)
        output.text("    {} lost by the import: {}\n", version, toString(loss));
    for (const Loss& loss : v.losses) output.text("    {} lost: {}\n", version, toString(loss));
    for (const Diagnostic& d : v.diagnostics)
        output.text("    {} refused: {}\n", version, toString(d));
    if (v.execution.compared && !v.execution.pass) {
        output.text("    {} differs: {}\n", version, v.execution.message);
    }
}

// Prints all rows, or the remarkable ones.
void printReport(const Output& output, const VerifyReport& report, bool all) {
    std::vector<size_t> shown;
    for (size_t i = 0; i < report.verdicts.size(); ++i) {
        if (all || report.verdicts[i].isRemarkable(report.expectsFailure)) shown.push_back(i);
    }
    output.text("{}\n", report.name);
    if (!shown.empty()) {
        output.text("  {:<8} {:<9} {:<6} {:<11} {:<7} {:<15} {}\n", "version", "converts", "valid",
                    "round trip", "losses", "executes equal", "worst error");
    }
    for (const size_t i : shown) printRow(output, titleOfRow(i), report.verdicts[i]);
    for (const size_t i : shown) printDetails(output, nameOfRow(i), report.verdicts[i]);
    for (const auto& [why, versions] : notCompared(report, shown)) {
        output.text("    {} not executed: {}\n", fmt::format("{}", fmt::join(versions, ", ")), why);
    }
    if (all && report.isExecutedOnRandomInputs())
        output.text("  executed {}\n", report.inputs.origin());
    if (!report.notExecuted.empty()) output.text("  not executed: {}\n", report.notExecuted);
    if (const auto& met = report.expectation; met && (all || !met->pass)) {
        output.text("  expected outputs: {}, worst error {:.3g}\n",
                    met->pass ? "met" : met->message, met->maxAbsError);
    }
    output.text("\n");
}

void printSummary(const Output& output, const VerifySummary& summary) {
    output.text("{} verified, {} failed{}\n", counted(summary.models, "model", "models"),
                summary.bad, thenInterrupted(output));
    output.text("  {:<8} {:>9} {:>6} {:>8}  {:<20} {}\n", "version", "identical", "lossy",
                "refused", "executed equal", "worst error");
    for (size_t i = 0; i < summary.rows.size(); ++i) {
        const VerifySummary::Row& row = summary.rows[i];
        const bool isCompared = row.compared > 0;
        output.text("  {:<8} {:>9} {:>6} {:>8}  {:<20} {}\n", titleOf(kHalVersions[i]),
                    row.identical, row.lossy, row.refused,
                    isCompared ? fmt::format("{} of {}", row.equal, row.compared) : "-",
                    isCompared ? fmt::format("{:.3g}", row.maxAbsError) : "-");
    }
}

// Compares the original with its test case; empty where the test case expects no values.
std::optional<testing::Comparison> compareWithExpectation(
        const Input& input, const Model& model, const Result<std::vector<Tensor>>& outputs) {
    if (!input.testCase || input.testCase->expectFailure || !outputs.ok() ||
        input.testCase->expectedMultinomialDistributionTolerance > 0) {
        return std::nullopt;
    }
    return testing::compareOutputs(model, testing::expectedOutputs(*input.testCase), *outputs,
                                   testing::criteriaFor(input.name.raw, model));
}

// Executes a model on the inputs of the command line; what is verified is smaller with --minimize.
Subject subjectOf(const Input& input, Model&& model, const Options& options) {
    Subject subject{.checks = Checks(std::make_shared<const Model>(std::move(model)), options)};
    subject.execution = input.testCase ? executeOptions(*input.testCase)
                                       : ExecuteOptions{.isCancelled = interrupted};
    subject.outputs = [&]() -> Result<std::vector<Tensor>> {
        NNAPI_RETURN_IF_ERROR(subject.checks.checked().status());
        // Random until inputs are given, also where there cannot be any.
        if (!input.testCase) subject.inputs.seed = options.seed;
        NNAPI_ASSIGN_OR_RETURN(inputs, inputsOf(input, subject.checks.model(), options));
        subject.inputs = std::move(inputs);
        return execute(*subject.checks.checked(), subject, options);
    }();
    // The smaller model computes what the whole one did.
    if (options.minimize) {
        Minimized small = minimize(subject.checks.model());
        subject.checks = Checks(std::make_shared<const Model>(std::move(small.model)), options);
    }
    return subject;
}

// The file imported anew for a version, as `convert` does it; losses are those that the model of
// `input` does not have.
Result<Model> importFor(HalVersion version, const Input& input, const Options& options,
                        Losses& losses) {
    Options forVersion = options;
    forVersion.hal = version;
    NNAPI_ASSIGN_OR_RETURN(import, input.content
                                           ? importBytes(input.content->bytes, "stdin", forVersion)
                                           : importFile(input.file, forVersion));
    for (const Loss& loss : import.losses) {
        if (std::ranges::find(input.import->losses, loss) == input.import->losses.end())
            losses.push_back(loss);
    }
    return wholeModelOf(std::move(import));
}

// The same for the model that the file becomes for the version, where its own is too new.
VersionVerdict judgeImported(const Input& input, Subject& subject, HalVersion version,
                             const Options& options) {
    VersionVerdict verdict = judge(input.name, subject, version, options);
    if (!input.import || !verdict.tooNew || options.partial || options.importFor) return verdict;
    Losses losses;
    Result<Model> model = importFor(version, input, options, losses);
    if (!model.ok()) return verdict;
    Subject older = subjectOf(input, *std::move(model), options);
    VersionVerdict imported = judge(input.name, older, version, options);
    if (!imported.converts) return verdict;
    imported.importLosses = std::move(losses);
    return imported;
}

// Empty after a complaint, or where the user interrupts.
std::optional<VerifyReport> examine(Input& input, const Options& options) {
    Result<Model> model = canonical(std::move(input.model));
    if (!model.ok()) {
        Output::complain(fmt::format("{}: {}", input.name, messageOf(model.status())));
        return std::nullopt;
    }
    Subject subject = subjectOf(input, *std::move(model), options);
    VerifyReport report{.name = input.name,
                        .expectsFailure = input.testCase && input.testCase->expectFailure};
    for (const HalVersion version : kHalVersions) {
        report.verdicts.push_back(judgeImported(input, subject, version, options));
        if (interrupted()) return std::nullopt;
    }
    if (input.import) report.verdicts.push_back(judgeTflite(input.name, subject.checks, options));
    report.inputs.seed = subject.inputs.seed;
    report.inputs.hasOpenDimensions = subject.inputs.hasOpenDimensions;
    if (input.testCase && !subject.outputs.ok())
        report.notExecuted = messageOf(subject.outputs.status());
    report.expectation = compareWithExpectation(input, subject.checks.model(), subject.outputs);
    return report;
}

}  // namespace

Exit verify(const Options& options) {
    const Progress progress;
    const Output output(options.json);
    VerifySummary summary;
    Html sections;                      // of --html
    std::optional<VerifyReport> first;  // shown in full if it is the only one
    const std::string& page = options.cases.html;
    if (const Status writable = page.empty() ? Status() : requireWritable(page); !writable.ok()) {
        return Output::complain(writable);
    }
    const auto show = [&](const VerifyReport& report, bool all) {
        printReport(output, report, all);
        sections += sectionOf(report);
    };
    const Exit exit = forEachInput(options, [&](Input& input) {
        std::optional<VerifyReport> report = examine(input, options);
        if (!report) return kInvalidOrDiffers;
        for (size_t i = 0; i < report->verdicts.size() && output.isJson(); ++i)
            output.object(jsonOf(report->name, nameOfRow(i), report->verdicts[i]));
        summary.add(*report);
        const Exit outcome = report->good() ? kGood : kInvalidOrDiffers;
        if (summary.models == 1) {
            first = std::move(report);
            return outcome;
        }
        for (const auto& shown : {std::exchange(first, std::nullopt), std::move(report)}) {
            if (shown && (options.all || shown->isRemarkable())) show(*shown, options.all);
        }
        return outcome;
    });
    if (first) show(*first, /*all=*/true);
    if (summary.models > 1 || interrupted()) printSummary(output, summary);
    if (page.empty()) return exit;
    summary.isComplete = exit != kUsageOrUnreadable && !interrupted();
    const Status status = writeVerifyPage(page, summary, sections);
    return status.ok() ? exit : Output::complain(status);
}

}  // namespace nn::cli
