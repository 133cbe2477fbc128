// Writes results as one self-contained page: failures by cause with the commands that repeat them,
// then outcomes by operation, type and path.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <map>
#include <utility>

#include "base/files.h"
#include "base/plurals.h"
#include "device_test/runner/causes.h"
#include "device_test/runner/html_causes.h"
#include "device_test/runner/report.h"
#include "device_test/runner/statistics.h"

namespace nn::testing {
namespace {

constexpr std::string_view kPageHead = R"(<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8"/>
<meta name="viewport" content="width=device-width, initial-scale=1"/>
<title>{title}</title>
<style>
body {{ font: 15px/1.4 system-ui, sans-serif; margin: 2em auto; max-width: 80em; padding: 0 1em; color: #222; background: #fff; }}
table {{ border-collapse: collapse; margin: 1em 0; }}
th, td {{ border: 1px solid #ccc; padding: .2em .5em; text-align: right; }}
th {{ background: #f3f3f3; }}
th.name, td.name {{ text-align: left; }}
td.good, p.good {{ background: #d9f2d9; }}
td.bad, p.bad {{ background: #f8c9c4; font-weight: bold; }}
#verdict {{ font-size: 1.2em; padding: .3em .6em; }}
td.part {{ background: #fbe9c6; }}
td.none {{ color: #888; }}
code {{ font: 13px/1.4 ui-monospace, monospace; background: #f3f3f3; padding: .1em .3em; word-break: break-all; }}
section.cause {{ border-left: 4px solid #d9534f; padding: .1em 1em; margin: 1em 0; }}
p, td.name, pre {{ overflow-wrap: anywhere; }}
pre {{ white-space: pre-wrap; }}
.wide {{ overflow-x: auto; }}
.legend td {{ border: 0; text-align: left; }}
.legend td:first-child {{ border: 1px solid #ccc; text-align: right; }}
section.known {{ border-color: #bbb; }}
.outcome {{ font-variant: small-caps; }}
[hidden] {{ display: none; }}
#filter {{ position: sticky; top: 0; padding: .5em 0; background: inherit; }}
#words {{ font: inherit; width: 24em; max-width: 60%; }}
#shown {{ margin-left: 1em; color: #888; }}
@media (prefers-color-scheme: dark) {{
body {{ color: #ddd; background: #1b1b1b; }}
th, code {{ background: #2a2a2a; }}
th, td {{ border-color: #444; }}
td.good, p.good {{ background: #1f4023; }}
td.bad, p.bad {{ background: #6b2723; }}
td.part {{ background: #57451b; }}
}}
</style>
</head>
<body>
)";

// Shows the rows and sections that contain all words; optionally only bad ones. The URL can select
// too: report.html#q=conv_2d+float16&only=bad. Without scripts, everything is shown.
constexpr std::string_view kPageEnd = R"(<script>
//<![CDATA[
const words = document.getElementById('words'), bad = document.getElementById('bad');
const rows = [...document.querySelectorAll('[data-bad]')];
function apply() {
  const wanted = words.value.toLowerCase().split(/\s+/).filter(word => word);
  for (const row of rows) {
    const text = row.textContent.toLowerCase();
    row.hidden = !wanted.every(word => text.includes(word)) ||
                 (bad.checked && row.dataset.bad !== 'yes');
  }
  document.getElementById('shown').textContent =
      rows.filter(row => !row.hidden).length + ' of ' + rows.length + ' shown';
}
function ask() {
  const asked = new URLSearchParams(location.hash.slice(1));
  words.value = asked.get('q') || '';
  bad.checked = asked.get('only') === 'bad';
  apply();
}
words.addEventListener('input', apply);
bad.addEventListener('input', apply);
addEventListener('hashchange', ask);
document.getElementById('filter').hidden = false;
ask();
//]]>
</script>
</body>
</html>
)";

constexpr std::string_view kFilter =
        "<div id=\"filter\" hidden=\"hidden\"><input id=\"words\" type=\"search\" "
        "placeholder=\"operation, type, case, message\"/> <label><input id=\"bad\" "
        "type=\"checkbox\"/> only what is bad</label> <span id=\"shown\"></span></div>\n";

constexpr std::string_view kLegend =
        "<table class=\"legend\">\n"
        "<tr><td class=\"good\">5</td><td>all 5 cases succeed</td></tr>\n"
        "<tr><td class=\"part\">5</td><td>5 cases succeed, others are not supported</td></tr>\n"
        "<tr><td class=\"bad\">2/5</td><td>2 of 5 cases fail, hang or crash</td></tr>\n"
        "<tr><td class=\"none\">not supported</td><td>the device supports no case</td></tr>\n"
        "</table>\n";

struct Cell {
    size_t success = 0, bad = 0, notSupported = 0;

    void add(const CaseResult& result) {
        if (result.isBad()) {
            ++bad;
        } else if (result.end == CaseEnd::SUCCESS) {
            ++success;
        } else {
            ++notSupported;
        }
    }
    bool isEmpty() const { return success + bad + notSupported == 0; }

    std::string text() const {
        if (isEmpty()) return "<td></td>";
        if (bad != 0) return fmt::format("<td class=\"bad\">{}/{}</td>", bad, bad + success);
        if (success == 0) return "<td class=\"none\">not supported</td>";
        return fmt::format("<td class=\"{}\">{}</td>", notSupported == 0 ? "good" : "part",
                           success);
    }
};

// Operation and type, then path.
using Matrix = std::map<std::pair<std::string, std::string>, std::map<std::string, Cell>>;

// Random models have seeds for paths.
const std::string& columnOf(const CaseHead& head) {
    return head.kind == "random" ? head.kind : head.path;
}

// Paths in the order of the cases.
std::vector<std::string> pathsOfReport(const DeviceReport& report) {
    std::vector<std::string> paths;
    for (const CaseResult& result : report.results) {
        const CaseHead& head = result.head;
        if (!head.operation.empty() && std::ranges::count(paths, columnOf(head)) == 0) {
            paths.push_back(columnOf(head));
        }
    }
    return paths;
}

std::string operationTable(const DeviceReport& report) {
    Matrix matrix;
    for (const CaseResult& result : report.results) {
        const CaseHead& head = result.head;
        if (head.operation.empty()) continue;
        matrix[{head.operation, head.type}][columnOf(head)].add(result);
    }
    if (matrix.empty()) return "";
    const std::vector<std::string> paths = pathsOfReport(report);
    std::string head = "<tr><th class=\"name\">operation</th><th class=\"name\">type</th>";
    for (const std::string& path : paths) head += fmt::format("<th>{}</th>", escapedForXml(path));
    head += "</tr>\n";
    std::string supported, others;
    size_t countOfOthers = 0;
    for (const auto& [key, cells] : matrix) {
        const bool isBad =
                std::ranges::any_of(cells, [](const auto& cell) { return cell.second.bad != 0; });
        const bool isSupported = std::ranges::any_of(
                cells, [](const auto& cell) { return cell.second.bad + cell.second.success != 0; });
        countOfOthers += isSupported ? 0 : 1;
        std::string& text = isSupported ? supported : others;
        text += fmt::format(
                "<tr data-bad=\"{}\"><td class=\"name\">{}</td><td class=\"name\">{}</td>",
                isBad ? "yes" : "no", escapedForXml(key.first), escapedForXml(key.second));
        for (const std::string& path : paths) {
            const auto cell = cells.find(path);
            text += cell == cells.end() ? "<td></td>" : cell->second.text();
        }
        text += "</tr>\n";
    }
    std::string text = fmt::format(
            "<h2>Operations</h2>\n{}<div class=\"wide\"><table id=\"operations\">\n{}{}"
            "</table></div>\n",
            kLegend, head, supported);
    if (countOfOthers == 0) return text;
    return text + fmt::format(
                          "<details><summary>Not supported: {} of operations and types</summary>\n"
                          "<div class=\"wide\"><table>\n{}{}</table></div></details>\n",
                          Plural{countOfOthers, "pairs"}, head, others);
}

std::string kindTable(const DeviceReport& report) {
    constexpr std::array kEnds = {CaseEnd::SUCCESS, CaseEnd::FAILURE, CaseEnd::HANG, CaseEnd::CRASH,
                                  CaseEnd::NOT_SUPPORTED};
    std::vector<std::string> kinds;
    std::map<std::string, std::map<CaseEnd, size_t>> counts;
    for (const CaseResult& result : report.results) {
        if (counts.find(result.head.kind) == counts.end()) kinds.push_back(result.head.kind);
        ++counts[result.head.kind][result.end];
    }
    std::string text =
            "<h2>Kinds of cases</h2>\n<table id=\"kinds\">\n<tr><th class=\"name\">kind</th>";
    for (const CaseEnd end : kEnds) text += fmt::format("<th>{}</th>", toString(end));
    text += "</tr>\n";
    for (const std::string& kind : kinds) {
        text += fmt::format("<tr><td class=\"name\">{}</td>", escapedForXml(kind));
        for (const CaseEnd end : kEnds) {
            const size_t count = counts[kind][end];
            const bool isBad =
                    end != CaseEnd::SUCCESS && end != CaseEnd::NOT_SUPPORTED && count != 0;
            text += fmt::format("<td{}>{}</td>", isBad ? " class=\"bad\"" : "", count);
        }
        text += "</tr>\n";
    }
    return text + "</table>\n";
}

// Whether the device passes, the most common cause of its failures, and how much was tested.
std::string verdictInHtml(const DeviceReport& report) {
    const auto isCase = [](const CaseResult& result) { return result.head.kind != kBiasKind; };
    const auto cases = static_cast<size_t>(std::ranges::count_if(report.results, isCase));
    const size_t bad = report.count(CaseEnd::FAILURE) + report.count(CaseEnd::HANG) +
                       report.count(CaseEnd::CRASH);
    std::string text =
            fmt::format("<p id=\"verdict\" class=\"{}\">{}", report.isGood() ? "good" : "bad",
                        report.isGood() ? "Passes" : "Fails");
    if (bad != 0) text += fmt::format(": {} fail, hang or crash", Plural{bad, "results"});
    const std::vector<ResultCause> causes = failureCauses(report.results);
    if (!causes.empty() && causes.front().results.size() > 1)
        text += ". The most common cause: " + escapedForXml(causes.front().text());
    return text + fmt::format(".</p>\n<p>{}, {} of them not supported; {} known; seed {}{}</p>\n",
                              Plural{cases, "cases"}, report.count(CaseEnd::NOT_SUPPORTED),
                              Plural{report.known(), "failures"}, report.seed,
                              report.isInterrupted ? "; interrupted" : "");
}

std::string remarkList(const DeviceReport& report) {
    const std::vector<std::string> remarks = remarksOf(report.results);
    if (remarks.empty()) return "";
    std::string text =
            fmt::format("<h2>{}</h2>\n<ul id=\"remarks\">\n", Plural{remarks.size(), "remarks"});
    for (const std::string& remark : remarks) {
        text += fmt::format("<li data-bad=\"no\">{}</li>\n", escapedForXml(remark));
    }
    return text + "</ul>\n";
}

}  // namespace

Status writeHtml(const std::string& path, const DeviceReport& report) {
    const std::string device = escapedForXml(report.device);
    std::string text = fmt::format(fmt::runtime(kPageHead), fmt::arg("title", "Test of " + device));
    text += fmt::format("<h1>Test of {}</h1>\n{}", device, verdictInHtml(report));
    for (const std::string& line : warningsOf(report)) {
        text += fmt::format("<p>Warning: {}.</p>\n", escapedForXml(line));
    }
    text += kFilter;
    text += failuresInHtml(report) + kindTable(report) + remarkList(report) +
            operationTable(report) + statisticsHtml(report) + lackInHtml(report);
    return writeFile(path, text += kPageEnd);
}

}  // namespace nn::testing
