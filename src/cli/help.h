// The help texts of the program, generated from the rows of command_table.h.
#pragma once

#include <string>

#include "cli/command_table.h"

namespace nn::cli {

// All commands, one line each.
std::string overview();

// What `nnapi help COMMAND` and `nnapi COMMAND --help` show.
std::string pageOf(const CommandRow& command);

// What `nnapi --version` shows.
std::string versionText();

}  // namespace nn::cli
