#include "cli/device_report.h"

#include <algorithm>
#include <cctype>

#include "cli/text_layout.h"

namespace nn::cli {
namespace {

constexpr size_t kWidth = 100;
constexpr size_t kMostReasons = 12;
constexpr size_t kMostChanges = 20;

// The kinds in the order of their first cases.
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

std::string listOf(const std::vector<std::string>& names) {
    std::string text;
    for (size_t i = 0; i < std::min(names.size(), kMostChanges); ++i) {
        text += fmt::format("  {}\n", onOneLine(names[i]));
    }
    if (names.size() > kMostChanges) {
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
    for (size_t i = 0; i < std::min(sorted.size(), kMostReasons); ++i) {
        text += fmt::format("{:>8}  {}\n", sorted[i].second, onOneLine(sorted[i].first));
    }
    if (sorted.size() > kMostReasons) {
        text += fmt::format("          ... {} reasons in all\n", sorted.size());
    }
    return text;
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

std::string quoted(const std::string& word) {
    const auto isPlain = [](char c) {
        return std::isalnum(static_cast<unsigned char>(c)) != 0 ||
               std::string_view("_-./@:,+=").find(c) != std::string_view::npos;
    };
    if (!word.empty() && std::ranges::all_of(word, isPlain)) return word;
    std::string text = "'";
    for (const char c : word) text += c == '\'' ? std::string("'\\''") : std::string(1, c);
    return text + "'";
}

Changes changesOf(const DeviceReport& report) {
    Changes changes;
    std::map<std::string, CaseEnd> left = report.earlier;
    const auto isBad = [](CaseEnd end) {
        return end == CaseEnd::FAILURE || end == CaseEnd::HANG || end == CaseEnd::CRASH;
    };
    for (const CaseResult& result : report.results) {
        const auto before = report.earlier.find(result.head.name.raw);
        if (before == report.earlier.end()) {
            ++changes.added;
            continue;
        }
        left.erase(result.head.name.raw);
        if (before->second == result.end) continue;
        const std::string text = fmt::format("{}: {}, was {}", result.head.name.raw,
                                             toString(result.end), toString(before->second));
        const bool lost = before->second == CaseEnd::SUCCESS;
        if (result.isBad() || lost) changes.worse.push_back(text);
        if (!result.isBad() && isBad(before->second)) changes.better.push_back(text);
    }
    changes.gone = left.size();
    return changes;
}

void tellResult(const Output& output, const DeviceReport& report, const CaseResult& result) {
    if (output.isJson()) {
        Json json = toJson(result);
        if (const auto before = report.earlier.find(result.head.name.raw);
            before != report.earlier.end()) {
            json["before"] = toString(before->second);
        }
        output.object(json);
    }
    if (result.isBad() && !result.isKnown) {
        std::string end(toString(result.end));
        std::ranges::transform(end, end.begin(), [](unsigned char c) { return std::toupper(c); });
        output.text("{} {}: {}\n", end, result.head.name, onOneLine(reasonOf(result)));
    }
}

Exit writeReports(const CaseOptions& options, const DeviceReport& report) {
    Exit exit = kGood;
    const auto look = [&](const Status& written) {
        if (written.ok()) return;
        Output::complain(messageOf(written));
        exit = kUsageOrUnreadable;
    };
    if (!options.junit.empty()) look(writeJunit(options.junit, report));
    if (!options.html.empty()) look(writeHtml(options.html, report));
    return exit;
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
    std::string text = table(std::move(rows), 0, kWidth) + reasonsOf(report.results);
    if (const size_t known = report.known(); known != 0) {
        text += fmt::format("{} known\n", counted(known, "failure is", "failures are"));
    }
    if (const size_t deaths = report.deaths(); deaths != 0) {
        text += fmt::format("{} DEAD_OBJECT: the process of the driver went away\n",
                            counted(deaths, "case met", "cases met"));
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
    if (bad != report.results.end()) {
        text += fmt::format("repeat one with its name: {}\n", onOneLine(bad->repeat));
    }
    for (const std::string& line : report.missing) text += fmt::format("missing: {}\n", line);
    if (report.isInterrupted) text += "interrupted\n";
    return text;
}

}  // namespace nn::cli
