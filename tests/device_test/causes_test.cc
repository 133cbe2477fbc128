// What failures have in common, where workers crashed or hung, and runs that end early. Rule
// device_test.processes.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "device_test/program.h"
#include "nnapi/device_test/device_test_runner.h"
#include "temporary_folder.h"

namespace nn::device_test_test {
namespace {

using namespace nn::testing;
using ::testing::AllOf;
using ::testing::Contains;
using ::testing::ContainsRegex;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Not;
using ::testing::StartsWith;

// ---- causes

struct FailingCase {
    std::string name = "vectors/relu_1/sync";
    std::string operation = "RELU";
    std::string place = "execute";
    std::string message = "took 2 ns, allowed 1 ns";
    CaseEnd end = CaseEnd::FAILURE;
    bool isWrongValue = false;

    CaseResult result() const {
        CaseResult made{.head = {.name = name, .kind = "vectors", .operation = operation},
                        .end = end,
                        .outcome = {.result = end == CaseEnd::NOT_SUPPORTED
                                                      ? DeviceOutcome::Result::NOT_SUPPORTED
                                                      : DeviceOutcome::Result::FAILED,
                                    .place = place,
                                    .message = message}};
        if (isWrongValue) made.outcome.firstDifference = DeviceOutcome::Difference();
        return made;
    }
};

TEST(Causes, AreEqualButForNumbersAndNames) {
    const struct {
        FailingCase a, b;
        bool isSame;
    } kRows[] = {
            {{}, {.name = "vectors/add/timed", .operation = "ADD"}, true},
            {{}, {.message = "took 345 ns, allowed -1e-05 ns"}, true},
            {{}, {.message = "took 0x1f ns, allowed 2.5 ns"}, true},
            {{}, {.message = "took inf ns, allowed -nan ns"}, true},
            {{.message = "1 informed"}, {.message = "1 nformed"}, false},
            {{.message = "[1, 2] wrong"}, {.message = "[1, 2, 3] wrong"}, true},
            {{.message = "relu_1 is wrong"},
             {.name = "vectors/add/sync", .message = "add is wrong"},
             true},
            {{}, {.message = "took 2 ms, allowed 1 ns"}, false},
            {{}, {.place = "prepareModel"}, false},
            {{}, {.end = CaseEnd::CRASH}, false},
            {{.message = "CONV_2D"}, {.message = "CONV_3D"}, false},
            {{.isWrongValue = true}, {.operation = "ADD", .isWrongValue = true}, false},
            {{.end = CaseEnd::HANG}, {.operation = "ADD", .end = CaseEnd::HANG}, false},
            {{.end = CaseEnd::NOT_SUPPORTED},
             {.operation = "ADD", .end = CaseEnd::NOT_SUPPORTED},
             true},
            {{.end = CaseEnd::NOT_SUPPORTED},
             {.place = "prepareModel", .end = CaseEnd::NOT_SUPPORTED},
             true},
            {{.name = "numbers/RELU/1", .message = "RELU", .end = CaseEnd::NOT_SUPPORTED},
             {.name = "numbers/ADD/1",
              .operation = "ADD",
              .message = "ADD",
              .end = CaseEnd::NOT_SUPPORTED},
             false},
    };
    for (const auto& row : kRows) {
        const std::string a = causeOf(row.a.result()), b = causeOf(row.b.result());
        EXPECT_EQ(a == b, row.isSame) << a << "\n" << b;
    }
    EXPECT_EQ(causeOf(FailingCase().result()), "failure: execute: took N ns, allowed N ns");
    EXPECT_EQ(causeOf(FailingCase{.end = CaseEnd::SUCCESS}.result()), "");
}

// One cause over all kinds: which of them finds a wrong value is chance.
TEST(Causes, OfWrongValuesAreTheirOperations) {
    const FailingCase one{
            .name = "numbers/RELU/1", .message = "0, expected 1", .isWrongValue = true};
    const FailingCase other{.name = "vectors/relu/burst",
                            .place = "results",
                            .message = "2, expected 1 +- 0",
                            .isWrongValue = true};
    EXPECT_EQ(causeOf(one.result()), "failure: RELU: wrong values");
    EXPECT_EQ(causeOf(one.result()), causeOf(other.result()));
}

DeviceReport reportOf(const std::vector<FailingCase>& failing) {
    DeviceReport report{.device = "npu"};
    for (const FailingCase& one : failing) report.results.push_back(one.result());
    return report;
}

TEST(Causes, AreCountedInTheSummary) {
    const DeviceReport report = reportOf({{},
                                          {.name = "vectors/add/sync", .operation = "ADD"},
                                          {.place = "prepareModel", .message = "null"}});
    EXPECT_THAT(summaryOf(report),
                HasSubstr("failures by cause:\n"
                          "  2 x execute: took 2 ns, allowed 1 ns (2 operations), such as "
                          "vectors/add/sync\n"
                          "  1 x RELU: prepareModel: null, such as vectors/relu_1/sync\n"));
    EXPECT_THAT(summaryOf(reportOf({{}})), Not(HasSubstr("by cause")));
}

TEST(Causes, OfLackAreListedOnceForAllPlaces) {
    const DeviceReport report = reportOf(
            {{.message = "caching", .end = CaseEnd::NOT_SUPPORTED},
             {.place = "prepareModel", .message = "caching", .end = CaseEnd::NOT_SUPPORTED}});
    EXPECT_THAT(summaryOf(report), HasSubstr("not supported:\n       2  caching\n"));
}

// Where more than eight operations are wrong, none of them is the cause.
TEST(Causes, OfWrongValuesOfManyOperationsAreOne) {
    std::vector<FailingCase> failing;
    for (const char* operation : {"A", "B", "C", "D", "E", "F", "G", "H", "I"}) {
        failing.insert(failing.end(), 2, {.operation = operation, .isWrongValue = true});
    }
    EXPECT_THAT(summaryOf(reportOf(failing)),
                HasSubstr("  18 x execute: took 2 ns, allowed 1 ns (9 "
                          "operations), such as vectors/relu_1/sync\n"));
    failing.resize(16);
    EXPECT_THAT(summaryOf(reportOf(failing)), HasSubstr("  2 x A: execute: "));
}

// Missing features, and cases that have not run, are one case for each reason.
TEST(Causes, OfLackAreOneCaseInJunit) {
    const TemporaryFolder folder;
    const std::string path = (folder / "report.xml").string();
    const FailingCase lack{.place = "", .message = "caching", .end = CaseEnd::NOT_SUPPORTED};
    DeviceReport report = reportOf({lack, lack, lack, {}, {.end = CaseEnd::SUCCESS}});
    report.notRun = {{.kind = "vectors", .reason = "3 cases of it hang", .count = 40},
                     {.kind = "cache", .reason = "3 cases of it hang", .count = 2}};
    ASSERT_TRUE(writeJunit(path, report).ok());
    EXPECT_THAT(readText(path),
                AllOf(HasSubstr("<testsuite name=\"npu: vectors\" tests=\"45\" failures=\"1\" "
                                "errors=\"40\" skipped=\"3\">"),
                      HasSubstr("<testcase classname=\"vectors\" name=\"vectors: 3 not supported "
                                "(caching)\">\n   <skipped message=\"caching\"/>"),
                      HasSubstr("name=\"vectors: 40 not run (3 cases of it hang)\">\n   <error "),
                      HasSubstr("<testsuite name=\"npu: cache\" tests=\"2\" failures=\"0\" "
                                "errors=\"2\" skipped=\"0\">")));
    EXPECT_FALSE(report.isGood());
}

TEST(Causes, AreSectionsOfThePage) {
    const TemporaryFolder folder;
    const std::string path = (folder / "report.html").string();
    const FailingCase lack{
            .operation = "CONV_2D", .message = "CONV_2D", .end = CaseEnd::NOT_SUPPORTED};
    ASSERT_TRUE(writeHtml(path, reportOf({{}, {}, {}, lack})).ok());
    EXPECT_THAT(
            readText(path),
            AllOf(HasSubstr("<p id=\"verdict\" class=\"bad\">Fails: 3 of 3 results fail"),
                  HasSubstr("<h3>3 failures: execute: took 2 ns, allowed 1 ns in RELU (3)</h3>"),
                  HasSubstr("<details><summary>2 more cases with the same cause</summary>"),
                  HasSubstr("<th>not supported</th>"),
                  HasSubstr("<details><summary>Not supported: 1 pair of operations and types"),
                  HasSubstr("class=\"legend\"")));
}

TEST(Causes, NameOperationsAndWhatResultsHaveInCommon) {
    std::vector<FailingCase> cases;
    for (const char* operation :
         {"ADD", "ADD", "SUB", "MUL", "RELU", "ABS", "<i>", "EXP", "LOG", "TANH"}) {
        cases.push_back({.operation = operation, .isWrongValue = true});
    }
    DeviceReport report = reportOf(cases);
    report.results.back().outcome.firstDifference->element = 7;
    const TemporaryFolder folder;
    const std::string path = (folder / "report.html").string();
    ASSERT_TRUE(writeHtml(path, report).ok());
    EXPECT_THAT(
            readText(path),
            AllOf(HasSubstr("<p id=\"pattern\">The most common cause: 10 failures: wrong values in "
                            "9 operations, ADD (2), &#60;i&#62; (1), ABS (1), EXP (1), LOG (1) and "
                            "4 more; in common: output 0, element 0 (9), FLOAT32.</p>"),
                  HasSubstr("MUL (1), RELU (1), SUB (1), TANH (1)</p>"), Not(HasSubstr("<i>"))));
}

// ---- places

constexpr const char* kSync = "vectors/relu_float/sync";

DeviceRunOptions optionsOf(const std::string& settings) {
    DeviceRunOptions options{.device = "mine",
                             .settings = settings,
                             .worker = {.executable = NNAPI_WORKER, .arguments = {"worker"}},
                             .workers = 1,
                             .hasDeviceCases = false};
    options.fits = [](const DeviceCase& one) { return one.name == kSync; };
    return options;
}

Result<DeviceReport> ranWith(DeviceRunOptions options) {
    auto run = DeviceRun::list(std::move(options));
    if (!run.ok()) return run.status();
    return run->run();
}

// The CRC-32 of the floats -1, 0, 2, -3.
constexpr std::string_view kArguments =
        "inputs: TENSOR_FLOAT32 [2, 2] 16 bytes (dc456c46); outputs: TENSOR_FLOAT32 [2, 2] 16 "
        "bytes";

TEST(Places, OfACrash) {
    const Result<DeviceReport> report = ranWith(optionsOf("crash"));
    ASSERT_TRUE(report.ok()) << report.status();
    const CaseResult& result = report->results.at(0);
    EXPECT_EQ(toString(result),
              "CRASH vectors/relu_float/sync: execute: the process ended by SIGABRT");
    EXPECT_EQ(result.arguments, kArguments);
    ASSERT_FALSE(result.stacks.empty());
    EXPECT_EQ(result.stacks[0].call, "execute");
    EXPECT_THAT(result.stacks[0].frames, Contains(HasSubstr("crashInDriver()+0x")));
    EXPECT_THAT(detailsOf(result),
                ContainsRegex("  thread .*, in execute:\n    .*\n(.*\n)*.*crashInDriver"));
    EXPECT_THAT(jsonLineOf(result, *report),
                AllOf(HasSubstr("\"cause\":\"crash: RELU: execute: the process ended by "
                                "SIGABRT\",\"arguments\":\"inputs: "),
                      HasSubstr("\"stacks\":[{\"thread\":")));
}

TEST(Places, OfAHang) {
    DeviceRunOptions options = optionsOf("wait");
    options.timeLimit = std::chrono::milliseconds(600);
    const Result<DeviceReport> report = ranWith(std::move(options));
    ASSERT_TRUE(report.ok()) << report.status();
    const CaseResult& result = report->results.at(0);
    EXPECT_EQ(toString(result), "HANG vectors/relu_float/sync: execute: no result for 600 ms");
    EXPECT_EQ(result.arguments, kArguments);
    ASSERT_FALSE(result.stacks.empty());
    EXPECT_THAT(result.stacks[0].frames, Contains(HasSubstr("waitInDriver()+0x")));
}

// A thread that blocks signals is named, and delays nothing.
TEST(Places, OfThreadsThatBlockSignals) {
    DeviceRunOptions options = optionsOf("deaf");
    options.timeLimit = std::chrono::milliseconds(600);
    const Result<DeviceReport> report = ranWith(std::move(options));
    ASSERT_TRUE(report.ok()) << report.status();
    const CaseResult& result = report->results.at(0);
    const auto deaf = std::ranges::find(result.stacks, "deaf", &ThreadStack::thread);
    ASSERT_NE(deaf, result.stacks.end());
    EXPECT_THAT(deaf->frames, IsEmpty());
    EXPECT_THAT(deaf->state, ContainsRegex("^[RSD]( .+)?$"));
    EXPECT_THAT(detailsOf({.stacks = {*deaf}}), StartsWith("  thread deaf: no stack, state "));
    EXPECT_THAT(jsonLineOf(result, *report), HasSubstr("\"state\":\"" + deaf->state + "\""));
    EXPECT_THAT(result.stacks[0].frames, Contains(HasSubstr("waitWithDeafThread()+0x")));
}

// Names of 147 and 148 bytes: the second would begin its end within a character of two bytes.
TEST(Places, ShortenNamesBetweenCharacters) {
    std::string name = "x";
    for (int i = 0; i < 73; ++i) name += "é";
    const std::string begin = name.substr(0, 99), end = name.substr(107);
    EXPECT_EQ(detailsOf({.stacks = {{.thread = "busy", .frames = {name, name + 'z'}}}}),
              fmt::format("  thread busy:\n    {0} ... {1}\n    {0} ... {1}z\n", begin, end));
}

// The driver's handler has its effect, and a process of the driver is no worker.
TEST(Places, OfADriverWithItsOwnHandlerAndProcesses) {
    const Result<DeviceReport> handled = ranWith(optionsOf("handler"));
    ASSERT_TRUE(handled.ok()) << handled.status();
    EXPECT_EQ(toString(handled->results.at(0)),
              "CRASH vectors/relu_float/sync: execute: the process exited with 7");
    const Result<DeviceReport> forked = ranWith(optionsOf("child"));
    ASSERT_TRUE(forked.ok()) << forked.status();
    EXPECT_EQ(forked->results.at(0).end, CaseEnd::SUCCESS);
}

TEST(Places, OfManyThreadsThatCrash) {
    const Result<DeviceReport> report = ranWith(optionsOf("threads"));
    ASSERT_TRUE(report.ok()) << report.status();
    const CaseResult& result = report->results.at(0);
    EXPECT_EQ(result.end, CaseEnd::CRASH);
    ASSERT_FALSE(result.stacks.empty());
    EXPECT_EQ(result.stacks[0].thread, "worker");
    EXPECT_THAT(result.stacks[0].frames, Contains(HasSubstr("crashInDriver()+0x")));
}

TEST(Places, AfterTheLastResult) {
    const Result<DeviceReport> report = ranWith(optionsOf("late"));
    ASSERT_TRUE(report.ok()) << report.status();
    ASSERT_EQ(report->results.size(), 2u);
    EXPECT_EQ(report->results[0].end, CaseEnd::SUCCESS);
    EXPECT_EQ(toString(report->results[1]),
              "CRASH end/vectors/relu_float/sync: after the last result: the process ended by "
              "SIGABRT");
}

// Its end is noticed at once, not at the time limit of 20 s.
TEST(Places, OfAWorkerWhoseChildGoesOn) {
    auto run = DeviceRun::list(optionsOf("orphan"));
    ASSERT_TRUE(run.ok()) << run.status();
    const Result<DeviceReport> report = run->run();
    ASSERT_TRUE(report.ok()) << report.status();
    const std::string crash = "CRASH vectors/relu_float/sync: execute: the process exited with 3";
    EXPECT_EQ(toString(report->results.at(0)), crash);
    // So is that of a worker for the candidates of a shorter case: they crash too, and do not hang.
    const TemporaryFolder folder;
    const auto shrunk =
            run->shrink(*report, {.folder = folder.path().string(), .each = {.candidates = 3}});
    ASSERT_TRUE(shrunk.ok()) << shrunk.status();
    ASSERT_EQ(shrunk->size(), 1u);
    EXPECT_EQ(shrunk->front().why, "");
    EXPECT_EQ(shrunk->front().end, CaseEnd::CRASH);
}

TEST(Places, SurviveAFileOfResults) {
    const TemporaryFolder folder;
    DeviceRunOptions options = optionsOf("crash");
    options.results = (folder / "results.jsonl").string();
    const Result<DeviceReport> report = ranWith(options);
    ASSERT_TRUE(report.ok()) << report.status();
    const Result<DeviceReport> merged = mergeResults({options.results});
    ASSERT_TRUE(merged.ok()) << merged.status();
    EXPECT_EQ(detailsOf(merged->results.at(0)), detailsOf(report->results.at(0)));
}

// ---- runs that end early

TEST(EarlyEnd, AfterFailures) {
    const Ran ran = runProgram(
            "--device faulty:WRONG_VALUES --jobs 1 --fail-fast --filter 'vectors/*/sync' --filter "
            "basics/name");
    EXPECT_EQ(ran.code, 1);
    EXPECT_THAT(ran.output, AllOf(ContainsRegex("vectors +- +1 "),
                                  HasSubstr("not run: 7 cases of kind vectors: the run ends after "
                                            "1 failure\n")));
    const Ran known = runProgram(
            "--device faulty:WRONG_VALUES --jobs 1 --max-failures 3 --filter 'vectors/*/sync' "
            "--json");
    EXPECT_THAT(known.output, HasSubstr("{\"notRun\":5,\"kind\":\"vectors\",\"reason\":\"the run "
                                        "ends after 3 failures\"}\n"));
}

TEST(EarlyEnd, AfterTime) {
    const Ran ran = runProgram(
            "--device faulty:HANGS_IN_EXECUTE --jobs 1 --time-limit 1 --filter 'vectors/*/sync'");
    EXPECT_EQ(ran.code, 1);
    EXPECT_THAT(ran.output, HasSubstr("not run: 8 cases of kind vectors: the time limit of the run "
                                      "is 1000 ms\n"));
}

// The other kinds go on.
TEST(EarlyEnd, OfAKindThatHangs) {
    const std::string some =
            "--device faulty:HANGS_IN_EXECUTE --jobs 1 --timeout 1000 --filter 'vectors/*/sync' "
            "--filter basics/name --filter 'vectors/*/fenced'";
    const Ran ran = runProgram(some);
    EXPECT_EQ(ran.code, 1);
    EXPECT_THAT(
            ran.output,
            AllOf(ContainsRegex("vectors +[0-9-]+ +- +3 "), ContainsRegex("basics +1 "),
                  ContainsRegex("not run: [0-9]+ cases of kind vectors: 3 cases of it hang\n")));
    const Ran all = runProgram(some + " --max-hangs 0");
    EXPECT_THAT(all.output, AllOf(ContainsRegex("vectors +8 +- +8 "), Not(HasSubstr("not run"))));
}

// Cases that have not run have no result: resuming runs them.
TEST(EarlyEnd, IsMadeGoodByResuming) {
    const TemporaryFolder folder;
    const std::string results = (folder / "results.jsonl").string();
    const std::string command = fmt::format(
            "--device faulty:WRONG_VALUES --jobs 1 --filter 'vectors/*/sync' --results {}",
            results);
    EXPECT_EQ(runProgram(command + " --fail-fast").code, 1);
    const Ran merged = runProgram("merge " + results, "report");
    EXPECT_THAT(merged.output, ContainsRegex("missing: 7 of 8 cases of part 1/1: nnapi "));
    const Ran next = runProgram(command + " --resume --max-failures 2");
    EXPECT_THAT(next.output, HasSubstr("not run: 5 cases")) << "earlier failures do not count";
    EXPECT_THAT(runProgram(command + " --resume").output, Not(HasSubstr("not run")));
    EXPECT_THAT(runProgram("merge " + results, "report").output, Not(HasSubstr("missing")));
}

}  // namespace
}  // namespace nn::device_test_test
