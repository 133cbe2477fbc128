// The program with devices that end their process: the report, the case to which it is attributed,
// and that the others continue. Rules device_test.processes and device_test.stress.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <fstream>
#include <set>
#include <sstream>

#include "device_test/program.h"
#include "temporary_folder.h"

namespace nn::device_test_test {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::Not;

struct EndRow {
    const char* fault;
    const char* name;
    const char* line;                                           // of the output
    const char* next = "vectors/softmax_float/fenced_dynamic";  // which succeeds
};

// What takes the process along costs one case; those before and after it succeed.
TEST(TestDevice, OutcomesOfFaults) {
    const EndRow kRows[] = {
            {"ABORTS_IN_EXECUTE", "vectors/relu_float/sync",
             "CRASH vectors/relu_float/sync: execute: the process ended by SIGABRT\n"},
            {"SEGFAULTS_IN_EXECUTE", "vectors/relu_float/sync",
             "CRASH vectors/relu_float/sync: execute: the process ended by SIGSEGV\n"},
            {"EXITS_IN_EXECUTE", "vectors/relu_float/sync",
             "CRASH vectors/relu_float/sync: execute: the process exited with 3\n"},
            {"ABORTS_IN_PREPARE", "basics/stable",
             "CRASH basics/stable: prepareModel: the process ended by SIGABRT\n", "basics/wait"},
            {"HANGS_IN_PREPARE", "basics/stable",
             "HANG basics/stable: prepareModel: no result for 600 ms\n", "basics/wait"},
            {"HANGS_IN_EXECUTE", "vectors/relu_float/sync",
             "HANG vectors/relu_float/sync: execute: no result for 600 ms\n"},
            {"HANGS_IN_BURST", "vectors/relu_float/burst",
             "HANG vectors/relu_float/burst: first execute of the burst: no result for 600 ms\n"},
            {"HANGS_IN_WAIT", "basics/wait", "HANG basics/wait: wait: no result for 600 ms\n",
             "basics/stable"},
            {"HANGS_IN_FENCED", "vectors/relu_float/fenced",
             "HANG vectors/relu_float/fenced: executeFenced: no result for 600 ms\n",
             "basics/wait"},
            {"DIES_IN_EXECUTE", "vectors/relu_float/sync",
             "FAILURE vectors/relu_float/sync: execute: DEAD_OBJECT: the driver is gone "
             "[execution.result]\n",
             "basics/wait"},
            {"WRONG_VALUES", "vectors/relu_float/sync",
             "FAILURE vectors/relu_float/sync: results: output 0, element 0: 2, expected 0 +- "
             "1e-05\n"},
    };
    for (const EndRow& row : kRows) {
        const Ran ran =
                runProgram(fmt::format("--device faulty:{} --timeout 600 --jobs 1 --filter "
                                       "basics/name --filter {} --filter {}",
                                       row.fault, row.name, row.next));
        EXPECT_EQ(ran.code, 1) << row.fault;
        EXPECT_THAT(ran.output, HasSubstr(row.line)) << row.fault;
        EXPECT_THAT(ran.output, Not(HasSubstr(fmt::format(" {}", row.next)))) << row.fault;
        EXPECT_THAT(ran.output, ::testing::ContainsRegex("all +2 ")) << row.fault << ran.output;
    }
}

TEST(TestDevice, DeathsAreCountedApart) {
    const Ran ran = runProgram("--device faulty:DIES_IN_EXECUTE --filter 'vectors/relu_float/*'");
    EXPECT_THAT(ran.output,
                HasSubstr("cases met DEAD_OBJECT: the process of the driver went away"));
}

// Each case of a whole batch ends its process, and each is reported; several processes at once.
TEST(TestDevice, GoesOnAfterEachCrash) {
    const Ran ran = runProgram(
            "--device faulty:SEGFAULTS_IN_EXECUTE --jobs 3 --json --filter 'vectors/*/sync' "
            "--filter 'vectors/*/timed' --filter 'vectors/*/fenced'");
    EXPECT_EQ(ran.code, 1);
    size_t crashes = 0, successes = 0;
    std::istringstream lines(ran.output);
    for (std::string line; std::getline(lines, line);) {
        crashes += line.find("\"outcome\":\"crash\"") != std::string::npos ? 1 : 0;
        successes += line.find("\"outcome\":\"success\"") != std::string::npos ? 1 : 0;
    }
    EXPECT_EQ(crashes, 16u);   // sync and timed
    EXPECT_EQ(successes, 8u);  // fenced does not execute in this way
}

TEST(TestDevice, KnownFailures) {
    const TemporaryFolder folder;
    const std::string list = (folder / "known.txt").string();
    const std::string command = fmt::format(
            "--device faulty:WRONG_VALUES --filter 'vectors/relu_float/sync' --filter 'basics/*' "
            "--known-failures {}",
            list);
    std::ofstream(list) << "vectors/*/sync  # the driver computes something else\n";
    Ran ran = runProgram(command);
    EXPECT_EQ(ran.code, 0);
    EXPECT_THAT(ran.output, AllOf(HasSubstr("1 failure is known\n"), Not(HasSubstr("FAILURE"))));

    std::ofstream(list) << "# one that passes\n\nbasics/name\nvectors/*/sync\n";
    ran = runProgram(command);
    EXPECT_EQ(ran.code, 1);
    EXPECT_THAT(ran.output, HasSubstr("known.txt:3: basics/name: all its cases pass now, take it "
                                      "off the list\n"));
}

TEST(TestDevice, ComparesWithAnEarlierRun) {
    const TemporaryFolder folder;
    const std::string earlier = (folder / "earlier.jsonl").string();
    const std::string filter = " --filter 'vectors/relu_float/*' ";
    std::ofstream(earlier) << runProgram("--device faulty:NONE --json" + filter).output;
    const Ran worse = runProgram("--device faulty:WRONG_VALUES" + filter + "--compare " + earlier);
    EXPECT_EQ(worse.code, 1);
    EXPECT_THAT(worse.output, HasSubstr("  vectors/relu_float/sync: failure, was success\n"));

    std::ofstream(earlier) << runProgram("--device faulty:WRONG_VALUES --json" + filter).output;
    const Ran better = runProgram("--device faulty:NONE" + filter + "--compare " + earlier);
    EXPECT_EQ(better.code, 0);
    EXPECT_THAT(better.output, HasSubstr("  vectors/relu_float/sync: success, was failure\n"));
}

TEST(TestDevice, Tolerances) {
    const TemporaryFolder folder;
    const std::string rows = (folder / "tolerances.txt").string();
    const std::string command =
            "--device faulty:WRONG_VALUES --filter vectors/relu_float/sync --tolerance " + rows;
    std::ofstream(rows) << "RELU TENSOR_FLOAT32 1 0\n";
    EXPECT_EQ(runProgram(command).code, 1);
    std::ofstream(rows) << "# wide\n* TENSOR_FLOAT32 2 0\n";
    EXPECT_EQ(runProgram(command).code, 0);
    for (const char* wrong : {"RELU TENSOR_FLOAT32 1", "RELU TENSOR_FLOAT32 1 -1", "RELUU * 1 1",
                              "RELU TENSOR_FLOAT33 1 1", "RELU TENSOR_FLOAT32 1 1 1"}) {
        std::ofstream(rows) << wrong << "\n";
        EXPECT_EQ(runProgram(command).code, 2) << wrong;
    }
}

// The parts of a run are a division of all.
TEST(TestDevice, Shards) {
    const std::string all = runProgram("--list --filter 'basics/*' --filter 'cache/*'").output;
    std::multiset<std::string> parts, whole;
    for (const int shard : {1, 2, 3}) {
        const std::string text =
                runProgram(fmt::format("--list --shard {}/3 --filter 'basics/*' --filter 'cache/*'",
                                       shard))
                        .output;
        std::istringstream lines(text);
        for (std::string line; std::getline(lines, line);) parts.insert(line);
    }
    std::istringstream lines(all);
    for (std::string line; std::getline(lines, line);) whole.insert(line);
    EXPECT_GT(whole.size(), 50u);
    EXPECT_EQ(parts, whole);
    for (const char* wrong : {"0/3", "4/3", "1", "1/", "/3", "1/3x", "-1/3"}) {
        EXPECT_EQ(runProgram(fmt::format("--list --shard={}", wrong)).code, 2) << wrong;
    }
}

TEST(TestDevice, SoaksWithRandomModels) {
    const Ran ran = runProgram("--device faulty:NONE --soak 1 --filter basics/name --json");
    EXPECT_EQ(ran.code, 0);
    EXPECT_THAT(ran.output, HasSubstr("\"name\":\"random/1000500\""));
    const Ran bad = runProgram("--device faulty:WRONG_VALUES --soak 1 --filter basics/name --json");
    EXPECT_EQ(bad.code, 1);
    EXPECT_THAT(bad.output, HasSubstr("--seed 10005"));
}

// Whatever names hold, the reports are whole, and each failure has its command.
TEST(TestDevice, Reports) {
    const TemporaryFolder folder;
    const std::string html = (folder / "report.html").string();
    const std::string junit = (folder / "report.xml").string();
    const Ran ran = runProgram(
            fmt::format("--device faulty:WRONG_VALUES,HAS_NO_CACHE --filter 'vectors/relu_float/*' "
                        "--filter cache/saved --html {} --junit {}",
                        html, junit));
    EXPECT_EQ(ran.code, 1);
    const std::string repeat =
            "nnapi test-device --device faulty:WRONG_VALUES,HAS_NO_CACHE --filter "
            "vectors/relu_float/sync";
    EXPECT_THAT(readText(html),
                AllOf(HasSubstr("<h1>Test of faulty:WRONG_VALUES,HAS_NO_CACHE</h1>"),
                      HasSubstr(repeat), HasSubstr("Output of TENSOR_FLOAT32, off by 2"),
                      HasSubstr("<td class=\"name\">RELU</td><td "
                                "class=\"name\">TENSOR_FLOAT32</td><td class=\"bad\">1/1</td>"),
                      Not(HasSubstr("://")), Not(HasSubstr("src="))));
    EXPECT_THAT(readText(junit),
                AllOf(HasSubstr("<testcase classname=\"vectors\" name=\"vectors/relu_float/sync\""),
                      HasSubstr("type=\"failure\""), HasSubstr(repeat),
                      HasSubstr("<skipped message=\"caching\"/>"),
                      HasSubstr("name=\"cache: 1 not supported (caching)\"")));
    for (const std::string& file : {html, junit}) {
        const std::string command = fmt::format(
                "python3 -c 'import sys, xml.dom.minidom as x; x.parse(sys.argv[1])' {} 2>&1",
                file);
        EXPECT_EQ(std::system(command.c_str()), 0) << file;
    }
    EXPECT_EQ(runProgram("--device faulty:NONE --filter basics/name --html /no/such/folder").code,
              2);
}

}  // namespace
}  // namespace nn::device_test_test
