// The index of rules, docs/rules/README.md, which the program carries along.
#pragma once

#include <string_view>

namespace nn::cli {

extern const std::string_view kRulesIndex;

}  // namespace nn::cli
