// Lays out text output: columns, wrapping, counts.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "base/spelling_suggestions.h"

namespace nn::cli {

// The words of a text in lines of at most that many bytes; a longer word has a line of its own.
// Returns at least one line.
std::vector<std::string> wrap(std::string_view text, size_t width);

// A table, whose first row is its heading, or empty. Columns are as wide as their widest cell,
// except that the last one wraps where a line would pass the width. A column that is empty below
// its heading is left out.
std::string table(std::vector<std::vector<std::string>> rows, size_t indent, size_t width);

}  // namespace nn::cli
