#include "testing/runner/report.h"

#include <fmt/format.h>

#include <algorithm>
#include <functional>
#include <map>
#include <utility>

#include "testing/runner/case_result.h"
#include "types/plurals.h"
#include "types/printable.h"

namespace nn::testing {
namespace {

constexpr size_t kMaxReasons = 12;
constexpr size_t kMaxChanges = 20;

// Kinds in the order of their first cases.
std::vector<std::string> kindsOf(const DeviceReport& report) {
    std::vector<std::string> kinds;
    for (const CaseResult& result : report.results) {
        if (std::ranges::count(kinds, result.head.kind) == 0) kinds.push_back(result.head.kind);
    }
    return kinds;
}

struct Counts {
    size_t success = 0, failure = 0, hang = 0, crash = 0, notSupported = 0;

    void add(CaseEnd end) {
        switch (end) {
            case CaseEnd::SUCCESS:
                ++success;
                break;
            case CaseEnd::FAILURE:
                ++failure;
                break;
            case CaseEnd::HANG:
                ++hang;
                break;
            case CaseEnd::CRASH:
                ++crash;
                break;
            case CaseEnd::NOT_SUPPORTED:
                ++notSupported;
                break;
        }
    }
    std::vector<std::string> row(const std::string& name) const {
        std::vector<std::string> cells = {name};
        for (const size_t count : {success, failure, hang, crash, notSupported}) {
            cells.push_back(count == 0 ? "-" : std::to_string(count));
        }
        return cells;
    }
};

// The first row is the heading. No cell is empty.
std::string tableOf(const std::vector<std::vector<std::string>>& rows) {
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

std::string reasonsOf(std::span<const CaseResult> results) {
    std::map<std::string, size_t> counts;
    for (const CaseResult& result : results) {
        if (result.end == CaseEnd::NOT_SUPPORTED) ++counts[result.outcome.message];
    }
    if (counts.empty()) return "";
    std::vector<std::pair<std::string, size_t>> sorted(counts.begin(), counts.end());
    std::ranges::stable_sort(sorted, std::greater(), &std::pair<std::string, size_t>::second);
    std::string text = "not supported:\n";
    for (size_t i = 0; i < std::min(sorted.size(), kMaxReasons); ++i) {
        text += fmt::format("{:>8}  {}\n", sorted[i].second, onOneLine(sorted[i].first));
    }
    if (sorted.size() > kMaxReasons) {
        text += fmt::format("          ... {} reasons in all\n", sorted.size());
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
    return unexpectedPasses.empty() && missing.empty() &&
           std::ranges::none_of(results,
                                [](const CaseResult& r) { return r.isBad() && !r.isKnown; });
}

std::string summaryOf(const DeviceReport& report) {
    std::vector<std::vector<std::string>> rows = {
            {"kind", "success", "failure", "hang", "crash", "not supported"}};
    Counts all;
    for (const std::string& kind : kindsOf(report)) {
        Counts counts;
        for (const CaseResult& result : report.results) {
            if (result.head.kind == kind) counts.add(result.end);
        }
        rows.push_back(counts.row(kind));
    }
    for (const CaseResult& result : report.results) all.add(result.end);
    rows.push_back(all.row("all"));
    std::string text = tableOf(rows) + reasonsOf(report.results);
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
        text += fmt::format("{}: all its cases pass now, take it off the list\n", line);
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
    for (const std::string& line : report.missing) text += fmt::format("missing: {}\n", line);
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

}  // namespace nn::testing
