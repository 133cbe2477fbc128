#include "cli/name_patterns.h"

#include <fmt/format.h>
#include <fnmatch.h>

#include <algorithm>
#include <string_view>

namespace nn::cli {

Result<Pattern> Pattern::parse(const std::string& text) {
    constexpr std::string_view kPrefix = "re:";
    Pattern pattern;
    pattern.mText = text;
    if (!text.starts_with(kPrefix)) return pattern;
    try {
        pattern.mExpression = std::regex(text.substr(kPrefix.size()));
    } catch (const std::regex_error& error) {
        return makeError(ErrorStatus::INVALID_ARGUMENT,
                         fmt::format("{} is not a regular expression: {}", text, error.what()));
    }
    return pattern;
}

bool Pattern::fits(const std::string& name) const {
    if (mExpression) return std::regex_search(name, *mExpression);
    return name == mText || fnmatch(mText.c_str(), name.c_str(), 0) == 0;
}

bool fitsAny(std::span<const Pattern> patterns, const std::string& name) {
    return patterns.empty() ||
           std::ranges::any_of(patterns, [&](const Pattern& p) { return p.fits(name); });
}

}  // namespace nn::cli
