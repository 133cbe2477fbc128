#include "cli/text.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <numeric>
#include <utility>

namespace nn::cli {
namespace {

char lower(char c) { return static_cast<char>(std::tolower(static_cast<unsigned char>(c))); }

// How many letters must be inserted, left out, replaced or swapped with the next.
size_t distance(std::string_view a, std::string_view b) {
    std::vector<size_t> beforeLast, last(b.size() + 1), row(b.size() + 1);
    std::iota(last.begin(), last.end(), size_t{0});
    for (size_t i = 1; i <= a.size(); ++i) {
        row[0] = i;
        for (size_t j = 1; j <= b.size(); ++j) {
            const bool same = lower(a[i - 1]) == lower(b[j - 1]);
            row[j] = std::min({last[j] + 1, row[j - 1] + 1, last[j - 1] + (same ? 0 : 1)});
            if (i > 1 && j > 1 && lower(a[i - 1]) == lower(b[j - 2]) &&
                lower(a[i - 2]) == lower(b[j - 1])) {
                row[j] = std::min(row[j], beforeLast[j - 2] + 1);
            }
        }
        beforeLast = std::exchange(last, row);
    }
    return last.back();
}

bool beginsWith(std::string_view text, std::string_view start) {
    return text.size() >= start.size() &&
           std::ranges::equal(text.substr(0, start.size()), start, {}, lower, lower);
}

}  // namespace

std::vector<std::string> wrap(std::string_view text, size_t width) {
    std::vector<std::string> lines(1);
    while (!text.empty()) {
        const size_t end = std::min(text.find(' '), text.size());
        const std::string_view word = text.substr(0, end);
        text.remove_prefix(std::min(end + 1, text.size()));
        if (!lines.back().empty() && lines.back().size() + 1 + word.size() > width) {
            lines.emplace_back(word);
        } else {
            lines.back() += fmt::format("{}{}", lines.back().empty() ? "" : " ", word);
        }
    }
    return lines;
}

std::string table(std::vector<std::vector<std::string>> rows, size_t indent, size_t width) {
    if (rows.empty()) return "";
    std::vector<size_t> widths(rows[0].size());
    for (size_t r = 1; r < rows.size(); ++r) {
        for (size_t c = 0; c < widths.size(); ++c)
            widths[c] = std::max(widths[c], rows[r][c].size());
    }
    for (size_t c = 0; c < widths.size(); ++c) {
        if (widths[c] == 0) continue;
        widths[c] = std::max(widths[c], rows[0][c].size());
    }
    size_t start = indent;  // of the last column
    for (size_t c = 0; c + 1 < widths.size(); ++c) start += widths[c] == 0 ? 0 : widths[c] + 2;
    std::string text;
    for (const std::vector<std::string>& row : rows) {
        std::string line(indent, ' ');
        for (size_t c = 0; c + 1 < widths.size(); ++c) {
            if (widths[c] != 0) line += fmt::format("{:<{}}  ", row[c], widths[c]);
        }
        if (widths.back() != 0) {
            const auto cell = wrap(row.back(), width > start ? width - start : 1);
            line += cell[0];
            for (size_t i = 1; i < cell.size(); ++i)
                line += fmt::format("\n{}{}", std::string(start, ' '), cell[i]);
        }
        line.erase(line.find_last_not_of(' ') + 1);
        if (!line.empty()) text += line + "\n";
    }
    return text;
}

std::optional<std::string_view> nearest(std::string_view typed,
                                        std::span<const std::string_view> candidates) {
    constexpr size_t kLongest = 64;
    if (typed.size() > kLongest) return std::nullopt;
    std::optional<std::string_view> best;
    size_t least = std::max<size_t>(typed.size() / 3, 1) + 1;
    for (const std::string_view candidate : candidates) {
        if (typed.size() >= 3 && beginsWith(candidate, typed)) return candidate;
        const size_t needed = distance(typed, candidate);
        if (needed >= std::min(least, candidate.size())) continue;
        least = needed;
        best = candidate;
    }
    return best;
}

std::string didYouMean(std::string_view typed, std::span<const std::string_view> candidates) {
    const auto meant = nearest(typed, candidates);
    return meant ? fmt::format(", did you mean {}?", *meant) : "";
}

}  // namespace nn::cli
