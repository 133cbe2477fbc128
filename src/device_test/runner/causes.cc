#include "device_test/runner/causes.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <functional>
#include <map>

#include "base/printable.h"

namespace nn::testing {
namespace {

bool isWordCharacter(char c) {
    return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_';
}

// Replaces a name that is a whole word.
std::string withoutName(std::string text, const std::string& name) {
    if (name.empty()) return text;
    for (size_t at = 0; (at = text.find(name, at)) != std::string::npos;) {
        const size_t end = at + name.size();
        const bool isPart = (at != 0 && isWordCharacter(text[at - 1])) ||
                            (end != text.size() && isWordCharacter(text[end]));
        if (isPart) {
            at = end;
        } else {
            text.replace(at, name.size(), "CASE");
            at += 4;
        }
    }
    return text;
}

// The end of the number that begins here: "7", "-1e-05", "0x1f", "2.5", "inf".
size_t endOfNumber(std::string_view text, size_t at) {
    const auto isDigit = [&](size_t i) {
        return i < text.size() && std::isdigit(static_cast<unsigned char>(text[i])) != 0;
    };
    size_t end = at;
    if (text[end] == '-' || text[end] == '+') ++end;
    const std::string_view word = text.substr(end, 3);
    if ((word == "inf" || word == "nan") &&
        (end + 3 == text.size() || !isWordCharacter(text[end + 3]))) {
        return end + 3;
    }
    if (!isDigit(end)) return at;
    if (text.substr(end, 2) == "0x") {
        end += 2;
        while (end < text.size() && std::isxdigit(static_cast<unsigned char>(text[end]))) ++end;
        return end;
    }
    while (isDigit(end)) ++end;
    if (end < text.size() && text[end] == '.' && isDigit(end + 1)) {
        ++end;
        while (isDigit(end)) ++end;
    }
    if (end < text.size() && text[end] == 'e') {
        const bool isSigned =
                end + 1 < text.size() && (text[end + 1] == '-' || text[end + 1] == '+');
        const size_t digits = end + (isSigned ? 2 : 1);
        if (isDigit(digits)) {
            end = digits;
            while (isDigit(end)) ++end;
        }
    }
    return end;
}

// Replaces each number, and each list of numbers, by N. Digits of names, as in CONV_2D, stay.
std::string withoutNumbers(std::string_view text) {
    constexpr std::string_view kListed = "N, N";
    std::string pattern;
    for (size_t at = 0; at < text.size();) {
        const bool isInName = at != 0 && isWordCharacter(text[at - 1]);
        const size_t end = isInName ? at : endOfNumber(text, at);
        if (end == at) {
            pattern += text[at++];
            continue;
        }
        at = end;
        pattern += 'N';
        if (pattern.ends_with(kListed)) pattern.resize(pattern.size() + 1 - kListed.size());
    }
    return pattern;
}

// The part of a name that identifies its test case: "relu_float" in "vectors/relu_float/sync".
std::string testCaseIn(const std::string& name) {
    const size_t first = name.find('/'), last = name.rfind('/');
    return first == last ? "" : name.substr(first + 1, last - first - 1);
}

void keepShortest(ResultCause& cause, const CaseResult* other) {
    const auto sizeOf = [](const CaseResult* one) { return one->head.name.size(); };
    if (cause.shortest == nullptr || sizeOf(other) < sizeOf(cause.shortest)) cause.shortest = other;
}

void sortByCount(std::vector<ResultCause>& causes) {
    std::ranges::stable_sort(causes, std::greater(),
                             [](const ResultCause& cause) { return cause.results.size(); });
}

template <class Predicate>
std::vector<ResultCause> causesOf(std::span<const CaseResult> results, Predicate&& takes) {
    std::vector<ResultCause> causes;
    std::map<std::string, size_t> indexes;
    for (const CaseResult& result : results) {
        if (!takes(result)) continue;
        const auto [index, isNew] = indexes.emplace(causeOf(result), causes.size());
        if (isNew) causes.emplace_back();
        ResultCause& cause = causes[index->second];
        cause.results.push_back(&result);
        if (!result.head.operation.empty()) cause.operations.insert(result.head.operation);
        keepShortest(cause, &result);
    }
    sortByCount(causes);
    return causes;
}

}  // namespace

std::string causeOf(const CaseResult& result) {
    if (result.end == CaseEnd::SUCCESS) return "";
    DeviceOutcome outcome = result.outcome;
    std::string testCase = testCaseIn(result.head.name);
    // An operation that is not supported is the reason itself, also where cases are named after it.
    if (result.end == CaseEnd::NOT_SUPPORTED && testCase == result.head.operation) testCase = "";
    for (std::string* text : {&outcome.place, &outcome.message}) {
        const std::string anyCase = withoutName(withoutName(*text, result.head.name), testCase);
        *text = withoutNumbers(anyCase);
    }
    if (result.end == CaseEnd::NOT_SUPPORTED) {
        outcome.place = outcome.rules = "";  // reports show the message only
        return toString(outcome);
    }
    // Wrong values, hangs and crashes depend on the operation, wrong replies rarely; which case
    // finds them first is random.
    const std::string operation = result.head.operation.empty() ? "" : result.head.operation + ": ";
    if (outcome.firstDifference) return fmt::format("failure: {}wrong values", operation);
    const bool isOfOperation = result.end != CaseEnd::FAILURE;
    return fmt::format("{}: {}{}", toString(result.end), isOfOperation ? operation : "",
                       toString(outcome));
}

std::string ResultCause::text() const {
    const std::string reason = onOneLine(reasonOf(*shortest));
    const std::string one = operations.size() == 1 ? *operations.begin() + ": " : "";
    const std::string several =
            operations.size() > 1 ? fmt::format(" ({} operations)", operations.size()) : "";
    return fmt::format("{} x {}{}{}, such as {}", results.size(), onOneLine(one), reason, several,
                       printable(shortest->head.name));
}

namespace {

// Wrong values of many operations have one cause, which is in none of them.
void joinWrongValues(std::vector<ResultCause>& causes) {
    constexpr ptrdiff_t kMaxOperations = 8;
    const auto isWrongValue = [](const ResultCause& cause) {
        return cause.shortest->outcome.firstDifference.has_value();
    };
    if (std::ranges::count_if(causes, isWrongValue) <= kMaxOperations) return;
    ResultCause all;
    for (ResultCause& cause : causes) {
        if (!isWrongValue(cause)) continue;
        all.results.insert(all.results.end(), cause.results.begin(), cause.results.end());
        all.operations.merge(cause.operations);
        keepShortest(all, cause.shortest);
    }
    std::erase_if(causes, isWrongValue);
    causes.insert(causes.begin(), std::move(all));
    sortByCount(causes);
}

}  // namespace

std::vector<ResultCause> failureCauses(std::span<const CaseResult> results) {
    std::vector<ResultCause> causes = causesOf(
            results, [](const CaseResult& result) { return result.isBad() && !result.isKnown; });
    joinWrongValues(causes);
    return causes;
}

std::vector<ResultCause> knownCauses(std::span<const CaseResult> results) {
    return causesOf(results,
                    [](const CaseResult& result) { return result.isBad() && result.isKnown; });
}

std::vector<ResultCause> causesOfLack(std::span<const CaseResult> results, std::string_view kind) {
    return causesOf(results, [&](const CaseResult& result) {
        return result.end == CaseEnd::NOT_SUPPORTED && (kind.empty() || result.head.kind == kind);
    });
}

}  // namespace nn::testing
