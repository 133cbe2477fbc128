#include "device_test/runner/statistics.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <set>

#include "base/plurals.h"
#include "device_test/cases/case_statistics.h"
#include "device_test/runner/report.h"
#include "nnapi/enumerations.h"

namespace nn::testing {
namespace {

constexpr uint64_t kEnoughValues = 100;
constexpr size_t kMaxRows = 12;

std::string nameOf(const OutputStatistics& row) {
    return fmt::format("{} {}", nn::toString(row.operation), nn::toString(row.type));
}

double shareOff(const OutputStatistics& row) { return 1 - row.values.share(0); }

std::string largestOf(const ValueStatistics& values) {
    return values.largest == UINT64_MAX ? "NaN" : fmt::format("{}", values.largest);
}

// Empty where the sum has bounded errors instead of the true ones.
std::string meanOf(const OutputStatistics& row) {
    if (row.values.largest > uint64_t{ValueStatistics::kMaxError}) return "";
    return fmt::format("{:+.3f}", row.values.meanError());
}

std::string roundingOf(const OutputStatistics& row) {
    if (row.rounding.values == 0) return "-";
    return fmt::format("{:+.3f}", row.rounding.meanError());
}

// "results are too small by 0.49 steps on average, over 12345 values: truncated, not rounded?"
std::string biasMessage(const RoundingStatistics& rounding, double most) {
    const double toOneSide = rounding.meanError(), outward = rounding.meanOutwardError();
    const bool isOutward = std::fabs(outward) > std::fabs(toOneSide);
    const double mean = isOutward ? outward : toOneSide;
    const char* side = isOutward  ? mean < 0 ? "too near to zero" : "too far from zero"
                       : mean < 0 ? "too small"
                                  : "too large";
    const char* cause = mean > 0    ? "always rounded up?"
                        : isOutward ? "truncated towards zero rather than rounded?"
                                    : "truncated rather than rounded?";
    return fmt::format("results are {} by {:.2f} steps on average over {}, allowed {:.2f}: {}",
                       side, std::fabs(mean), Plural{rounding.values, "values"}, most, cause);
}

// A bar with the share of values at each distance.
Html barOf(const ValueStatistics& values) {
    constexpr std::array kColors = {"#4caf50", "#cddc39", "#ffc107", "#ff9800", "#d9534f"};
    static_assert(kColors.size() == ValueStatistics::kDistances.size());
    Html text =
            html("<svg width=\"160\" height=\"12\" viewBox=\"0 0 1 1\" "
                 "preserveAspectRatio=\"none\" role=\"img\">");
    double x = 0;
    for (size_t i = 0; i < kColors.size(); ++i) {
        const double share = values.share(i);
        if (share == 0) continue;
        text += html("<rect x=\"{:.4f}\" width=\"{:.4f}\" height=\"1\" fill=\"{}\"/>", x, share,
                     kColors[i]);
        x += share;
    }
    return text += html("</svg>");
}

// A device can write to the socket of its worker; no sum over millions of rows overflows.
bool canBeAdded(const OutputStatistics& row) {
    constexpr int64_t kMaxSum = int64_t{1} << 42;
    constexpr auto kMaxCount = static_cast<uint64_t>(kMaxSum);
    const RoundingStatistics& rounding = row.rounding;
    const auto isSmall = [](int64_t sum) { return -kMaxSum <= sum && sum <= kMaxSum; };
    return std::ranges::all_of(row.values.counts, [](uint64_t n) { return n <= kMaxCount; }) &&
           row.outputs <= kMaxCount && row.exactOutputs <= row.outputs &&
           rounding.values <= kMaxCount && isSmall(row.values.errorSum) &&
           isSmall(rounding.errorSum) && isSmall(rounding.outwardSum);
}

}  // namespace

Json toJson(std::span<const OutputStatistics> rows) {
    Json all = Json::array();
    for (const OutputStatistics& row : rows) {
        Json json = {{"operation", nn::toString(row.operation)},
                     {"type", nn::toString(row.type)},
                     {"outputs", row.outputs},
                     {"exactOutputs", row.exactOutputs},
                     {"values", row.values.values()},
                     {"distances", row.values.counts},
                     {"largest", row.values.largest},
                     {"errorSum", row.values.errorSum}};
        if (row.rounding.values != 0) {
            json["rounding"] = {{"values", row.rounding.values},
                                {"errorSum", row.rounding.errorSum},
                                {"outwardSum", row.rounding.outwardSum}};
        }
        all.push_back(std::move(json));
    }
    return all;
}

std::vector<OutputStatistics> statisticsOf(const Json& json) try {
    std::vector<OutputStatistics> rows;
    for (const Json& each : json) {
        const auto operation = parseOperationType(each.at("operation").get<std::string>());
        const auto type = parseOperandType(each.at("type").get<std::string>());
        if (!operation || !type) continue;
        OutputStatistics row{
                .operation = *operation,
                .type = *type,
                .outputs = each.at("outputs").get<uint64_t>(),
                .exactOutputs = each.value("exactOutputs", uint64_t{0}),
                .values = {.counts = each.at("distances").get<decltype(ValueStatistics::counts)>(),
                           .largest = each.at("largest").get<uint64_t>(),
                           .errorSum = each.at("errorSum").get<int64_t>()}};
        if (each.contains("rounding")) {
            const Json& rounding = each["rounding"];
            row.rounding = {.values = rounding.at("values").get<uint64_t>(),
                            .errorSum = rounding.at("errorSum").get<int64_t>(),
                            .outwardSum = rounding.at("outwardSum").get<int64_t>()};
        }
        if (canBeAdded(row)) rows.push_back(row);
    }
    return rows;
} catch (const Json::exception&) {
    return {};
}

std::vector<OutputStatistics> statisticsOf(const DeviceReport& report) {
    std::vector<OutputStatistics> rows;
    for (const CaseResult& result : report.results) {
        if (result.head.kind == kBiasKind) continue;
        for (const OutputStatistics& one : result.outcome.statistics) addTo(rows, one);
    }
    std::ranges::sort(rows, {}, nameOf);
    return rows;
}

std::vector<CaseResult> biasResults(const DeviceReport& report, double most) {
    // Results that are wrong are biased as well.
    std::set<std::string> wrong;
    for (const CaseResult& result : report.results) {
        if (result.isBad() && result.head.kind == "numbers") wrong.insert(result.head.operation);
    }
    std::vector<CaseResult> results;
    for (const OutputStatistics& row : statisticsOf(report)) {
        if (row.rounding.values < kEnoughValues) continue;
        const std::string operation = nn::toString(row.operation), type = nn::toString(row.type);
        if (wrong.contains(operation)) continue;
        CaseResult result{.head = {.name = fmt::format("{}/{}/{}", kBiasKind, operation, type),
                                   .kind = std::string(kBiasKind),
                                   .operation = operation,
                                   .type = type,
                                   .path = std::string(kBiasKind)},
                          .outcome = {.statistics = {row}}};
        if (std::fabs(row.rounding.meanError()) > most ||
            std::fabs(row.rounding.meanOutwardError()) > most) {
            result.end = CaseEnd::FAILURE;
            result.outcome.result = DeviceOutcome::Result::FAILED;
            result.outcome.message = biasMessage(row.rounding, most);
            result.outcome.rules = "device_test.bias";
        }
        results.push_back(std::move(result));
    }
    return results;
}

std::vector<std::string> warningsOf(const DeviceReport& report) {
    std::map<std::string, std::set<CaseEnd>> ends;       // of kinds
    std::map<std::string, std::set<CaseEnd>> drawnEnds;  // of operations
    std::set<std::string> executed;                      // operations, by other cases
    for (const CaseResult& result : report.results) {
        const CaseHead& head = result.head;
        ends[head.kind].insert(result.end);
        if (head.kind == "numbers") {
            drawnEnds[head.operation].insert(result.end);
        } else if (!head.operation.empty() && result.end == CaseEnd::SUCCESS) {
            executed.insert(head.operation);
        }
    }
    const std::set<CaseEnd> kNothing = {CaseEnd::NOT_SUPPORTED};
    std::vector<std::string> warnings;
    if (const auto random = ends.find("random"); random != ends.end() && random->second == kNothing)
        warnings.emplace_back(
                "no model of kind random was executed: the device supports none whole");
    std::vector<std::string> lacking;
    for (const auto& [operation, all] : drawnEnds) {
        if (all == kNothing && executed.contains(operation)) lacking.push_back(operation);
    }
    if (!lacking.empty()) {
        warnings.push_back(fmt::format(
                "no model of kind numbers was executed for {}, which other cases execute: the "
                "device supports none of those drawn",
                fmt::join(lacking, ", ")));
    }
    return warnings;
}

std::string statisticsText(const DeviceReport& report) {
    std::vector<OutputStatistics> rows = statisticsOf(report);
    const size_t all = rows.size();
    std::erase_if(rows, [](const OutputStatistics& row) { return shareOff(row) == 0; });
    if (rows.empty()) return "";
    std::ranges::stable_sort(rows, std::greater(), shareOff);
    std::string text =
            fmt::format("not exact, by operation and type ({} of {}):\n", rows.size(), all);
    for (size_t i = 0; i < std::min(rows.size(), kMaxRows); ++i) {
        // One large output can outweigh the values of all others.
        text += fmt::format("  {}: in {} of {}; {}\n", nameOf(rows[i]),
                            rows[i].outputs - rows[i].exactOutputs,
                            Plural{rows[i].outputs, "outputs"}, toString(rows[i].values));
    }
    if (rows.size() > kMaxRows) text += fmt::format("  ... {} in all\n", rows.size());
    return text;
}

Html statisticsHtml(const DeviceReport& report) {
    const std::vector<OutputStatistics> rows = statisticsOf(report);
    if (rows.empty()) return {};
    Html text = html(
            "<h2>Statistics</h2>\n<p>How far results are off, in units: for floats representable "
            "values, else steps. Green: exact; then off by 1, by 2, by 3 to 9, and more. The mean "
            "error is that of all values, and empty if one is off by more than {} units; that of "
            "rounding leaves out what may be rounded to either side.</p>\n<div "
            "class=\"wide\"><table id=\"statistics\">\n<tr><th class=\"name\">operation</th><th "
            "class=\"name\">type</th><th>outputs</th><th>exact "
            "outputs</th><th>values</th><th>exact "
            "values</th><th></th><th>mean error, units</th><th>of rounding, units</th><th>largest "
            "error, units</th></tr>\n",
            ValueStatistics::kMaxError);
    for (const OutputStatistics& row : rows) {
        text += html(
                "<tr data-bad=\"no\"><td class=\"name\">{}</td><td "
                "class=\"name\">{}</td><td>{}</td>"
                "<td>{}</td><td>{}</td><td>{:.2f}%</td><td>{}</td><td>{}</td><td>{}</td><td>{}</"
                "td></tr>\n",
                nn::toString(row.operation), nn::toString(row.type), row.outputs, row.exactOutputs,
                row.values.values(), 100 * row.values.share(0), barOf(row.values), meanOf(row),
                roundingOf(row), largestOf(row.values));
    }
    return text += html("</table></div>\n");
}

}  // namespace nn::testing
