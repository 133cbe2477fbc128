#include "device_test/runner/report.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <utility>

#include "base/plurals.h"
#include "base/printable.h"
#include "device_test/runner/case_result.h"
#include "device_test/runner/causes.h"
#include "device_test/runner/statistics.h"

namespace nn::testing {
namespace {

constexpr size_t kMaxReasons = 12;
constexpr size_t kMaxCauses = 40;
constexpr size_t kMaxChanges = 20;

// The first row is the heading. No cell is empty. Names are of a file where results are merged.
std::string tableOf(std::vector<std::vector<std::string>> rows) {
    for (auto& row : rows) {
        for (std::string& cell : row) cell = onOneLine(cell);
    }
    std::vector<size_t> widths(rows[0].size());
    for (const auto& row : rows) {
        for (size_t c = 0; c < row.size(); ++c) widths[c] = std::max(widths[c], row[c].size());
    }
    std::string text;
    for (const auto& row : rows) {
        for (size_t c = 0; c + 1 < row.size(); ++c) {
            text += fmt::format("{:<{}}  ", row[c], widths[c]);
        }
        text += row.back() + "\n";
    }
    return text;
}

std::string listOf(const std::vector<std::string>& names) {
    std::string text;
    for (size_t i = 0; i < std::min(names.size(), kMaxChanges); ++i) {
        text += fmt::format("  {}\n", onOneLine(names[i]));
    }
    if (names.size() > kMaxChanges) {
        text += fmt::format("  ... {} in all\n", names.size());
    }
    return text;
}

}  // namespace

std::vector<std::string> kindsOf(const DeviceReport& report) {
    std::vector<std::string> kinds;
    const auto add = [&](const std::string& kind) {
        if (std::ranges::count(kinds, kind) == 0) kinds.push_back(kind);
    };
    for (const CaseResult& result : report.results) add(result.head.kind);
    for (const NotRun& left : report.notRun) add(left.kind);
    return kinds;
}

std::string reasonsOf(std::span<const CaseResult> results) {
    std::vector<std::pair<std::string, size_t>> reasons;
    for (const ResultCause& cause : causesOfLack(results)) {
        reasons.emplace_back(cause.shortest->outcome.message, cause.results.size());
    }
    if (reasons.empty()) return "";
    std::ranges::stable_sort(reasons, [](const auto& a, const auto& b) {
        return a.second > b.second || (a.second == b.second && a.first < b.first);
    });
    std::string text = "not supported:\n";
    for (size_t i = 0; i < std::min(reasons.size(), kMaxReasons); ++i) {
        text += fmt::format("{:>8}  {}\n", reasons[i].second, onOneLine(reasons[i].first));
    }
    if (reasons.size() > kMaxReasons) {
        text += fmt::format("          ... {} reasons in all\n", reasons.size());
    }
    return text;
}

std::vector<std::string> remarksOf(std::span<const CaseResult> results) {
    std::vector<std::string> remarks;
    for (const CaseResult& result : results) {
        for (const std::string& remark : result.outcome.remarks) {
            remarks.push_back(fmt::format("{}: {}", result.head.name, remark));
        }
    }
    return remarks;
}

// Where several failures have one cause.
static std::string causesIn(const DeviceReport& report) {
    const std::vector<ResultCause> causes = failureCauses(report.results);
    if (causes.empty() || causes.front().results.size() == 1) return "";
    std::string text = "failures by cause:\n";
    for (size_t i = 0; i < std::min(causes.size(), kMaxCauses); ++i) {
        text += fmt::format("  {}\n", causes[i].text());
    }
    if (causes.size() > kMaxCauses) text += fmt::format("  ... {} causes in all\n", causes.size());
    return text;
}

Changes changesOf(const DeviceReport& report) {
    Changes changes;
    std::map<std::string, CaseEnd> left = report.earlier;
    const auto isBad = [](CaseEnd end) {
        return end == CaseEnd::FAILURE || end == CaseEnd::HANG || end == CaseEnd::CRASH;
    };
    for (const CaseResult& result : report.results) {
        const auto before = report.earlier.find(result.head.name);
        if (before == report.earlier.end()) {
            ++changes.added;
            continue;
        }
        left.erase(result.head.name);
        if (before->second == result.end) continue;
        const std::string text = fmt::format("{}: {}, was {}", result.head.name,
                                             toString(result.end), toString(before->second));
        const bool lost = before->second == CaseEnd::SUCCESS;
        if (result.isBad() || lost) changes.worse.push_back(text);
        if (!result.isBad() && isBad(before->second)) changes.better.push_back(text);
    }
    changes.gone = left.size();
    return changes;
}

size_t DeviceReport::count(CaseEnd end) const {
    return static_cast<size_t>(std::ranges::count(results, end, &CaseResult::end));
}
size_t DeviceReport::known() const {
    return static_cast<size_t>(std::ranges::count(results, true, &CaseResult::isKnown));
}
size_t DeviceReport::deaths() const {
    return static_cast<size_t>(std::ranges::count_if(results, &CaseResult::isDeath));
}
bool DeviceReport::isGood() const {
    return unexpectedPasses.empty() && missing.empty() && notRun.empty() &&
           std::ranges::none_of(results,
                                [](const CaseResult& r) { return r.isBad() && !r.isKnown; });
}

std::string summaryOf(const DeviceReport& report) {
    std::vector<std::vector<std::string>> rows = {
            {"kind", "success", "failure", "hang", "crash", "not supported"}};
    const std::vector<std::string> kinds = kindsOf(report);
    const auto addRow = [&](const std::string& name, const auto& fits) {
        std::map<CaseEnd, size_t> counts;
        for (const CaseResult& result : report.results) {
            if (fits(result)) ++counts[result.end];
        }
        std::vector<std::string> cells = {name};
        for (const CaseEnd end : {CaseEnd::SUCCESS, CaseEnd::FAILURE, CaseEnd::HANG, CaseEnd::CRASH,
                                  CaseEnd::NOT_SUPPORTED}) {
            cells.push_back(counts[end] == 0 ? "-" : std::to_string(counts[end]));
        }
        rows.push_back(std::move(cells));
    };
    const auto addKind = [&](const std::string& kind) {
        addRow(kind, [&](const CaseResult& r) { return r.head.kind == kind; });
    };
    for (const std::string& kind : kinds) {
        if (kind != kBiasKind) addKind(kind);
    }
    // What `--list` lists. Biases are computed from the results of several cases.
    addRow("all", [](const CaseResult& r) { return r.head.kind != kBiasKind; });
    if (std::ranges::find(kinds, kBiasKind) != kinds.end()) addKind(std::string(kBiasKind));
    std::string text = tableOf(std::move(rows)) + causesIn(report) + reasonsOf(report.results) +
                       statisticsText(report);
    for (const NotRun& left : report.notRun) {
        text += fmt::format("not run: {} of kind {}: {}\n", Plural{left.count, "cases"},
                            printable(left.kind), onOneLine(left.reason));
    }
    for (const std::string& line : warningsOf(report))
        text += fmt::format("warning: {}\n", onOneLine(line));
    if (const size_t known = report.known(); known != 0) {
        text += fmt::format("{} known\n",
                            known == 1 ? "1 failure is" : fmt::format("{} failures are", known));
    }
    if (const size_t deaths = report.deaths(); deaths != 0) {
        text += fmt::format("{} DEAD_OBJECT: the process of the driver went away\n",
                            Plural{deaths, "cases met"});
    }
    if (const auto remarks = remarksOf(report.results); !remarks.empty()) {
        text += fmt::format("{}:\n", Plural{remarks.size(), "remarks"}) + listOf(remarks);
    }
    for (const std::string& line : report.unexpectedPasses) {
        text += fmt::format("{}: all its cases pass now, take it off the list\n", onOneLine(line));
    }
    if (!report.earlier.empty()) {
        const Changes changes = changesOf(report);
        text += fmt::format("since the earlier run: {} worse, {} better, {} new, {} gone\n",
                            changes.worse.size(), changes.better.size(), changes.added,
                            changes.gone);
        text += listOf(changes.worse) + listOf(changes.better);
    }
    const auto bad = std::ranges::find_if(report.results, &CaseResult::isBad);
    if (bad != report.results.end() && !bad->repeat.empty()) {
        text += fmt::format("repeat one with its name: {}\n", onOneLine(bad->repeat));
    }
    for (const std::string& line : report.missing)
        text += fmt::format("missing: {}\n", onOneLine(line));
    if (report.isInterrupted) text += "interrupted\n";
    return text;
}

std::string jsonLineOf(const CaseResult& result, const DeviceReport& report) {
    Json json = toJson(result);
    if (const auto before = report.earlier.find(result.head.name); before != report.earlier.end()) {
        json["before"] = toString(before->second);
    }
    return lineOf(json);
}

std::string jsonLineOf(const NotRun& notRun) {
    return lineOf({{"notRun", notRun.count}, {"kind", notRun.kind}, {"reason", notRun.reason}});
}

}  // namespace nn::testing
