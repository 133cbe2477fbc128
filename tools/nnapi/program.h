// The entry point of `nnapi`: parses the command line and calls the command. command_table.cc lists
// the commands; each has a file in commands/.
#pragma once

namespace nn::cli {

// Runs the program. Returns the exit code.
int program(int argc, char** argv);

}  // namespace nn::cli
