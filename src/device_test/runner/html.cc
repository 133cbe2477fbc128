// Writes results as one self-contained page: failures by cause with the commands that repeat them,
// then outcomes by operation, type and path.
#include <algorithm>
#include <map>
#include <span>
#include <utility>

#include "base/files.h"
#include "base/html.h"
#include "device_test/runner/causes.h"
#include "device_test/runner/html_causes.h"
#include "device_test/runner/report.h"
#include "device_test/runner/statistics.h"

namespace nn::testing {
namespace {

Html legend() {
    return html(
            "<table class=\"legend\">\n"
            "<tr><td class=\"good\">5</td><td>all 5 cases succeed</td></tr>\n"
            "<tr><td class=\"part\">5</td><td>5 cases succeed, others are not supported</td></tr>\n"
            "<tr><td class=\"bad\">2/5</td><td>2 of 5 cases fail, hang or crash</td></tr>\n"
            "<tr><td class=\"none\">not supported</td><td>the device supports no case</td></tr>\n"
            "</table>\n");
}

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

    Html text() const {
        if (isEmpty()) return html("<td></td>");
        if (bad != 0) return html("<td class=\"bad\">{}/{}</td>", bad, bad + success);
        if (success == 0) return html("<td class=\"none\">not supported</td>");
        return html("<td class=\"{}\">{}</td>", notSupported == 0 ? "good" : "part", success);
    }
};

// Operation and type, then column.
using Matrix = std::map<std::pair<std::string, std::string>, std::map<std::string, Cell>>;

// Test cases run on several paths, the cases of other kinds on one.
const std::string& columnOf(const CaseHead& head) {
    return head.kind == "vectors" ? head.path : head.kind;
}

// Columns in the order of the cases.
std::vector<std::string> columnsOf(const DeviceReport& report) {
    std::vector<std::string> columns;
    for (const CaseResult& result : report.results) {
        const CaseHead& head = result.head;
        if (!head.operation.empty() && std::ranges::count(columns, columnOf(head)) == 0) {
            columns.push_back(columnOf(head));
        }
    }
    return columns;
}

Html operationRow(const Matrix::value_type& row, std::span<const std::string> columns) {
    const auto& [key, cells] = row;
    const bool isBad =
            std::ranges::any_of(cells, [](const auto& cell) { return cell.second.bad != 0; });
    Html text = html("<tr data-bad=\"{}\"><td class=\"name\">{}</td><td class=\"name\">{}</td>",
                     isBad ? "yes" : "no", key.first, key.second.empty() ? "any" : key.second);
    for (const std::string& column : columns) {
        const auto cell = cells.find(column);
        text += cell == cells.end() ? Cell().text() : cell->second.text();
    }
    return text += html("</tr>\n");
}

Html operationTable(const DeviceReport& report) {
    Matrix matrix;
    for (const CaseResult& result : report.results) {
        const CaseHead& head = result.head;
        if (head.operation.empty()) continue;
        matrix[{head.operation, head.type}][columnOf(head)].add(result);
    }
    if (matrix.empty()) return {};
    const std::vector<std::string> columns = columnsOf(report);
    Html head = html("<tr><th class=\"name\">operation</th><th class=\"name\">type</th>");
    for (const std::string& column : columns) head += html("<th>{}</th>", column);
    head += html("</tr>\n");
    Html supported, others;
    size_t countOfOthers = 0;
    for (const auto& row : matrix) {
        const bool isSupported = std::ranges::any_of(row.second, [](const auto& cell) {
            return cell.second.bad + cell.second.success != 0;
        });
        countOfOthers += isSupported ? 0 : 1;
        (isSupported ? supported : others) += operationRow(row, columns);
    }
    Html text =
            html("<h2>Operations</h2>\n{}<div class=\"wide\"><table id=\"operations\">\n{}{}"
                 "</table></div>\n",
                 legend(), head, supported);
    if (countOfOthers == 0) return text;
    return text +=
           expandable(html("Not supported: {} of operations and types",
                           Plural{countOfOthers, "pairs"}),
                      html("<div class=\"wide\"><table>\n{}{}</table></div>", head, others));
}

Html kindTable(const DeviceReport& report) {
    struct Column {
        CaseEnd end;
        std::string_view title;
    };
    static constexpr Column kColumns[] = {{CaseEnd::SUCCESS, "success"},
                                          {CaseEnd::FAILURE, "failure"},
                                          {CaseEnd::HANG, "hang"},
                                          {CaseEnd::CRASH, "crash"},
                                          {CaseEnd::NOT_SUPPORTED, "not supported"}};
    std::vector<std::string> kinds;
    std::map<std::string, std::map<CaseEnd, size_t>> counts;
    for (const CaseResult& result : report.results) {
        if (counts.find(result.head.kind) == counts.end()) kinds.push_back(result.head.kind);
        ++counts[result.head.kind][result.end];
    }
    Html text =
            html("<h2>Kinds of cases</h2>\n<table id=\"kinds\">\n<tr><th class=\"name\">kind</th>");
    for (const Column& column : kColumns) text += html("<th>{}</th>", column.title);
    text += html("</tr>\n");
    for (const std::string& kind : kinds) {
        text += html("<tr><td class=\"name\">{}</td>", kind);
        for (const auto& [end, title] : kColumns) {
            const size_t count = counts[kind][end];
            const bool isBad =
                    end != CaseEnd::SUCCESS && end != CaseEnd::NOT_SUPPORTED && count != 0;
            text += isBad        ? html("<td class=\"bad\">{}</td>", count)
                    : count == 0 ? html("<td class=\"none\">-</td>")
                                 : html("<td>{}</td>", count);
        }
        text += html("</tr>\n");
    }
    return text += html("</table>\n");
}

// Whether the device passes, what most of its failures have in common, and how much was tested.
Html verdictInHtml(const DeviceReport& report) {
    const auto isCase = [](const CaseResult& result) { return result.head.kind != kBiasKind; };
    const auto cases = static_cast<size_t>(std::ranges::count_if(report.results, isCase));
    const size_t bad = report.count(CaseEnd::FAILURE) + report.count(CaseEnd::HANG) +
                       report.count(CaseEnd::CRASH);
    Html text = html("<p id=\"verdict\" class=\"{}\">{}", report.isGood() ? "good" : "bad",
                     report.isGood() ? "Passes" : "Fails");
    if (bad != 0) {
        text += html(": {} of {} fail, hang or crash", bad,
                     Plural{bad + report.count(CaseEnd::SUCCESS), "results"});
    }
    text += html(".</p>\n");
    const std::vector<ResultCause> causes = failureCauses(report.results);
    if (!causes.empty() && causes.front().results.size() > 1)
        text += html("<p id=\"pattern\">The most common cause: {}.</p>\n", titleOf(causes.front()));
    return text += html("<p>{}, {} of them not supported; {} known; seed {}{}</p>\n",
                        Plural{cases, "cases"}, report.count(CaseEnd::NOT_SUPPORTED),
                        Plural{report.known(), "failures"}, report.seed,
                        report.isInterrupted ? "; interrupted" : "");
}

Html remarkList(const DeviceReport& report) {
    const std::vector<std::string> remarks = remarksOf(report.results);
    if (remarks.empty()) return {};
    Html text = html("<h2>{}</h2>\n<ul id=\"remarks\">\n", Plural{remarks.size(), "remarks"});
    for (const std::string& remark : remarks) text += html("<li data-bad=\"no\">{}</li>\n", remark);
    return text += html("</ul>\n");
}

}  // namespace

Status writeHtml(const std::string& path, const DeviceReport& report) {
    Html page = pageHead("Test of " + report.device);
    page += html("<h1>Test of {}</h1>\n{}", report.device, verdictInHtml(report));
    for (const std::string& line : warningsOf(report)) page += html("<p>Warning: {}.</p>\n", line);
    page += filterBox("operation, type, case, message");
    page += failuresInHtml(report) + kindTable(report) + remarkList(report) +
            operationTable(report) + statisticsHtml(report) + lackInHtml(report);
    page += pageEnd();
    return writeFile(path, page.markup);
}

}  // namespace nn::testing
