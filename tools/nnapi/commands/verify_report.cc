#include "tools/nnapi/commands/verify_report.h"

#include "base/files.h"

namespace nn::cli {
namespace {

Html itemsOf(const std::vector<Diagnostic>& diagnostics) {
    std::vector<Html> items;
    for (const Diagnostic& diagnostic : diagnostics)
        items.push_back(html("{}", toString(diagnostic)));
    return listOf(items);
}

// Whether the version carries the model; expands to why not.
Html convertsCell(const VersionVerdict& v) {
    if (v.converts) return html("<td class=\"good\">yes</td>");
    return html("<td class=\"part\">{}</td>", expandable(html("no"), itemsOf(v.diagnostics)));
}

Html validCell(const VersionVerdict& v) {
    if (!v.converts && v.hasConverters)
        return html("<td class=\"none\">{}</td>",
                    expandable(html("-"), html("<p>not converted</p>")));
    if (v.valid) return html("<td class=\"good\">yes</td>");
    return html("<td class=\"bad\">{}</td>", expandable(html("no"), itemsOf(v.diagnostics)));
}

Html lossesCell(const VersionVerdict& v) {
    std::vector<Html> items;
    for (const Loss& loss : v.importLosses)
        items.push_back(html("by the import: {}", toString(loss)));
    for (const Loss& loss : v.losses) items.push_back(html("{}", toString(loss)));
    return html("<td class=\"{}\">{}</td>", items.empty() ? "none" : "part",
                expandable(html("{}", items.size()), listOf(items)));
}

Html executionCells(const VersionVerdict& v) {
    const ExecutionCheck& check = v.execution;
    if (!check.compared) {
        return html("<td class=\"none\">{}</td><td class=\"none\">-</td>",
                    expandable(html("-"),
                               html("<p>{}</p>", v.converts ? check.message : "not converted")));
    }
    const Html equal = check.pass ? html("<td class=\"good\">yes</td>")
                                  : html("<td class=\"bad\">{}</td>",
                                         expandable(html("no"), html("<p>{}</p>", check.message)));
    return equal + html("<td>{:.3g}</td>", check.maxAbsError);
}

Html rowOf(const VerifyReport& report, size_t row) {
    const VersionVerdict& v = report.verdicts[row];
    return html(
            "<tr data-bad=\"{}\"><td class=\"name\">{}</td>{}{}<td class=\"{}\">{}</td>{}{}</tr>\n",
            v.good(report.expectsFailure) ? "no" : "yes", titleOfRow(row), convertsCell(v),
            validCell(v),
            !v.converts      ? "none"
            : v.isLossless() ? "good"
                             : "part",
            v.roundTrip(), lossesCell(v), executionCells(v));
}

// By version, for several models.
Html tableOf(const VerifySummary& summary) {
    Html text = html(
            "<table id=\"versions\">\n<tr><th class=\"name\">version</th><th>identical</th>"
            "<th>lossy</th><th>refused</th><th>executed equal</th><th>worst error</th></tr>\n");
    for (size_t i = 0; i < summary.rows.size(); ++i) {
        const VerifySummary::Row& row = summary.rows[i];
        text += html(
                "<tr><td class=\"name\">{}</td><td>{}</td><td>{}</td><td>{}</td><td>{} of {}</td>"
                "<td>{:.3g}</td></tr>\n",
                titleOfRow(i), row.identical, row.lossy, row.refused, row.equal, row.compared,
                row.maxAbsError);
    }
    return text += html("</table>\n");
}

}  // namespace

std::string titleOfRow(size_t row) {
    return row < kHalVersions.size() ? std::string(titleOf(kHalVersions[row])) : "TFLite";
}
std::string nameOfRow(size_t row) {
    return row < kHalVersions.size() ? std::string(toString(kHalVersions[row])) : "tflite";
}

NotCompared notCompared(const VerifyReport& report, const std::vector<size_t>& rows) {
    NotCompared reasons;
    for (const size_t i : rows) {
        const VersionVerdict& v = report.verdicts[i];
        if (!v.converts || v.execution.compared || v.execution.message.empty()) continue;
        auto found =
                std::ranges::find(reasons, v.execution.message, &NotCompared::value_type::first);
        if (found == reasons.end()) found = reasons.insert(found, {v.execution.message, {}});
        found->second.push_back(nameOfRow(i));
    }
    return reasons;
}

void VerifySummary::add(const VerifyReport& report) {
    ++models;
    if (!report.good()) ++bad;
    for (size_t i = 0; i < rows.size(); ++i) {
        const VersionVerdict& v = report.verdicts[i];
        Row& row = rows[i];
        ++(!v.converts ? row.refused : v.isLossless() ? row.identical : row.lossy);
        if (!v.execution.compared) continue;
        ++row.compared;
        if (v.execution.pass) ++row.equal;
        row.maxAbsError = std::max(row.maxAbsError, v.execution.maxAbsError);
    }
}

Html sectionOf(const VerifyReport& report) {
    Html text =
            html("<h2>{}</h2>\n<div class=\"wide\"><table class=\"conversions\">\n<tr><th "
                 "class=\"name\">version</th><th>converts</th><th>valid</th><th>round trip</th>"
                 "<th>losses</th><th>executes equal</th><th>worst error</th></tr>\n",
                 report.name);
    for (size_t i = 0; i < report.verdicts.size(); ++i) text += rowOf(report, i);
    text += html("</table></div>\n");
    if (report.isExecutedOnRandomInputs())
        text += html("<p>Executed {}.</p>\n", report.inputs.origin());
    if (!report.notExecuted.empty()) text += html("<p>Not executed: {}</p>\n", report.notExecuted);
    if (const auto& met = report.expectation) {
        text += html("<p class=\"{}\">Expected outputs: {}, worst error {:.3g}</p>\n",
                     met->pass ? "good" : "bad", met->pass ? "met" : met->message,
                     met->maxAbsError);
    }
    return text;
}

Status writeVerifyPage(const std::string& path, const VerifySummary& summary,
                       const Html& sections) {
    Html page = pageHead("Conversions");
    page += html(
            "<h1>Conversions</h1>\n<p id=\"verdict\" class=\"{}\">{} verified, {} failed</p>\n",
            summary.bad == 0 ? "good" : "bad", Plural{summary.models, "models"}, summary.bad);
    if (!summary.isComplete)
        page += html("<p class=\"bad\">Not all files were read: see the program's messages</p>\n");
    page += filterBox("version, loss, reason");
    if (summary.models > 1) page += tableOf(summary);
    page += sections + pageEnd();
    return writeFile(path, page.markup);
}

}  // namespace nn::cli
