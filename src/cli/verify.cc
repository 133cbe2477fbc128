// The main job: does a model survive each version of the interface?
#include "cli/command.h"
#include "nnapi/passes.h"

namespace nn::cli {
namespace {

// How the executions of a model compare.
struct ExecutionCheck {
    bool compared = false;
    bool pass = false;
    double maxAbsError = 0;  // of the converted model against the original
    std::string message{};   // why they were not compared, or where they differ
};

// What one version does to a model.
struct Verdict {
    bool converts = false;
    bool valid = false;      // the versioned object, by that version's own rules
    bool identical = false;  // comes back equal
    Losses losses{};
    ExecutionCheck execution{};
    std::vector<Diagnostic> diagnostics{};  // why it does not convert
    bool tooNew = false;                    // the only reason is that it needs a later version

    std::string_view roundTrip() const {
        return !converts ? "refused" : identical ? "identical" : "lossy";
    }

    // Nothing went wrong: the version carries the model and proves it, or is too old for it, or
    // the model is one to be refused. What was lost is named exactly when something was.
    bool good(bool expectsFailure) const {
        if (!converts) return tooNew || expectsFailure;
        return valid && identical == losses.empty() && (execution.pass || !execution.compared);
    }
};

Result<std::vector<Tensor>> execute(const Model& model, const std::vector<Tensor>& inputs,
                                    const Options& options) {
    NNAPI_ASSIGN_OR_RETURN(prepared, prepareFor(options, model));
    return prepared.run(inputs);
}

ExecutionCheck compareExecutions(const Name& name, const Model& original,
                                 const Result<std::vector<Tensor>>& expected, const Model& back,
                                 const std::vector<Tensor>& inputs, const Options& options) {
    const Result<std::vector<Tensor>> actual = execute(back, inputs, options);
    if (!expected.ok() || !actual.ok()) {  // for the same reason, or one alone
        return {.compared = true,
                .pass = expected.status() == actual.status(),
                .message = messageOf(expected.ok() ? actual.status() : expected.status())};
    }
    testing::Comparison c =
            testing::compareOutputs(original, *expected, *actual, criteriaFor(name, original));
    return {.compared = true,
            .pass = c.pass,
            .maxAbsError = c.maxAbsError,
            .message = std::move(c.message)};
}

Verdict judge(const Name& name, const Model& model, HalVersion version,
              const std::optional<std::vector<Tensor>>& inputs,
              const Result<std::vector<Tensor>>& outputs, const Options& options) {
    const Limits& limits = options.limits;
    Verdict verdict;
    const Result<HalModel> versioned = convertTo(version, model, &verdict.losses, limits);
    if (!versioned.ok()) {
        verdict.diagnostics = diagnosticsOf(versioned.status());
        const Result<Version> needed = nn::validate(model, limits);
        verdict.tooNew = needed.ok() && !isCompliantVersion(*needed, toVersion(version));
        return verdict;
    }
    verdict.converts = true;
    const Result<Model> back = convertFrom(*versioned, limits);
    verdict.valid = back.ok();
    if (!back.ok()) {
        verdict.diagnostics = diagnosticsOf(back.status());
        return verdict;
    }
    verdict.identical = *back == model;
    if (inputs) {
        verdict.execution = compareExecutions(name, model, outputs, *back, *inputs, options);
    } else {
        verdict.execution.message = "no inputs to execute with";
    }
    return verdict;
}

Json jsonOf(const Name& name, HalVersion version, const Verdict& verdict) {
    Json execution = {{"compared", verdict.execution.compared},
                      {"pass", verdict.execution.pass},
                      {"maxAbsError", verdict.execution.maxAbsError}};
    if (!verdict.execution.message.empty()) execution["message"] = verdict.execution.message;
    return {{"name", name},
            {"hal", toString(version)},
            {"converts", verdict.converts},
            {"valid", verdict.valid},
            {"roundTrip", verdict.roundTrip()},
            {"losses", toJson(verdict.losses)},
            {"execution", std::move(execution)},
            {"diagnostics", toJson(verdict.diagnostics)}};
}

void printRow(const Output& output, HalVersion version, const Verdict& v) {
    const auto yes = [](bool value) { return value ? "yes" : "no"; };
    output.text("  HAL {}  {:<9} {:<6} {:<11} {:<7} {:<15} {}\n", toString(version),
                yes(v.converts), v.converts ? yes(v.valid) : "-", v.roundTrip(), v.losses.size(),
                !v.execution.compared ? "-" : yes(v.execution.pass),
                v.execution.compared ? fmt::format("{:.3g}", v.execution.maxAbsError) : "-");
}

void printDetails(const Output& output, HalVersion version, const Verdict& v) {
    for (const Loss& loss : v.losses)
        output.text("    {} lost: {}\n", toString(version), toString(loss));
    for (const Diagnostic& d : v.diagnostics)
        output.text("    {} refused: {}\n", toString(version), toString(d));
    if (v.execution.compared && !v.execution.pass) {
        output.text("    {} differs: {}\n", toString(version), v.execution.message);
    }
}

// The original against what the test case expects of it.
bool meetsExpectation(const Output& output, const Input& input, const Model& model,
                      const Result<std::vector<Tensor>>& outputs) {
    if (!input.testCase || input.testCase->expectFailure || !outputs.ok() ||
        input.testCase->expectedMultinomialDistributionTolerance > 0) {
        return true;
    }
    const testing::Comparison c = testing::compareOutputs(model, expectedOutputs(*input.testCase),
                                                          *outputs, criteriaFor(input.name, model));
    output.text("  expected outputs: {}, worst error {:.3g}\n", c.pass ? "met" : c.message,
                c.maxAbsError);
    return c.pass;
}

Exit verifyModel(const Output& output, Input& input, const Options& options) {
    Result<Model> model = canonical(std::move(input.model));
    if (!model.ok()) {
        Output::complain(fmt::format("{}: {}", input.name, messageOf(model.status())));
        return kInvalidOrDiffers;
    }
    std::optional<std::vector<Tensor>> inputs;
    if (input.testCase) inputs = input.testCase->inputs;
    const Result<std::vector<Tensor>> outputs =
            inputs ? execute(*model, *inputs, options)
                   : makeError(ErrorStatus::GENERAL_FAILURE, "no inputs to execute with");

    // What is left computes what the whole did.
    if (options.minimize) model = minimize(*std::move(model)).model;

    output.text("{}\n  {:<8} {:<9} {:<6} {:<11} {:<7} {:<15} {}\n", input.name, "version",
                "converts", "valid", "round trip", "losses", "executes equal", "worst error");
    bool good = true;
    std::vector<Verdict> verdicts;
    for (const HalVersion version : kHalVersions) {
        verdicts.push_back(judge(input.name, *model, version, inputs, outputs, options));
        if (output.isJson()) output.object(jsonOf(input.name, version, verdicts.back()));
        printRow(output, version, verdicts.back());
        good = good && verdicts.back().good(input.testCase && input.testCase->expectFailure);
    }
    for (size_t i = 0; i < verdicts.size(); ++i) printDetails(output, kHalVersions[i], verdicts[i]);
    if (inputs && !outputs.ok()) output.text("  not executed: {}\n", messageOf(outputs.status()));
    if (!meetsExpectation(output, input, *model, outputs)) good = false;
    output.text("\n");
    return good ? kGood : kInvalidOrDiffers;
}

}  // namespace

Exit verify(const Options& options) {
    const Output output(options.json);
    return forEachInput(options, [&](Input& input) { return verifyModel(output, input, options); });
}

}  // namespace nn::cli
