// android-base/strings.h -- functions on text.
//
//   for (const std::string& name : android::base::Split("a,b", ",")) ...
#pragma once

#include <sstream>
#include <string>
#include <string_view>
#include <vector>

namespace android::base {

// At each of the delimiters, with empty parts; Tokenize: without.
std::vector<std::string> Split(std::string_view text, std::string_view delimiters);
std::vector<std::string> Tokenize(std::string_view text, std::string_view delimiters);

// Without white space at both ends.
std::string Trim(std::string_view text);

template <class Range, class Separator>
std::string Join(const Range& range, Separator&& separator) {
    std::ostringstream out;
    bool isFirst = true;
    for (const auto& part : range) {
        if (!isFirst) out << separator;
        out << part;
        isFirst = false;
    }
    return out.str();
}

bool StartsWith(std::string_view text, std::string_view prefix);
bool StartsWith(std::string_view text, char prefix);
bool StartsWithIgnoreCase(std::string_view text, std::string_view prefix);
bool EndsWith(std::string_view text, std::string_view suffix);
bool EndsWith(std::string_view text, char suffix);
bool EndsWithIgnoreCase(std::string_view text, std::string_view suffix);
bool EqualsIgnoreCase(std::string_view a, std::string_view b);

// Cut it off; false where it is not there.
bool ConsumePrefix(std::string_view* text, std::string_view prefix);
bool ConsumeSuffix(std::string_view* text, std::string_view suffix);

// The first occurrence, or all, of a text that is not empty.
std::string StringReplace(std::string_view text, std::string_view from, std::string_view to,
                          bool all);

}  // namespace android::base
