// The help texts of the program, generated from the rows of command_table.h.
#pragma once

#include <string>

#include "tools/nnapi/command_table.h"

namespace nn::cli {

// All commands, one line each.
std::string overview();

// The help of a command: `nnapi help COMMAND`, `nnapi COMMAND --help`; with `all` also the options
// and examples that few users need.
std::string pageOf(const CommandRow& command, bool all);

// The output of `nnapi --version`.
std::string versionText();

}  // namespace nn::cli
