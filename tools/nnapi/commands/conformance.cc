#include <map>
#include <nlohmann/json.hpp>

#include "base/status_message.h"
#include "comparison/expectations.h"
#include "nnapi/comparison.h"
#include "nnapi/device_test/name_filter.h"
#include "tools/nnapi/command.h"
#include "tools/nnapi/input_files.h"
#include "tools/nnapi/interrupt.h"
#include "tools/nnapi/jobs.h"
#include "tools/nnapi/preparation.h"
#include "tools/nnapi/progress.h"

namespace nn::cli {
namespace {

struct Judgment {
    enum class Result { PASS, FAIL, SKIP } result = Result::PASS;
    std::string reason{};
};

std::string_view text(Judgment::Result result) {
    switch (result) {
        case Judgment::Result::PASS:
            return "pass";
        case Judgment::Result::FAIL:
            return "fail";
        case Judgment::Result::SKIP:
            return "skip";
    }
    return "";
}

// A failing case whose first operation is a WHILE is a legal model that only a deadline ends.
Judgment judgeFailure(const Model& model, const Status& status) {
    const bool endless = !model.main.operations.empty() &&
                         model.main.operations.front().type == OperationType::WHILE;
    if (status.ok()) return {Judgment::Result::FAIL, "succeeds, expected a failure"};
    const ErrorStatus code = errorStatus(status);
    if (endless && code != ErrorStatus::MISSED_DEADLINE_TRANSIENT &&
        code != ErrorStatus::MISSED_DEADLINE_PERSISTENT) {
        return {Judgment::Result::FAIL, fmt::format("{}, expected a missed deadline: {}",
                                                    toString(code), messageOf(status))};
    }
    return {Judgment::Result::PASS, messageOf(status)};
}

Result<std::vector<Tensor>> execute(const TestCase& testCase, const Model& model,
                                    const Options& options) {
    NNAPI_ASSIGN_OR_RETURN(prepared, prepareFor(options, model));
    return prepared.run(testCase.inputs, executeOptions(testCase));
}

Judgment judge(const TestCase& testCase, const Model& model, const Options& options) {
    const Result<std::vector<Tensor>> outputs = execute(testCase, model, options);
    if (testCase.expectFailure) return judgeFailure(model, outputs.status());
    if (!outputs.ok()) return {Judgment::Result::FAIL, messageOf(outputs.status())};

    testing::Comparison comparison = testing::compareWithCase(
            model, testCase, *outputs, testing::criteriaFor(testCase.name, model));
    if (!comparison.pass) return {Judgment::Result::FAIL, std::move(comparison.message)};
    return {};
}

// A case with its judgment.
struct JudgedCase {
    UntrustedText name;
    std::string spec{};
    Judgment judgment{};
};

JudgedCase judge(Input input, const Options& options) {
    JudgedCase judged{.name = input.name, .spec = input.testCase ? input.testCase->spec : ""};
    const Result<Model> model = canonical(std::move(input.model));
    if (!model.ok()) {
        judged.judgment = {Judgment::Result::FAIL, messageOf(model.status())};
    } else if (input.testCase) {
        judged.judgment = judge(*input.testCase, *model, options);
    } else {
        judged.judgment = {Judgment::Result::SKIP, "has no expected outputs"};
    }
    return judged;
}

}  // namespace

Exit conformance(const Options& options) {
    const Progress progress;
    const auto filter = testing::nameFilter(options.cases.filters);
    if (!filter.ok()) return Output::complain(filter.status());
    const Output output(options.json);
    std::map<Judgment::Result, size_t> counts;
    Jobs<JudgedCase> jobs(options.jobs, [&](const JudgedCase& judged) {
        if (interrupted()) return kInterrupted;  // it failed because of the interruption
        const auto& [result, reason] = judged.judgment;
        ++counts[result];
        if (output.isJson()) {
            output.object({{"name", judged.name},
                           {"spec", judged.spec},
                           {"result", text(result)},
                           {"reason", reason}});
        }
        if (result != Judgment::Result::FAIL) return kGood;
        output.text("{} {}: {}\n", Colored::bad("FAIL"), judged.name, reason);
        return kInvalidOrDiffers;
    });
    const Exit read = forEachExecution(options, [&](Input& input) {
        if (!(*filter)(input.name.raw)) return kGood;
        UntrustedText name = input.name;  // before it is moved
        return jobs.add(std::move(name), [input = std::move(input), &options]() mutable {
            return judge(std::move(input), options);
        });
    });
    const Exit exit = worse(read, jobs.finish());
    output.text("{} passed, {} failed, {} skipped{}\n", counts[Judgment::Result::PASS],
                counts[Judgment::Result::FAIL], counts[Judgment::Result::SKIP],
                thenInterrupted(output));
    const bool judged = counts[Judgment::Result::PASS] + counts[Judgment::Result::FAIL] != 0;
    if (judged || interrupted() || exit == kUsageOrUnreadable) return exit;
    return Output::complain(
            options.cases.filters.empty()
                    ? "nothing was judged: none of the models has expected outputs, as test "
                      "cases (.jsonl, .jsonl.gz) have"
                    : "nothing was judged: no test case fits --filter",
            kInvalidOrDiffers);
}

}  // namespace nn::cli
