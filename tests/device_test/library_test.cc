// The library that runs device tests, in a user's program: its own workers, results, files, and
// errors.
#include <absl/algorithm/container.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <signal.h>

#include <chrono>
#include <cstdlib>

#include "device_test/program.h"
#include "nnapi/device_test/device_test_runner.h"
#include "temporary_folder.h"

namespace nn::device_test_test {
namespace {

using namespace nn::testing;
using ::testing::AllOf;
using ::testing::ElementsAre;
using ::testing::ElementsAreArray;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Not;

// Three cases of a built-in model, in their order.
constexpr const char* kListed[] = {"vectors/relu_float/sync", "vectors/relu_float/timed",
                                   "vectors/relu_float/fenced"};

DeviceRunOptions withFaults(const std::string& faults) {
    DeviceRunOptions options{.device = "mine",
                             .settings = faults,
                             .worker = {.executable = NNAPI_WORKER, .arguments = {"worker"}},
                             .workers = 1,
                             .hasDeviceCases = false};
    options.fits = [](const DeviceCase& one) { return absl::c_linear_search(kListed, one.name); };
    return options;
}

Result<DeviceReport> runWith(DeviceRunOptions options) {
    auto run = DeviceRun::list(std::move(options));
    if (!run.ok()) return run.status();
    return run->run();
}

std::vector<CaseEnd> endsOf(const DeviceReport& report) {
    std::vector<CaseEnd> ends;
    for (const CaseResult& result : report.results) ends.push_back(result.end);
    return ends;
}

TEST(DeviceTestRunner, ListsThenRuns) {
    std::vector<std::string> told;
    std::vector<size_t> done;
    DeviceRunOptions options = withFaults("NONE");
    options.onResult = [&](const CaseResult& result, const DeviceReport& soFar) {
        EXPECT_EQ(soFar.results.size(), told.size());
        told.push_back(result.head.name);
    };
    options.onProgress = [&](const CaseResult&, size_t count, size_t all, size_t bad) {
        EXPECT_EQ(all, std::size(kListed));
        EXPECT_EQ(bad, 0u);
        done.push_back(count);
    };
    auto run = DeviceRun::list(std::move(options));
    ASSERT_TRUE(run.ok()) << run.status();
    std::vector<std::string> listed;
    for (const CaseHead& head : run->cases()) listed.push_back(head.name);
    EXPECT_THAT(listed, ElementsAreArray(kListed));
    const Result<DeviceReport> report = run->run();
    ASSERT_TRUE(report.ok()) << report.status();
    EXPECT_THAT(told, ElementsAreArray(kListed));
    EXPECT_THAT(done, ElementsAre(1, 2, 3));
    EXPECT_EQ(report->device, "mine");
    EXPECT_EQ(report->count(CaseEnd::SUCCESS), std::size(kListed));
    EXPECT_TRUE(report->isGood());
}

// The worker is replaced, since its next line may belong to any case.
TEST(DeviceTestRunner, ReplacesWorkersWhoseDriverWritesToTheirSocket) {
    constexpr CaseEnd kGood = CaseEnd::SUCCESS;
    for (const char* written : {"text", "fields", "deep", "values"}) {
        const Result<DeviceReport> report = runWith(withFaults(written));
        ASSERT_TRUE(report.ok()) << written << report.status();
        EXPECT_THAT(endsOf(*report), ElementsAre(CaseEnd::FAILURE, CaseEnd::FAILURE, kGood))
                << written;
        EXPECT_EQ(toString(report->results[0]),
                  "FAILURE vectors/relu_float/sync: somebody has written to the socket of the "
                  "worker")
                << written;
    }
}

TEST(DeviceTestRunner, EndsWhenADriverWritesFurtherReplies) {
    const Result<DeviceReport> report = runWith(withFaults("second"));
    ASSERT_TRUE(report.ok()) << report.status();
    EXPECT_EQ(report->results.size(), std::size(kListed));
}

TEST(DeviceTestRunner, KeepsTheBeginningOfLongTexts) {
    DeviceRunOptions options = withFaults("long");
    options.timeLimit = std::chrono::milliseconds(600);
    const Result<DeviceReport> report = runWith(std::move(options));
    ASSERT_TRUE(report.ok()) << report.status();
    const std::string& message = report->results[0].outcome.message;
    EXPECT_TRUE(message.ends_with("xxx..."));
    EXPECT_LT(message.size(), size_t{20'000});
}

TEST(DeviceTestRunner, Reports) {
    const TemporaryFolder folder;
    DeviceRunOptions options = withFaults("WRONG_VALUES");
    options.repeatCommand = [](const CaseHead& head) { return "again " + head.name; };
    const Result<DeviceReport> report = runWith(options);
    ASSERT_TRUE(report.ok()) << report.status();
    EXPECT_THAT(jsonLineOf(report->results[0], *report),
                AllOf(HasSubstr(R"({"name":"vectors/relu_float/sync","kind":"vectors")"),
                      HasSubstr(R"("outcome":"failure")"),
                      HasSubstr(R"("repeat":"again vectors/relu_float/sync")"),
                      Not(HasSubstr("\n")), Not(HasSubstr("before"))));
    EXPECT_THAT(summaryOf(*report),
                HasSubstr("repeat one with its name: again vectors/relu_float/sync\n"));
    const std::string html = (folder / "report.html").string();
    const std::string junit = (folder / "report.xml").string();
    ASSERT_TRUE(writeHtml(html, *report).ok());
    ASSERT_TRUE(writeJunit(junit, *report).ok());
    EXPECT_THAT(readText(html), AllOf(HasSubstr("<h1>Test of mine</h1>"),
                                      HasSubstr("<code>again vectors/relu_float/sync</code>")));
    EXPECT_THAT(readText(junit),
                HasSubstr("<testsuite name=\"mine: vectors\" tests=\"3\" failures=\"3\""));

    // Without a command to repeat a case, none is shown.
    options.repeatCommand = {};
    const Result<DeviceReport> without = runWith(options);
    ASSERT_TRUE(without.ok()) << without.status();
    EXPECT_THAT(summaryOf(*without), Not(HasSubstr("repeat")));
    ASSERT_TRUE(writeHtml(html, *without).ok());
    EXPECT_THAT(readText(html), Not(HasSubstr("<code>again ")));
}

TEST(DeviceTestRunner, ResumesAfterCancellation) {
    const TemporaryFolder folder;
    size_t told = 0;
    DeviceRunOptions options = withFaults("NONE");
    options.results = (folder / "results.jsonl").string();
    options.isCancelled = [&] { return told != 0; };
    options.onResult = [&](const CaseResult&, const DeviceReport&) { ++told; };
    const Result<DeviceReport> stopped = runWith(options);
    ASSERT_TRUE(stopped.ok()) << stopped.status();
    EXPECT_TRUE(stopped->isInterrupted);
    EXPECT_GE(stopped->results.size(), 1u);
    options.isCancelled = {};
    options.isResumed = true;
    const Result<DeviceReport> whole = runWith(options);
    ASSERT_TRUE(whole.ok()) << whole.status();
    EXPECT_FALSE(whole->isInterrupted);
    EXPECT_EQ(whole->results.size(), std::size(kListed));
    EXPECT_TRUE(whole->isGood());
}

TEST(DeviceTestRunner, MergesShards) {
    const TemporaryFolder folder;
    std::vector<std::string> files;
    for (const size_t number : {1, 2}) {
        DeviceRunOptions options = withFaults("WRONG_VALUES");
        options.shard = {.number = number, .of = 2};
        options.results = (folder / fmt::format("{}.jsonl", number)).string();
        files.push_back(options.results);
        const Result<DeviceReport> part = runWith(options);
        ASSERT_TRUE(part.ok()) << part.status();
        EXPECT_EQ(part->results.size(), number == 1 ? 2u : 1u);
    }
    const Result<DeviceReport> whole = mergeResults(files);
    ASSERT_TRUE(whole.ok()) << whole.status();
    std::vector<std::string> names;
    for (const CaseResult& result : whole->results) names.push_back(result.head.name);
    EXPECT_THAT(names, ElementsAreArray(kListed));
    EXPECT_TRUE(whole->missing.empty());
    const Result<DeviceReport> half = mergeResults({files[1]});
    ASSERT_TRUE(half.ok()) << half.status();
    EXPECT_THAT(half->missing, ElementsAre("all 2 cases of part 1/2: run it"));
    EXPECT_FALSE(half->isGood());
}

TEST(DeviceTestRunner, FailsForOptionsThatCannotBeRun) {
    const struct {
        const char* what;
        void (*change)(DeviceRunOptions&);
        const char* message;
    } kRows[] = {
            {"shard", [](DeviceRunOptions& o) { o.shard = {.number = 3, .of = 2}; },
             "the shard is 3 of 2, allowed from 1 to 2 of 2"},
            {"known failures", [](DeviceRunOptions& o) { o.reportFiles.knownFailures = "/none"; },
             "/none: No such file or directory"},
            {"no program", [](DeviceRunOptions& o) { o.worker.executable = "/none"; },
             "a worker cannot start: /none: No such file or directory"},
            {"not a worker", [](DeviceRunOptions& o) { o.worker.executable = "/bin/true"; },
             "the device cannot be opened: the process exited with 0"},
            {"no such device", [](DeviceRunOptions& o) { o.settings = "CANNOT_OPEN"; },
             "the device cannot be opened"},
    };
    for (const auto& row : kRows) {
        DeviceRunOptions options = withFaults("NONE");
        row.change(options);
        const Result<DeviceReport> report = runWith(std::move(options));
        ASSERT_FALSE(report.ok()) << row.what;
        EXPECT_THAT(std::string(report.status().message()), HasSubstr(row.message)) << row.what;
    }
}

// A driver that fails the first case, which ends after two seconds.
DeviceRunOptions firstWith(const std::string& fault) {
    DeviceRunOptions options = withFaults(fault);
    options.fits = [](const DeviceCase& one) { return one.name == kListed[0]; };
    options.timeLimit = std::chrono::seconds(2);
    return options;
}

// A program that ignores SIGCHLD learns that its children end, but not how.
TEST(DeviceTestRunner, WorksIfSigchldIsIgnored) {
    const auto before = signal(SIGCHLD, SIG_IGN);
    const Result<DeviceReport> report = runWith(firstWith("ABORTS_IN_EXECUTE"));
    signal(SIGCHLD, before);
    ASSERT_TRUE(report.ok()) << report.status();
    EXPECT_THAT(endsOf(*report), ElementsAre(CaseEnd::CRASH));
    EXPECT_THAT(reasonOf(report->results.front()),
                HasSubstr("the process ended, and this program was not told how"));
}

// A worker does not inherit blocked and ignored signals: it still reports where it hangs.
TEST(DeviceTestRunner, ResetsSignalsOfWorkers) {
    sigset_t all, before;
    sigfillset(&all);
    const auto pipe = signal(SIGPIPE, SIG_IGN);
    pthread_sigmask(SIG_BLOCK, &all, &before);
    const Result<DeviceReport> report = runWith(firstWith("HANGS_IN_EXECUTE"));
    pthread_sigmask(SIG_SETMASK, &before, nullptr);
    signal(SIGPIPE, pipe);
    ASSERT_TRUE(report.ok()) << report.status();
    EXPECT_THAT(endsOf(*report), ElementsAre(CaseEnd::HANG));
    EXPECT_THAT(report->results.front().stacks, Not(IsEmpty()));
}

TEST(DeviceTestRunner, SkipsUnreadableFiles) {
    std::vector<std::string> unreadable;
    DeviceRunOptions options = withFaults("NONE");
    options.files = {"model.json", "/none.jsonl"};
    options.onUnreadable = [&](const Status& why) { unreadable.emplace_back(why.message()); };
    const auto run = DeviceRun::list(std::move(options));
    ASSERT_TRUE(run.ok()) << run.status();
    EXPECT_TRUE(run->cases().empty());
    EXPECT_THAT(unreadable, ElementsAre(HasSubstr("model.json: is not a file of test cases"),
                                        HasSubstr("/none.jsonl: No such file or directory")));
}

TEST(DeviceTestRunner, NameFilters) {
    const struct {
        std::vector<std::string> patterns;
        const char* name;
        bool fits;
    } kRows[] = {
            {{}, "vectors/add/sync", true},
            {{"vectors/*"}, "vectors/add/sync", true},
            {{"vectors/*/burst"}, "vectors/add/sync", false},
            {{"basics/*", "re:add/s"}, "vectors/add/sync", true},
            {{"vectors/[x]/sync"}, "vectors/[x]/sync", true},
    };
    for (const auto& row : kRows) {
        const auto filter = nameFilter(row.patterns);
        ASSERT_TRUE(filter.ok()) << filter.status();
        EXPECT_EQ((*filter)(row.name), row.fits) << ::testing::PrintToString(row.patterns);
    }
    EXPECT_THAT(std::string(nameFilter({"re:("}).status().message()),
                HasSubstr("re:( is not a regular expression"));
}

TEST(DeviceTestRunner, WorkerWithoutARunEnds) {
    EXPECT_EQ(WEXITSTATUS(std::system(NNAPI_WORKER " 3</dev/null")), 2);
}

}  // namespace
}  // namespace nn::device_test_test
