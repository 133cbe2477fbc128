// Patterns that select test cases by name.
#pragma once

#include <optional>
#include <regex>
#include <string>

#include "nnapi/result.h"

namespace nn::testing {

// A glob that matches the whole name, where * also matches "/": "vectors/*/burst". Or "re:" and a
// regular expression (ECMAScript) that matches a part of it. Every name is a pattern that matches
// itself.
class Pattern {
   public:
    static Result<Pattern> parse(const std::string& text);

    bool fits(const std::string& name) const;
    const std::string& text() const { return mText; }

   private:
    std::string mText{};
    std::optional<std::regex> mExpression{};
};

}  // namespace nn::testing
