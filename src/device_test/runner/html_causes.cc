#include "device_test/runner/html_causes.h"

#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <map>

#include "device_test/runner/report.h"
#include "nnapi/print.h"

namespace nn::testing {
namespace {

constexpr size_t kMaxOperations = 5;  // named in a title

bool isWrongValue(const ResultCause& cause) {
    return cause.shortest->outcome.firstDifference.has_value();
}

// "ADD (7), RELU (2) and 3 more": the operations by the number of results, at most that many.
std::string operationsOf(const ResultCause& cause, size_t most) {
    std::map<std::string, size_t> counts;
    for (const CaseResult* result : cause.results) {
        if (!result->head.operation.empty()) ++counts[result->head.operation];
    }
    std::vector<std::pair<std::string, size_t>> rows(counts.begin(), counts.end());
    std::ranges::stable_sort(rows, std::greater(), &std::pair<std::string, size_t>::second);
    std::vector<std::string> names;
    for (const auto& [name, count] : rows) {
        if (names.size() < most) names.push_back(fmt::format("{} ({})", name, count));
    }
    std::string text = fmt::format("{}", fmt::join(names, ", "));
    if (names.size() == rows.size()) return text;
    return fmt::format("{} and {} more", text, rows.size() - names.size());
}

// Properties that results may share: "element 0", "TENSOR_FLOAT32", "path sync".
std::vector<std::string> traitsOf(const CaseResult& result) {
    std::vector<std::string> traits;
    if (const auto& first = result.outcome.firstDifference) {
        traits = {fmt::format("output {}", first->output),
                  fmt::format("element {}", first->element), nn::toString(first->type)};
    }
    if (!result.head.path.empty()) traits.push_back("path " + result.head.path);
    return traits;
}

// The traits that at least three of four results have, with their number unless all have them.
std::string commonTraitsOf(const ResultCause& cause) {
    std::vector<std::pair<std::string, size_t>> counts;
    for (const CaseResult* result : cause.results) {
        for (std::string& trait : traitsOf(*result)) {
            const auto found =
                    std::ranges::find(counts, trait, &std::pair<std::string, size_t>::first);
            if (found == counts.end()) {
                counts.emplace_back(std::move(trait), 1);
            } else {
                ++found->second;
            }
        }
    }
    const size_t all = cause.results.size();
    std::vector<std::string> common;
    for (const auto& [trait, count] : counts) {
        if (count * 4 < all * 3) continue;
        common.push_back(count == all ? trait : fmt::format("{} ({})", trait, count));
    }
    return fmt::format("{}", fmt::join(common, ", "));
}

// The facts that the message lacks.
Html differenceOf(const DeviceOutcome::Difference& first) {
    const std::string type = nn::toString(first.type);
    const double error = std::abs(first.actual - first.expected);
    if (!std::isfinite(error)) return html("<p>Output of {}</p>\n", type);
    const bool isQuantized = type.find("QUANT") != std::string::npos;
    return html("<p>Output of {}, off by {:.6g}{}</p>\n", type, error, isQuantized ? " steps" : "");
}

Html stacksOf(const CaseResult& result) {
    Html text;
    for (const ThreadStack& stack : result.stacks) {
        text += html("<p>{}{}</p>\n<pre>", stack.thread,
                     stack.call.empty() ? "" : ", in " + stack.call);
        for (const std::string& frame : stack.frames) text += html("{}\n", frame);
        text += html("</pre>\n");
    }
    return text.empty() ? text
                        : expandable(html("{}", Plural{result.stacks.size(), "threads"}), text);
}

// All about a case but its name and the reason.
Html factsOf(const CaseResult& result) {
    Html text;
    for (const DeviceRule& rule : deviceRulesIn(result.outcome.rules)) {
        text += html("<p>Rule <em>{}</em>, of {}: {}</p>\n", rule.name, sourceOf(rule),
                     rule.statement);
    }
    if (result.outcome.firstDifference) text += differenceOf(*result.outcome.firstDifference);
    if (!result.arguments.empty()) text += html("<p>With {}</p>\n", result.arguments);
    text += stacksOf(result);
    if (!result.repeat.empty()) text += html("<p><code>{}</code></p>\n", result.repeat);
    return text;
}

Html causeInHtml(const ResultCause& cause) {
    const CaseResult& shortest = *cause.shortest;
    Html text =
            html("<section class=\"cause{}\" data-bad=\"{}\">\n<h3>{}</h3>\n",
                 shortest.isKnown ? " known" : "", shortest.isKnown ? "no" : "yes", titleOf(cause));
    text += html("<div class=\"case\">\n<p><code>{}</code>{}{}</p>\n{}</div>\n", shortest.head.name,
                 isWrongValue(cause) ? ": " : "", isWrongValue(cause) ? reasonOf(shortest) : "",
                 factsOf(shortest));
    if (cause.operations.size() > kMaxOperations) {
        text += expandable(html("{}", Plural{cause.operations.size(), "operations"}),
                           html("<p>{}</p>", operationsOf(cause, cause.operations.size())));
    }
    Html others;
    for (const CaseResult* result : cause.results) {
        if (result == cause.shortest) continue;
        others += expandable(html("<code>{}</code>: {}", result->head.name, reasonOf(*result)),
                             factsOf(*result));
    }
    if (!others.empty()) {
        text += expandable(
                html("{} with the same cause", Plural{cause.results.size() - 1, "more cases"}),
                others);
    }
    return text += html("</section>\n");
}

}  // namespace

Html titleOf(const ResultCause& cause) {
    const CaseResult& shortest = *cause.shortest;
    const size_t count = cause.results.size();
    const std::string_view noun = shortest.end == CaseEnd::CRASH  ? "crash"
                                  : shortest.end == CaseEnd::HANG ? "hang"
                                                                  : "failure";
    const std::string_view ending = count == 1 ? "" : shortest.end == CaseEnd::CRASH ? "es" : "s";
    Html text = html("{} {}{}{}: {}", count, shortest.isKnown ? "known " : "", noun, ending,
                     isWrongValue(cause) ? "wrong values" : reasonOf(shortest));
    if (cause.operations.size() > kMaxOperations) {
        text += html(" in {}, {}", Plural{cause.operations.size(), "operations"},
                     operationsOf(cause, kMaxOperations));
    } else if (!cause.operations.empty()) {
        text += html(" in {}", operationsOf(cause, kMaxOperations));
    }
    const std::string common = count > 1 ? commonTraitsOf(cause) : "";
    if (!common.empty()) text += html("; in common: {}", common);
    return text;
}

Html failuresInHtml(const DeviceReport& report) {
    Html text;
    for (const ResultCause& cause : failureCauses(report.results)) text += causeInHtml(cause);
    for (const ResultCause& cause : knownCauses(report.results)) text += causeInHtml(cause);
    return html("<h2>Failures by cause</h2>\n") + (text.empty() ? html("<p>None.</p>\n") : text);
}

Html lackInHtml(const DeviceReport& report) {
    Html text;
    const auto row = [&](size_t count, const std::string& what) {
        text += html("<tr data-bad=\"no\"><td>{}</td><td class=\"name\">{}</td></tr>\n", count,
                     what);
    };
    const auto begin = [&](std::string_view title, std::string_view id) {
        text +=
                html("<h2>{}</h2>\n<table id=\"{}\">\n<tr><th>cases</th><th "
                     "class=\"name\">what</th></tr>\n",
                     title, id);
    };
    if (!report.notRun.empty()) {
        begin("Not run", "notRun");
        for (const NotRun& left : report.notRun) row(left.count, left.kind + ": " + left.reason);
        text += html("</table>\n");
    }
    if (const auto causes = causesOfLack(report.results); !causes.empty()) {
        begin("Not supported", "lacking");
        for (const ResultCause& cause : causes) {
            row(cause.results.size(), cause.shortest->outcome.message);
        }
        text += html("</table>\n");
    }
    return text;
}

}  // namespace nn::testing
