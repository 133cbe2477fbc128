#include "base/spelling_suggestions.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <numeric>
#include <utility>
#include <vector>

namespace nn {
namespace {

char lower(char c) { return static_cast<char>(std::tolower(static_cast<unsigned char>(c))); }

// The edit distance: insertions, deletions, replacements and swaps of neighbors.
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
           std::equal(start.begin(), start.end(), text.begin(),
                      [](char a, char b) { return lower(a) == lower(b); });
}

}  // namespace

std::optional<std::string_view> nearest(std::string_view typed,
                                        std::span<const std::string_view> candidates) {
    constexpr size_t kMaxLength = 64;
    if (typed.size() > kMaxLength) return std::nullopt;
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

}  // namespace nn
