// Numbers and names of the rules of devices.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <fstream>
#include <regex>
#include <set>

#include "device_test/bugs/bugs.h"
#include "device_test/program.h"
#include "nnapi/device_test/device_test.h"

namespace nn::device_rules_test {
namespace {

using nn::testing::DeviceRule;
using nn::testing::deviceRules;
using ::testing::AnyOf;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Not;

TEST(DeviceRules, AreThoseOfThePageAndUnique) {
    std::ifstream page(std::string(NNAPI_DOCS) + "/device_rules.md");
    const std::regex row(R"(\| (\d+) \| (\S+) \| .+ \|)");
    std::vector<std::string> onPage, known;
    std::smatch cells;
    for (std::string line; std::getline(page, line);) {
        if (std::regex_match(line, cells, row)) onPage.push_back(cells.str(1) + " " + cells.str(2));
    }
    std::set<int> numbers;
    std::set<std::string_view> names;
    for (const DeviceRule& rule : deviceRules()) {
        known.push_back(fmt::format("{} {}", rule.number, rule.name));
        EXPECT_TRUE(numbers.insert(rule.number).second) << rule.number;
        EXPECT_TRUE(names.insert(rule.name).second) << rule.name;
        EXPECT_TRUE(std::regex_match(std::string(rule.name), std::regex("[a-z_]+\\.[a-z0-9_]+")))
                << rule.name;
    }
    EXPECT_EQ(known, onPage);
    EXPECT_FALSE(known.empty());
}

TEST(DeviceRules, HaveNamesAndNumbers) {
    const auto namesIn = [](std::string_view rules) {
        std::vector<std::string_view> names;
        for (const DeviceRule& rule : nn::testing::deviceRulesIn(rules)) names.push_back(rule.name);
        return names;
    };
    EXPECT_THAT(namesIn("execution.unmeasured"), ElementsAre("execution.unmeasured"));
    EXPECT_THAT(namesIn("memory.in_request, memory.tokens"),
                ElementsAre("memory.in_request", "memory.tokens"));
    EXPECT_THAT(namesIn("234, 12"), ElementsAre("buffer.token"));  // there is no 234
    for (const char* none : {"", ", ", "0", "99999999999999999999", "eighteen", "buffer."}) {
        EXPECT_THAT(namesIn(none), IsEmpty()) << none;
    }
}

TEST(DeviceRules, SaySourcesOfTheirOwn) {
    const struct {
        const char* rule;
        const char* source;
    } kRows[] = {{"execution.timing", "the HAL's documentation, IPreparedModel"},
                 {"buffer.token", "the HAL's documentation"},
                 {"deadline.execution", "Android's conformance suite"},
                 {"deadline.past", "Android's implementation"},
                 {"coupling.signed", "this library"}};
    for (const auto& row : kRows) {
        const auto rules = nn::testing::deviceRulesIn(row.rule);
        ASSERT_EQ(rules.size(), 1u) << row.rule;
        EXPECT_EQ(nn::testing::sourceOf(rules[0]), row.source) << row.rule;
        EXPECT_FALSE(rules[0].statement.empty());
    }
}

TEST(DeviceRules, HaveSourcesInJson) {
    const auto ran = device_test_test::runProgram(
            "--device faulty:TIME_NOBODY_ASKED_FOR --jobs 1 --filter 'vectors/relu_float/sync' "
            "--json");
    EXPECT_THAT(ran.output, HasSubstr(R"("rules":"execution.unmeasured",)"));
    EXPECT_THAT(ran.output, HasSubstr(R"("ruleSources":["Android's conformance suite"])"));
}

// Of docs/driver_bugs.md, which scripts/bugs writes.
TEST(DriverBugs, AreThoseOfThePage) {
    std::ifstream page(std::string(NNAPI_DOCS) + "/driver_bugs.md");
    const std::regex row(R"(\| `(\w+)` \| (.+?) \| (.+?) \| (.+) \|)");
    std::vector<std::string> onPage, known;
    std::smatch cells;
    for (std::string line; std::getline(page, line);) {
        if (!std::regex_match(line, cells, row)) continue;
        onPage.push_back(cells.str(1) + ": " + cells.str(2));
        const auto bug = bugs::bugNamed(cells.str(1));
        if (!bug) continue;
        const bool isPermitted = bugs::rowOf(*bug).isPermitted;
        EXPECT_EQ(cells.str(3) == "permitted", isPermitted) << line;
        EXPECT_THAT(cells.str(3), Not(AnyOf("not found", "not tested", "FALSE ALARM"))) << line;
        if (!isPermitted) continue;
        EXPECT_EQ(cells.str(4), bugs::rowOf(*bug).where);
    }
    for (const bugs::BugRow& each : bugs::catalog()) {
        known.push_back(fmt::format("{}: {}", each.name, each.what));
    }
    EXPECT_EQ(onPage, known) << "scripts/bugs --first -o docs/driver_bugs.md";
}

}  // namespace
}  // namespace nn::device_rules_test
