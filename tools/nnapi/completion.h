// The scripts by which shells complete command lines of the program.
#pragma once

#include <string>
#include <string_view>

namespace nn::cli {

// For "bash", "fish" or "zsh".
std::string completionFor(std::string_view shell);

}  // namespace nn::cli
