#include "device_test/runner/html_causes.h"

#include <fmt/format.h>

#include "base/plurals.h"
#include "device_test/runner/causes.h"
#include "device_test/runner/report.h"
#include "nnapi/print.h"

namespace nn::testing {
namespace {

std::string differenceOf(const DeviceOutcome::Difference& first) {
    return fmt::format("<p>First difference: output {}, {}, element {}: {}, expected {}</p>\n",
                       first.output, escapedForXml(nn::toString(first.type)), first.element,
                       first.actual, first.expected);
}

std::string stacksOf(const CaseResult& result) {
    if (result.stacks.empty()) return "";
    std::string text = fmt::format("<details><summary>{}</summary>\n",
                                   Plural{result.stacks.size(), "threads"});
    for (const ThreadStack& stack : result.stacks) {
        text += fmt::format("<p>{}{}</p>\n<pre>", escapedForXml(stack.thread),
                            stack.call.empty() ? "" : ", in " + escapedForXml(stack.call));
        for (const std::string& frame : stack.frames) text += escapedForXml(frame) + "\n";
        text += "</pre>\n";
    }
    return text + "</details>\n";
}

std::string caseInHtml(const CaseResult& result) {
    std::string text = fmt::format(
            "<div class=\"case\">\n<h3><code>{}</code></h3>\n<p><span "
            "class=\"outcome\">{}{}</span>: {}</p>\n",
            escapedForXml(result.head.name), result.isKnown ? "known " : "", toString(result.end),
            escapedForXml(reasonOf(result)));
    for (const DeviceRule& rule : deviceRulesIn(result.outcome.rules)) {
        text += fmt::format("<p>Rule {}, <em>{}</em>, of {}: {}</p>\n", rule.number, rule.name,
                            escapedForXml(sourceOf(rule)), escapedForXml(rule.statement));
    }
    if (result.outcome.firstDifference) text += differenceOf(*result.outcome.firstDifference);
    if (!result.arguments.empty()) {
        text += fmt::format("<p>With {}</p>\n", escapedForXml(result.arguments));
    }
    text += stacksOf(result);
    if (!result.repeat.empty()) {
        text += fmt::format("<p><code>{}</code></p>\n", escapedForXml(result.repeat));
    }
    return text + "</div>\n";
}

std::string causeInHtml(const ResultCause& cause) {
    const bool isKnown = cause.shortest->isKnown;
    std::string text = fmt::format("<section class=\"cause{}\" data-bad=\"{}\">\n",
                                   isKnown ? " known" : "", isKnown ? "no" : "yes");
    text += caseInHtml(*cause.shortest);
    if (const size_t others = cause.results.size() - 1; others != 0) {
        text += fmt::format("<details><summary>{} with the same cause</summary>\n",
                            Plural{others, "more cases"});
        for (const CaseResult* result : cause.results) {
            if (result != cause.shortest) text += caseInHtml(*result);
        }
        text += "</details>\n";
    }
    return text + "</section>\n";
}

}  // namespace

std::string failuresInHtml(const DeviceReport& report) {
    std::string text;
    for (const ResultCause& cause : failureCauses(report.results)) text += causeInHtml(cause);
    for (const ResultCause& cause : knownCauses(report.results)) text += causeInHtml(cause);
    return "<h2>Failures by cause</h2>\n" + (text.empty() ? "<p>None.</p>\n" : text);
}

std::string lackInHtml(const DeviceReport& report) {
    std::string text;
    const auto row = [&](size_t count, const std::string& what) {
        text += fmt::format("<tr data-bad=\"no\"><td>{}</td><td class=\"name\">{}</td></tr>\n",
                            count, escapedForXml(what));
    };
    const auto begin = [&](std::string_view title, std::string_view id) {
        text += fmt::format(
                "<h2>{}</h2>\n<table id=\"{}\">\n<tr><th>cases</th><th "
                "class=\"name\">what</th></tr>\n",
                title, id);
    };
    if (!report.notRun.empty()) {
        begin("Not run", "notRun");
        for (const NotRun& left : report.notRun) row(left.count, left.kind + ": " + left.reason);
        text += "</table>\n";
    }
    if (const auto causes = causesOfLack(report.results); !causes.empty()) {
        begin("Not supported", "lacking");
        for (const ResultCause& cause : causes) {
            row(cause.results.size(), cause.shortest->outcome.message);
        }
        text += "</table>\n";
    }
    return text;
}

}  // namespace nn::testing
