// Writes results in the format of JUnit, for continuous integration.
#include <fmt/format.h>

#include "base/files.h"
#include "base/html.h"
#include "device_test/runner/causes.h"
#include "device_test/runner/report.h"

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

// A case that stands for many.
std::string testcaseOf(const std::string& kind, size_t count, std::string_view what,
                       std::string_view element, const std::string& reason) {
    return fmt::format(
            "  <testcase classname=\"{0}\" name=\"{0}: {1} {2} ({4})\">\n   <{3} "
            "message=\"{4}\"/>\n"
            "  </testcase>\n",
            escapedForXml(kind), count, what, element, escapedForXml(reason));
}

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

// All cases of a kind. Missing features are listed by cause.
std::string testsuiteOf(const DeviceReport& report, const std::string& kind) {
    size_t failures = 0, errors = 0, skipped = 0, tests = 0;
    std::string cases;
    for (const CaseResult& result : report.results) {
        if (result.head.kind != kind) continue;
        ++tests;
        const std::string_view element = result.isKnown ? "skipped" : elementOf(result.end);
        failures += element == "failure" ? 1 : 0;
        errors += element == "error" ? 1 : 0;
        skipped += element == "skipped" ? 1 : 0;
        if (result.end != CaseEnd::NOT_SUPPORTED) cases += testcaseOf(result);
    }
    for (const ResultCause& cause : causesOfLack(report.results, kind)) {
        cases += testcaseOf(kind, cause.results.size(), "not supported", "skipped",
                            reasonOf(*cause.shortest));
    }
    for (const NotRun& left : report.notRun) {
        if (left.kind != kind) continue;
        tests += left.count;
        errors += left.count;
        cases += testcaseOf(kind, left.count, "not run", "error", left.reason);
    }
    return fmt::format(
            " <testsuite name=\"{}: {}\" tests=\"{}\" failures=\"{}\" errors=\"{}\" "
            "skipped=\"{}\">\n{} </testsuite>\n",
            escapedForXml(report.device), escapedForXml(kind), tests, failures, errors, skipped,
            cases);
}

}  // namespace

Status writeJunit(const std::string& path, const DeviceReport& report) {
    std::string text = "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites>\n";
    for (const std::string& kind : kindsOf(report)) text += testsuiteOf(report, kind);
    return writeFile(path, text + "</testsuites>\n");
}

}  // namespace nn::testing
