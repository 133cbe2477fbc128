// Statistics of a run: sums, the failure of kind "bias" in words, warnings, and reports. Rule
// device_test.bias.
#include "device_test/runner/statistics.h"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdint>
#include <cstdlib>

#include "device_test/program.h"
#include "device_test/runner/case_result.h"
#include "temporary_folder.h"

namespace nn::device_test_test {
namespace {

using ::testing::AllOf;
using testing::CaseEnd;
using testing::CaseResult;
using testing::DeviceReport;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Not;
using testing::OutputStatistics;
using testing::RoundingStatistics;

OutputStatistics rounded(RoundingStatistics rounding,
                         OperandType type = OperandType::TENSOR_QUANT8_ASYMM) {
    return {.operation = OperationType::ADD,
            .type = type,
            .outputs = 2,
            .exactOutputs = 1,
            .values = {.counts = {700, 300}, .largest = 1, .errorSum = -300},
            .rounding = rounding};
}

CaseResult resultWith(std::vector<OutputStatistics> statistics) {
    return {.head = {.name = "numbers/ADD/1", .kind = "numbers", .operation = "ADD"},
            .outcome = {.statistics = std::move(statistics)}};
}

struct BiasRow {
    const char* what;
    RoundingStatistics rounding;
    const char* reason;  // empty: passes
};

TEST(Bias, IsSaidInWords) {
    const BiasRow kRows[] = {
            {"right", {.values = 1000}, ""},
            {"right to a quarter", {.values = 1000, .errorSum = -250, .outwardSum = 250}, ""},
            {"down",
             {.values = 1000, .errorSum = -490},
             "results are too small by 0.49 steps on average over 1000 values, allowed 0.25: "
             "truncated rather than rounded? [device_test.bias]"},
            {"up",
             {.values = 100, .errorSum = 26, .outwardSum = 26},
             "results are too large by 0.26 steps on average over 100 values, allowed 0.25: always "
             "rounded up? [device_test.bias]"},
            {"to zero",
             {.values = 1000, .errorSum = 10, .outwardSum = -500},
             "results are too near to zero by 0.50 steps on average over 1000 values, allowed "
             "0.25: truncated towards zero rather than rounded? [device_test.bias]"},
            {"from zero",
             {.values = 1000, .outwardSum = 500},
             "results are too far from zero by 0.50 steps on average over 1000 values, allowed "
             "0.25: always rounded up? [device_test.bias]"},
    };
    for (const BiasRow& row : kRows) {
        const DeviceReport report{.results = {resultWith({rounded(row.rounding)})}};
        const std::vector<CaseResult> results = biasResults(report, testing::kMaxBias);
        ASSERT_EQ(results.size(), 1u) << row.what;
        EXPECT_EQ(results[0].head.name, "bias/ADD/TENSOR_QUANT8_ASYMM");
        EXPECT_EQ(reasonOf(results[0]), row.reason) << row.what;
        EXPECT_EQ(results[0].isBad(), *row.reason != '\0') << row.what;
        // The threshold can be set.
        EXPECT_FALSE(biasResults(report, 0.5)[0].isBad()) << row.what;
    }
}

TEST(Bias, NeedsEnoughValues) {
    const OutputStatistics some = rounded({.values = 50, .errorSum = -25});
    DeviceReport report{.results = {resultWith({some})}};
    EXPECT_THAT(biasResults(report, testing::kMaxBias), IsEmpty());
    // All cases count.
    report.results.push_back(resultWith({some}));
    const std::vector<CaseResult> results = biasResults(report, testing::kMaxBias);
    ASSERT_EQ(results.size(), 1u);
    EXPECT_TRUE(results[0].isBad());
    ASSERT_EQ(results[0].outcome.statistics.size(), 1u);
    EXPECT_EQ(results[0].outcome.statistics[0].rounding.values, 100u);
    EXPECT_EQ(results[0].outcome.statistics[0].outputs, 4u);
    EXPECT_EQ(results[0].outcome.statistics[0].exactOutputs, 2u);
    // Its own statistics are the sums, and do not count again.
    report.results.push_back(results[0]);
    EXPECT_EQ(statisticsOf(report)[0].rounding.values, 100u);
}

TEST(Statistics, SurviveJson) {
    OutputStatistics floats = rounded({}, OperandType::TENSOR_FLOAT32);
    floats.values.largest = UINT64_MAX;
    const CaseResult result =
            resultWith({rounded({.values = 3, .errorSum = -2, .outwardSum = 1}), floats});
    const auto line = testing::caseResultOf(testing::toJson(result));
    ASSERT_TRUE(line);
    EXPECT_EQ(line->outcome.statistics, result.outcome.statistics);
    EXPECT_EQ(testing::outcomeOf(testing::toJson(result.outcome)), result.outcome);
    EXPECT_THAT(
            testing::statisticsOf(testing::toJson(std::vector{
                    rounded({.values = 1, .errorSum = INT64_MAX}), rounded({.values = UINT64_MAX}),
                    rounded({.values = 1, .outwardSum = INT64_MIN})})),
            IsEmpty());
    for (const char* broken : {"1", "[1]", R"([{"operation": "ADD"}])", R"([{"operation": 1}])",
                               R"([{"operation": "NONE", "type": "NONE"}])"}) {
        EXPECT_THAT(testing::statisticsOf(testing::Json::parse(broken)), IsEmpty()) << broken;
    }
}

TEST(Statistics, ShowWhatIsNotExact) {
    OutputStatistics exact = rounded({});
    exact.operation = OperationType::MUL;
    exact.values = {.counts = {10}};
    const DeviceReport report{.results = {resultWith({exact, rounded({.values = 4})})}};
    EXPECT_EQ(statisticsText(report),
              "not exact, by operation and type (1 of 2):\n"
              "  ADD TENSOR_QUANT8_ASYMM: in 1 of 2 outputs; 1000 values: 70.0% exact, 30.0% off "
              "by 1; mean error "
              "-0.300, largest 1\n");
    EXPECT_THAT(statisticsHtml(report).markup,
                AllOf(HasSubstr("<td class=\"name\">MUL</td>"), HasSubstr("<td>70.00%</td>"),
                      HasSubstr("width=\"0.7000\""), HasSubstr("width=\"0.3000\"")));
    EXPECT_EQ(testing::statisticsText({.results = {resultWith({exact})}}), "");
    EXPECT_TRUE(testing::statisticsHtml({}).empty());
}

CaseResult ended(const char* kind, const char* operation, CaseEnd end) {
    return {.head = {.kind = kind, .operation = operation}, .end = end};
}

TEST(Statistics, WarnWhereNothingWasExecuted) {
    const auto kNone = CaseEnd::NOT_SUPPORTED;
    EXPECT_THAT(testing::warningsOf(
                        {.results = {ended("random", "", kNone), ended("numbers", "ADD", kNone),
                                     ended("numbers", "MUL", CaseEnd::SUCCESS),
                                     ended("numbers", "SUB", kNone),
                                     ended("vectors", "ADD", CaseEnd::SUCCESS),
                                     ended("vectors", "MUL", CaseEnd::SUCCESS),
                                     ended("vectors", "SUB", kNone)}}),
                ElementsAre("no model of kind random was executed: the device supports none whole",
                            "no model of kind numbers was executed for ADD, which other cases "
                            "execute: the device supports none of those drawn"));
    EXPECT_THAT(testing::warningsOf({.results = {ended("random", "", kNone),
                                                 ended("random", "", CaseEnd::FAILURE)}}),
                IsEmpty());
}

// The parts of a run have the bias of the whole.
TEST(Bias, OfPartsIsThatOfOneRun) {
    const TemporaryFolder folder;
    setenv("NNAPI_BUG", "truncates_add", 1);
    const auto test = [&](const std::string& more) {
        return runProgram(
                fmt::format("--device {}/nnapi_buggy_driver.so --filter 'numbers/ADD/*' "
                            "--jobs 1 {}",
                            NNAPI_PLUGINS, more));
    };
    const Ran whole = test("");
    EXPECT_EQ(whole.code, 1);
    const auto failuresOf = [](const std::string& output) {
        std::istringstream lines(output);
        std::string text;
        for (std::string line; std::getline(lines, line);) {
            if (line.starts_with("FAILURE")) text += line + "\n";
        }
        return text;
    };
    EXPECT_THAT(failuresOf(whole.output),
                HasSubstr("FAILURE bias/ADD/TENSOR_QUANT8_ASYMM: results are too small by 0."));
    EXPECT_THAT(whole.output, HasSubstr("'numbers/ADD/*'\n"));  // repeats it
    EXPECT_EQ(test("--bias 60").code, 0);
    std::string files;
    for (const int part : {1, 2}) {
        const std::string file = (folder / fmt::format("{}.jsonl", part)).string();
        test(fmt::format("--shard {}/2 --results {}", part, file));
        files += " " + file;
    }
    unsetenv("NNAPI_BUG");
    const std::string junit = (folder / "junit.xml").string();
    const Ran merged = runProgram(fmt::format("merge {} --junit {}", files, junit), "report");
    EXPECT_EQ(merged.code, 1);
    EXPECT_EQ(failuresOf(merged.output), failuresOf(whole.output));
    EXPECT_THAT(readText(junit),
                HasSubstr("<testcase classname=\"bias\" name=\"bias/ADD/TENSOR_QUANT8_ASYMM\""));
    EXPECT_EQ(runProgram(fmt::format("merge {} --bias 60", files), "report").code, 0);
}

}  // namespace
}  // namespace nn::device_test_test
