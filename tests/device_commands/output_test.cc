// Untrusted text in the output of the programs.
#include "tools/nnapi/output.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <functional>
#include <nlohmann/json.hpp>

#include "base/untrusted_text.h"
#include "nnapi/device_test/device_test_runner.h"
#include "nnapi/import/imported_model.h"
#include "nnapi/losses.h"
#include "tools/nnapi/text_layout.h"

namespace nn::device_commands_output_test {
namespace {

// ESC, the ends of lines, BEL, the C1 introducer as a character and as a byte, bytes that are not
// UTF-8, and characters that change the direction of writing.
const std::string kHostile[] = {"a\x1b[31mb", "a\nb",       "a\rb",     "a\ab",     "a\u009bb",
                                "a\233b",     "a\377\376b", "a\u202eb", "a\u2066b", "a\u2028b"};

// The text is printable ASCII with so many line ends.
void expectSafe(const std::string& text, size_t lines) {
    EXPECT_EQ(std::ranges::count(text, '\n'), static_cast<std::ptrdiff_t>(lines)) << text;
    EXPECT_TRUE(std::ranges::all_of(text, [](char c) {
        return c == '\n' || (c >= ' ' && c < 127);
    })) << ::testing::PrintToString(text);
}

// The output of a function.
std::string printedBy(const std::function<void(const cli::Output& output)>& print) {
    ::testing::internal::CaptureStdout();
    print(cli::Output(/*json=*/false));
    std::fflush(stdout);
    return ::testing::internal::GetCapturedStdout();
}

TEST(Output, ShowsStringsWithoutControlCharacters) {
    for (const std::string& hostile : kHostile) {
        expectSafe(printedBy([&](const cli::Output& output) {
                       output.text("{}: {:<9} {} {}\n", hostile, hostile.c_str(),
                                   std::string_view(hostile), UntrustedText{hostile});
                   }),
                   1);
        expectSafe(printedBy([&](const cli::Output& output) {
                       output.text("{}", cli::Lines{cli::table({{"", ""}, {hostile, hostile}}, 2,
                                                               /*width=*/80)});
                   }),
                   1);
    }
    EXPECT_EQ(printedBy([](const cli::Output& output) {
                  output.text("{}", cli::Lines{"a\x1b[2J\nb\n"});
              }),
              "a\\u001b[2J\nb\n");
}

TEST(Output, ShowsTextThatIsSafeAsItIs) {
    const std::string text = R"(tensor "x\u001b" has 'quotes' \ and café)";
    EXPECT_EQ(printedBy([&](const cli::Output& output) { output.text("{}", text); }), text);
}

TEST(Output, OfObjectsIsAscii) {
    for (const std::string& hostile : kHostile) {
        expectSafe(printedBy([&](const cli::Output& output) {
                       output.object({{"name", UntrustedText{hostile}}, {hostile, hostile}});
                   }),
                   1);
    }
}

TEST(TextsOfTheLibrary, HaveNoControlCharactersOfFiles) {
    for (const std::string& hostile : kHostile) {
        expectSafe(toString(Loss{
                           .path = hostile, .before = hostile, .after = hostile, .why = hostile}),
                   0);
        expectSafe(toString(ImportRefusal{.tensor = hostile, .found = hostile, .allowed = hostile}),
                   0);
        expectSafe(toString(ImportedOperator{.graph = hostile, .type = hostile, .name = hostile}),
                   0);
    }
}

// All texts of a report are this one.
nn::testing::DeviceReport reportOf(const std::string& text) {
    using namespace nn::testing;
    CaseResult result{.end = CaseEnd::FAILURE, .repeat = text};
    result.head = {.name = text, .kind = text, .operation = text, .path = text};
    result.outcome = {.result = DeviceOutcome::Result::FAILED,
                      .place = text,
                      .message = text,
                      .remarks = {text}};
    CaseResult lacking = result;
    lacking.end = CaseEnd::NOT_SUPPORTED;
    lacking.outcome.result = DeviceOutcome::Result::NOT_SUPPORTED;
    DeviceReport report{.device = text};
    report.results = {result, lacking};
    report.notRun = {{.kind = text, .reason = text, .count = 2}};
    report.unexpectedPasses = report.missing = {text};
    return report;
}

// A merged report has what files of results hold.
TEST(ReportsOfADeviceTest, HaveNoControlCharactersOfFiles) {
    const auto linesOf = [](const std::string& text) {
        return static_cast<size_t>(std::ranges::count(text, '\n'));
    };
    const size_t lines = linesOf(summaryOf(reportOf("a")));
    for (const std::string& hostile : kHostile) {
        const nn::testing::DeviceReport report = reportOf(hostile);
        expectSafe(summaryOf(report), lines);
        expectSafe(toString(report.results[0]), 0);
        expectSafe(jsonLineOf(report.results[0], report), 0);
        expectSafe(jsonLineOf(report.notRun[0]), 0);
    }
}

}  // namespace
}  // namespace nn::device_commands_output_test
