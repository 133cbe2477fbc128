#include "device_test/rules/name_patterns.h"

#include <absl/algorithm/container.h>
#include <fmt/format.h>
#include <fnmatch.h>

#include <string_view>

#include "nnapi/device_test/name_filter.h"

namespace nn::testing {

Result<Pattern> Pattern::parse(const std::string& text) {
    constexpr std::string_view kPrefix = "re:";
    Pattern pattern;
    pattern.mText = text;
    if (!text.starts_with(kPrefix)) return pattern;
    // The library recurses for each part of an expression.
    constexpr size_t kMaxExpression = 1000;
    if (text.size() > kMaxExpression) {
        return makeError(ErrorStatus::INVALID_ARGUMENT,
                         fmt::format("a regular expression of {} bytes, allowed {}", text.size(),
                                     kMaxExpression));
    }
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

Result<std::function<bool(const std::string&)>> nameFilter(
        const std::vector<std::string>& patterns) {
    std::vector<Pattern> parsed;
    for (const std::string& text : patterns) {
        NNAPI_ASSIGN_OR_RETURN(pattern, Pattern::parse(text));
        parsed.push_back(std::move(pattern));
    }
    return std::function<bool(const std::string&)>(
            [parsed = std::move(parsed)](const std::string& name) {
                return parsed.empty() ||
                       absl::c_any_of(parsed, [&](const auto& p) { return p.fits(name); });
            });
}

}  // namespace nn::testing
