// Results in files: parts of a run, runs that are killed and gone on with, and one report of all.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "device_test/program.h"
#include "temporary_folder.h"

namespace nn::device_test_test {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::Not;

// 47 cases.
constexpr std::string_view kSome =
        "--filter 'basics/*' --filter 'vectors/*/sync' --filter 'vectors/*/timed'";

class Results : public ::testing::Test {
   protected:
    std::string file(std::string_view name) const { return (folder / name).string(); }

    Ran test(std::string_view device, std::string_view results, std::string_view more = "") const {
        return runProgram(fmt::format("--device {} --jobs 1 {} --results {} {}", device, kSome,
                                      file(results), more));
    }
    Ran merge(std::string_view arguments) const {
        return runProgram(fmt::format("merge {}", arguments), "report");
    }
    size_t lines(std::string_view results) const {
        return static_cast<size_t>(std::ranges::count(readText(file(results)), '\n'));
    }

    const TemporaryFolder folder;
};

// The lines of the table without the time of each.
std::string withoutTimes(const std::string& json) {
    std::istringstream lines(json);
    std::string text;
    for (std::string line; std::getline(lines, line);) {
        text += line.substr(0, line.find("\"microseconds\"")) + "\n";
    }
    return text;
}

TEST_F(Results, OfPartsAreThoseOfOneRun) {
    const Ran whole = test("faulty:WRONG_VALUES", "whole", "--json");
    for (const char* part : {"1", "2", "3"}) {
        EXPECT_EQ(test("faulty:WRONG_VALUES", part, fmt::format("--shard {}/3", part)).code, 1);
    }
    const std::string parts =
            fmt::format("{} {} {} ", file("3"), file("1"), file("2"));  // in any order
    const Ran merged = merge(parts + "--json");
    EXPECT_EQ(merged.code, 1);
    EXPECT_EQ(withoutTimes(merged.output), withoutTimes(whole.output));
    const Ran table = merge(parts + fmt::format("-o {} --junit {}", file("html"), file("junit")));
    EXPECT_THAT(table.output, AllOf(HasSubstr("FAILURE vectors/relu_float/sync: results: "),
                                    HasSubstr("repeat one with its name: nnapi test-device "
                                              "--device faulty:WRONG_VALUES --filter vectors/"),
                                    Not(HasSubstr("missing"))));
    EXPECT_THAT(readText(file("html")), HasSubstr("<h1>Test of faulty:WRONG_VALUES</h1>"));
    EXPECT_THAT(readText(file("junit")),
                HasSubstr("<testsuite name=\"faulty:WRONG_VALUES: basics\""));
}

TEST_F(Results, AreGoneOnWith) {
    const Ran whole = test("nnapi-reference", "whole", "--json");
    ASSERT_EQ(whole.code, 0);
    const std::string all = readText(file("whole"));
    // Wherever a program was killed, the rest is run, and nothing twice.
    for (const size_t size : {size_t{0}, all.find('\n') + 1, all.size() / 3, all.size() - 1}) {
        std::ofstream(file("part")) << all.substr(0, size);
        const Ran rest = test("nnapi-reference", "part", "--json --resume");
        EXPECT_EQ(rest.code, 0) << size;
        EXPECT_EQ(withoutTimes(rest.output), withoutTimes(whole.output)) << size;
        EXPECT_EQ(lines("part"), lines("whole")) << size;
    }
    const std::string before = readText(file("part"));
    EXPECT_EQ(test("nnapi-reference", "part", "--resume").code, 0);
    EXPECT_EQ(readText(file("part")), before) << "nothing was left to run";
    EXPECT_EQ(test("nnapi-reference", "new", "--resume").code, 0);
    EXPECT_EQ(lines("new"), lines("whole"));
}

// The command in the report of a run that was killed makes it whole.
TEST_F(Results, OfAKilledRunAreCompletedByTheCommandInTheReport) {
    const std::string killed = file("killed");
    // Its arithmetic, of kind numbers, takes three quarters of the time, and has tests of its own.
    const std::string program =
            fmt::format("{} test-device --jobs 1 {}", NNAPI_PROGRAM, casesWithNumbersOf("ADD"));
    const std::string line = fmt::format(
            "{} --results {} >/dev/null 2>&1 & p=$!; while [ \"$(cat {} 2>/dev/null | wc -l)\" -lt "
            "10 ]; do sleep 0.001; done; kill -KILL $p; wait $p",
            program, killed, killed);
    EXPECT_NE(std::system(line.c_str()), 0);
    const Ran partial = merge(killed);
    ASSERT_GE(lines("killed"), 10u);
    constexpr std::string_view kCommand = "part 1/1: nnapi ";
    const size_t begin = partial.output.find(kCommand);
    ASSERT_NE(begin, std::string::npos) << "the run had ended before it was killed";
    EXPECT_EQ(partial.code, 1);
    const std::string command = partial.output.substr(begin + kCommand.size());
    EXPECT_EQ(std::system(fmt::format("{} {} >/dev/null", NNAPI_PROGRAM,
                                      command.substr(0, command.find('\n')))
                                  .c_str()),
              0);
    const Ran complete = merge(killed);
    EXPECT_EQ(complete.code, 0) << complete.output;
    EXPECT_THAT(complete.output, Not(HasSubstr("missing")));
}

TEST_F(Results, ThatAreMissingAreNamed) {
    ASSERT_EQ(test("nnapi-reference", "1", "--shard 1/3").code, 0);
    ASSERT_EQ(test("nnapi-reference", "3", "--shard 3/3").code, 0);
    const std::string third = readText(file("3"));
    std::ofstream(file("3")) << third.substr(0, third.find('\n') + 1);
    const Ran ran = merge(fmt::format("{} {}", file("1"), file("3")));
    EXPECT_EQ(ran.code, 1);
    EXPECT_THAT(ran.output,
                AllOf(::testing::ContainsRegex("missing: all [0-9]+ cases of part 2/3: run it\n"),
                      ::testing::ContainsRegex("missing: ([0-9]+) of [0-9]+ cases of part 3/3: "
                                               "nnapi test-device --device nnapi-reference "
                                               ".*--shard 3/3 --results .* --resume --filter ")));
    ASSERT_EQ(test("nnapi-reference", "2", "--shard 2/3").code, 0);
    ASSERT_EQ(test("nnapi-reference", "3", "--shard 3/3 --resume").code, 0);
    EXPECT_EQ(merge(fmt::format("{} {} {}", file("1"), file("2"), file("3"))).code, 0);
}

// A driver whose process went away gets another chance; a wrong result stays.
TEST_F(Results, OfADriverThatDiedAreFoundAgain) {
    ASSERT_EQ(test("faulty:DIES_IN_EXECUTE", "results").code, 1);
    std::string text = readText(file("results"));
    const size_t dead = lines("results");
    EXPECT_THAT(text, HasSubstr("\"DEAD_OBJECT\""));
    for (size_t at = 0; (at = text.find("faulty:DIES_IN_EXECUTE", at)) != std::string::npos;) {
        text.replace(at, 22, "nnapi-reference");  // the driver is well again
    }
    std::ofstream(file("results")) << text;
    const Ran again = test("nnapi-reference", "results", "--resume");
    EXPECT_EQ(again.code, 0) << again.output;
    EXPECT_GT(lines("results"), dead);
    EXPECT_EQ(merge(file("results")).code, 0) << "the last result of a case counts";
}

TEST_F(Results, OfOtherRunsAreRefused) {
    ASSERT_EQ(test("nnapi-reference", "results", "--shard 1/2").code, 0);
    const std::string good = readText(file("results"));
    struct Row {
        const char* device;
        const char* options;
        const char* why;
    };
    const Row kRows[] = {
            {"faulty:THROWS", "--shard 1/2",
             "--device is nnapi-reference there, \"faulty:THROWS\" here"},
            {"nnapi-reference", "--shard 1/2 --seed 7", "--seed is 1 there, 7 here"},
            {"nnapi-reference", "--shard 2/2", "--shard is 1/2 there, 2/2 here"},
            {"nnapi-reference", "--shard 1/2 --filter 'random/*'", "its list of cases is another"},
    };
    for (const Row& row : kRows) {
        const Ran ran =
                runProgram(fmt::format("--device {} --jobs 1 {} --results {} --resume {} 2>&1",
                                       row.device, kSome, file("results"), row.options));
        EXPECT_EQ(ran.code, 2) << row.options;
        EXPECT_THAT(ran.output, HasSubstr(fmt::format("is of another run: {}", row.why)));
        EXPECT_EQ(readText(file("results")), good) << "untouched";
    }
    ASSERT_EQ(test("nnapi-reference", "other", "--shard 2/2 --seed 7").code, 0);
    EXPECT_EQ(merge(fmt::format("{} {}", file("results"), file("other"))).code, 2);
    EXPECT_EQ(runProgram("--resume --filter basics/name").code, 2) << "without --results";
    EXPECT_EQ(runProgram(fmt::format("--results {} --soak 1", file("x"))).code, 2);
    EXPECT_EQ(runProgram("--filter basics/name --results /no/such/folder").code, 2);
    EXPECT_EQ(runProgram("join x", "report").code, 2);
}

TEST_F(Results, ThatAreNotResultsAreRefused) {
    ASSERT_EQ(test("nnapi-reference", "good").code, 0);
    const std::string good = readText(file("good"));
    const size_t head = good.find('\n') + 1;
    const std::string second = good.substr(head, good.find('\n', head) + 1 - head);
    const auto changed = [&](const std::string& from, const std::string& to) {
        std::string text = good.substr(0, head) + second;
        const size_t at = text.find(from);
        EXPECT_NE(at, std::string::npos) << from;
        return text.replace(at, from.size(), to);
    };
    std::string manyValues;  // each takes more memory than its bytes
    for (int i = 0; i < 70'000; ++i) manyValues += "\"\",";
    const std::string kWrong[] = {
            "",
            "\n",
            "no JSON\n",
            "[]\n",
            "{\"run\":3}\n",
            second,
            good.substr(0, head) + good,
            good.substr(0, head) + "null\n",
            changed("\"seed\":1", "\"seed\":\"x\""),
            changed("\"shard\":1", "\"shard\":2"),
            changed("\"of\":1", "\"of\":0"),
            changed("\"number\":", "\"number\":1000000"),
            changed("\"number\":", "\"nothing\":"),
            changed("\"outcome\":\"success\"", "\"outcome\":\"perhaps\""),
            changed("\"kind\":", "\"sort\":"),
            changed("\"kind\":", "\"remarks\":[" + manyValues + "\"\"],\"kind\":"),
            changed("\"kind\":",
                    "\"place\":\"" + std::string().append(20'000'000, 'x') + "\",\"kind\":"),
    };
    for (const std::string& wrong : kWrong) {
        std::ofstream(file("wrong")) << wrong;
        const Ran ran = merge(file("wrong") + " 2>&1");
        EXPECT_EQ(ran.code, 2) << wrong;
        EXPECT_THAT(ran.output, HasSubstr("wrong")) << "names the file";
    }
}

TEST_F(Results, MeetTheListOfKnownFailuresAsAWhole) {
    std::ofstream(file("known")) << "vectors/*\n";
    const std::string known = "--known-failures " + file("known");
    for (const char* part : {"1", "2"}) {
        const Ran ran =
                test("faulty:WRONG_VALUES", part, fmt::format("--shard {}/2 {}", part, known));
        EXPECT_EQ(ran.code, 0) << "known failures, and no pass is told of a part";
    }
    EXPECT_EQ(merge(fmt::format("{} {}", file("1"), file("2"))).code, 0);
    std::ofstream(file("known")) << "basics/name\n";
    const Ran ran = merge(fmt::format("{} {} {}", file("1"), file("2"), known));
    EXPECT_EQ(ran.code, 1);
    EXPECT_THAT(ran.output, HasSubstr("basics/name: all its cases pass now"));
}

}  // namespace
}  // namespace nn::device_test_test
