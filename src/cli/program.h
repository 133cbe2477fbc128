// The program `nnapi`: reads the command line and calls the command. commands.cc lists the
// commands; each has a file of its own beside this one.
#pragma once

namespace nn::cli {

// What main() does. Returns the exit code.
int program(int argc, char** argv);

}  // namespace nn::cli
