// `test-device --shrink`: failures, hangs and crashes by any path become small cases, which fail in
// the same way when the program runs them.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <optional>

#include "device_test/program.h"
#include "nnapi/device_test/device_test.h"
#include "nnapi/device_test/device_test_runner.h"
#include "nnapi/device_test/shrink.h"
#include "nnapi/io.h"
#include "temporary_folder.h"

namespace nn::device_test_test {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::Not;

std::optional<TestCase> firstCaseOf(const std::string& file) {
    auto reader = TestCaseReader::open(file);
    if (!reader.ok()) return std::nullopt;
    const auto first = reader->next();
    return first && first->ok() ? std::optional(**first) : std::nullopt;
}

struct ShrinkRow {
    const char* fault;
    const char* name;    // of the case
    const char* file;    // without its extension
    const char* output;  // part of it
    uint64_t elements;   // at most
    bool hasC = true;
};

void PrintTo(const ShrinkRow& row, std::ostream* out) { *out << row.fault; }

class ShrinkRun : public ::testing::TestWithParam<ShrinkRow> {};

TEST_P(ShrinkRun, WritesASmallCaseThatFailsToo) {
    const ShrinkRow& row = GetParam();
    const TemporaryFolder folder;
    const std::string device = fmt::format("--device faulty:{} --timeout 3000 --jobs 1", row.fault);
    const std::string small = (folder / "small").string();
    const Ran ran = runProgram(fmt::format("{} --filter {} --shrink {} --shrink-limit 60 2>&1",
                                           device, row.name, small));
    EXPECT_EQ(ran.code, 1) << ran.output;
    EXPECT_THAT(ran.output, HasSubstr(row.output));
    EXPECT_THAT(ran.output, HasSubstr(" became 1 operation and "));
    const std::string stem = small + "/" + row.file;
    const std::optional<TestCase> written = firstCaseOf(stem + ".jsonl");
    ASSERT_TRUE(written) << ran.output;
    const testing::CaseSize size = testing::sizeOf(*written);
    EXPECT_EQ(size.operations, 1u);
    EXPECT_LE(size.elements, row.elements) << ran.output;
    EXPECT_THAT(readText(stem + ".cc"), HasSubstr("int main("));
    EXPECT_EQ(readText(stem + "_c_api.c").empty(), !row.hasC);

    // The command that is shown.
    const size_t at = ran.output.rfind("nnapi test-device ");
    ASSERT_NE(at, std::string::npos) << ran.output;
    std::string repeat = ran.output.substr(at + std::string("nnapi test-device ").size());
    repeat.resize(repeat.find('\n'));
    const Ran again = runProgram(repeat + " --jobs 1 2>&1");
    EXPECT_EQ(again.code, 1) << again.output;
    EXPECT_THAT(again.output, HasSubstr(row.output));
}

const ShrinkRow kShrinkRows[] = {
        {"WRONG_VALUES", "vectors/conv_2d_float/sync", "conv_2d_float_sync",
         "results: output 0, element 0: ", 12},
        {"WRONG_VALUES_THE_SECOND_TIME", "vectors/softmax_float/reusable", "softmax_float_reusable",
         "results: output 0, element 0: ", 5},
        {"WRONG_DIMENSIONS", "vectors/relu_float/burst", "relu_float_burst",
         "the first execute of the burst: the driver reports", 2},
        {"FENCE_IN_ERROR", "vectors/relu_float/fenced", "relu_float_fenced", "fence: is in error",
         2},
        {"ACCEPTS_ANY_REQUEST", "refused/add_float/request", "add_float_request",
         "succeeds, expected INVALID_ARGUMENT", 20, false},
        {"SEGFAULTS_IN_EXECUTE", "vectors/add_float/timed", "add_float_timed",
         "the process ended by SIGSEGV", 4},
        {"HANGS_IN_BURST", "vectors/relu_float/burst", "relu_float_burst", "no result for ", 2},
};
INSTANTIATE_TEST_SUITE_P(Faults, ShrinkRun, ::testing::ValuesIn(kShrinkRows),
                         [](const auto& info) { return std::string(info.param.fault); });

// Of all failures of one operation, kind and message the first is shrunk; what runs no test case is
// not.
TEST(ShrinkOption, ShrinksEachCauseOnce) {
    const TemporaryFolder folder;
    const Ran ran = runProgram(fmt::format(
            "--device faulty:WRONG_VALUES --jobs 1 --json --filter 'vectors/relu_float/*' --filter "
            "'vectors/add_float/*' --filter 'execution/*' --shrink {}",
            folder.path().string()));
    EXPECT_EQ(ran.code, 1);
    std::vector<std::string> shrunk;
    std::istringstream lines(ran.output);
    for (std::string line; std::getline(lines, line);) {
        const auto json = nlohmann::json::parse(line, nullptr, false);
        if (!json.contains("shrunk")) continue;
        shrunk.push_back(json["shrunk"]);
        EXPECT_EQ(json["after"]["operations"], 1);
        EXPECT_EQ(json["files"].size(), 3u) << line;
        EXPECT_TRUE(json["finished"]);
    }
    EXPECT_THAT(shrunk,
                ::testing::ElementsAre("vectors/add_float/sync", "vectors/relu_float/sync"));
    const Ran none = runProgram(
            fmt::format("--device faulty:CANNOT_WAIT --jobs 1 --filter 'basics/wait' --shrink {}",
                        folder.path().string()));
    EXPECT_THAT(none.output, HasSubstr("no failure has a test case to shrink\n"));
}

// A file that a case comes from stays, also where its name is that of the small case.
TEST(ShrinkOption, LeavesTheFilesOfTheCases) {
    const TemporaryFolder folder;
    const std::string path = folder.path().string();
    const auto cases = nn::testing::builtInTestCases();
    const auto relu =
            std::ranges::find(cases, "relu_float", [](const auto& one) { return one->name; });
    ASSERT_NE(relu, cases.end());
    const std::string input = path + "/relu_float_sync.jsonl";
    ASSERT_TRUE(writeTestCases(input, {relu->get(), 1}).ok());
    for (const std::string& files : {input, path}) {
        const Ran ran = runProgram("--device faulty:WRONG_VALUES --jobs 1 --shrink " + path + " " +
                                   files + " --filter vectors/relu_float/sync");
        EXPECT_THAT(ran.output, HasSubstr("/relu_float_sync_2.jsonl")) << files;
        EXPECT_EQ(firstCaseOf(input), **relu) << files;
        std::filesystem::remove(path + "/relu_float_sync_2.jsonl");
    }
}

TEST(ShrinkOption, SaysWhatIsWrongWithTheFolder) {
    const Ran ran = runProgram(
            "--device faulty:WRONG_VALUES --filter vectors/relu_float/sync --shrink /dev/null/x "
            "2>&1");
    EXPECT_EQ(ran.code, 2);
    EXPECT_THAT(ran.output, HasSubstr("/dev/null/x: Not a directory"));
}

// ---- verification: earlier executions have an effect in the driver

testing::ShrunkFailure shrunkOn(const std::string& settings, const std::string& folder) {
    auto run = testing::DeviceRun::list(
            {.device = "mine",
             .settings = settings,
             .worker = {.executable = NNAPI_WORKER, .arguments = {"worker"}},
             .workers = 1,
             .hasDeviceCases = false,
             .fits = [](const auto& one) { return one.name == "vectors/relu_float/sync"; }});
    if (!run.ok()) return {.why = run.status().ToString()};
    const auto report = run->run();
    if (!report.ok()) return {.why = report.status().ToString()};
    const auto shrunk = run->shrink(*report, {.folder = folder});
    if (!shrunk.ok()) return {.why = shrunk.status().ToString()};
    return shrunk->empty() ? testing::ShrunkFailure{.why = "nothing failed"} : shrunk->front();
}

// Smaller cases fail only after larger ones: each candidate gets a process of its own.
TEST(ShrinkRunVerification, ShrinksInNewProcessesWhereEarlierCandidatesHaveAnEffect) {
    const TemporaryFolder folder;
    const auto shrunk = shrunkOn("stained", folder.path().string());
    EXPECT_EQ(shrunk.why, "");
    EXPECT_EQ(shrunk.end, testing::CaseEnd::FAILURE);
    ASSERT_FALSE(shrunk.files.empty());
    const std::optional<TestCase> written = firstCaseOf(shrunk.files.front());
    ASSERT_TRUE(written);
    EXPECT_GE(written->inputs.at(0).data.size(), 3 * sizeof(float));
}

// The driver fails three times, in whichever process.
TEST(ShrinkRunVerification, WritesNoCaseThatDoesNotFailAgain) {
    const TemporaryFolder folder, out;
    const auto shrunk = shrunkOn("times:" + (folder / "count").string(), out.path().string());
    EXPECT_EQ(shrunk.why, "it fails only after others: in a new process it does not");
    EXPECT_TRUE(shrunk.files.empty());
    EXPECT_TRUE(std::filesystem::is_empty(out.path()));
}

}  // namespace
}  // namespace nn::device_test_test
