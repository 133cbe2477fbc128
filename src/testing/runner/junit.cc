// Writes results in the format of JUnit, for continuous integration.
#include <fmt/format.h>

#include <algorithm>

#include "schema/files.h"
#include "testing/runner/report.h"

namespace nn::testing {
namespace {

std::string_view elementOf(CaseEnd end) {
    switch (end) {
        case CaseEnd::SUCCESS:
            return "";
        case CaseEnd::FAILURE:
            return "failure";
        case CaseEnd::HANG:
        case CaseEnd::CRASH:
            return "error";
        case CaseEnd::NOT_SUPPORTED:
            return "skipped";
    }
    return "";
}

double seconds(Duration duration) { return std::chrono::duration<double>(duration).count(); }

// A known failure counts as skipped, as in other programs with such lists.
std::string testcaseOf(const CaseResult& result) {
    std::string text = fmt::format("  <testcase classname=\"{}\" name=\"{}\" time=\"{:.6f}\"",
                                   escapedForXml(result.head.kind), escapedForXml(result.head.name),
                                   seconds(result.took));
    const std::string_view element = result.isKnown ? "skipped" : elementOf(result.end);
    if (element.empty()) {
        std::string remarks;
        for (const std::string& remark : result.outcome.remarks) remarks += remark + "\n";
        if (remarks.empty()) return text + "/>\n";
        return text + fmt::format(">\n   <system-out>{}</system-out>\n  </testcase>\n",
                                  escapedForXml(remarks));
    }
    const std::string reason = escapedForXml(reasonOf(result));
    text += fmt::format(">\n   <{} message=\"{}\"", element, reason);
    if (element != "skipped") text += fmt::format(" type=\"{}\"", toString(result.end));
    text += result.isBad() ? fmt::format(">{}</{}>\n", escapedForXml(result.repeat), element)
                           : "/>\n";
    return text + "  </testcase>\n";
}

}  // namespace

std::string escapedForXml(std::string_view text) {
    std::string escaped;
    for (const char c : text) {
        switch (c) {
            case '&':
                escaped += "&amp;";
                break;
            case '<':
                escaped += "&lt;";
                break;
            case '>':
                escaped += "&gt;";
                break;
            case '"':
                escaped += "&quot;";
                break;
            case '\'':
                escaped += "&#39;";
                break;
            default:
                escaped += c >= ' ' && c <= '~' ? c : '?';
        }
    }
    return escaped;
}

Status writeJunit(const std::string& path, const DeviceReport& report) {
    const auto known = report.known();
    size_t failures = 0, errors = 0;
    for (const CaseResult& result : report.results) {
        if (result.isKnown) continue;
        failures += result.end == CaseEnd::FAILURE ? 1 : 0;
        errors += result.end == CaseEnd::HANG || result.end == CaseEnd::CRASH ? 1 : 0;
    }
    std::string text = "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites>\n";
    text += fmt::format(
            " <testsuite name=\"{}\" tests=\"{}\" failures=\"{}\" errors=\"{}\" skipped=\"{}\">\n",
            escapedForXml(report.device), report.results.size(), failures, errors,
            report.count(CaseEnd::NOT_SUPPORTED) + known);
    for (const CaseResult& result : report.results) text += testcaseOf(result);
    return schema::writeFile(path, text + " </testsuite>\n</testsuites>\n");
}

}  // namespace nn::testing
