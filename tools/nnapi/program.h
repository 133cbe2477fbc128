// The entry point of `nnapi` and `nnapi-device`: parses the command line and calls the command.
// command_rows.cc lists the commands of both; each has a file in the folder commands/ of its
// program.
#pragma once

#include <span>
#include <string_view>

#include "tools/nnapi/options.h"
#include "tools/nnapi/output.h"

namespace nn::cli {

// A command that opens devices, or runs on one with --device.
struct DeviceCommand {
    std::string_view name;
    Exit (*run)(const Options&);
};

// The first argument of a worker of a device run; the command is not for users.
inline constexpr std::string_view kDeviceWorker = "test-device-worker";

// Runs the program. Without commands for devices, nnapi-device executes those. Returns the exit
// code.
int program(int argc, char** argv, std::span<const DeviceCommand> deviceCommands = {});

}  // namespace nn::cli
