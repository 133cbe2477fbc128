// Patterns that select test cases by name.
#pragma once

#include <regex>
#include <span>
#include <string>

#include "nnapi/result.h"

namespace nn::cli {

// A glob that fits the whole name, where * goes over / too: "vectors/*/burst". Or behind "re:" a
// regular expression (ECMAScript) that fits a part of it. A name itself is a pattern for it.
class Pattern {
   public:
    static Result<Pattern> parse(const std::string& text);

    bool fits(const std::string& name) const;
    const std::string& text() const { return mText; }

   private:
    std::string mText{};
    std::optional<std::regex> mExpression{};
};

// True also where there are no patterns.
bool fitsAny(std::span<const Pattern> patterns, const std::string& name);

}  // namespace nn::cli
