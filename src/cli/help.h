// The help texts of the program, all made from the rows of commands.h.
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
