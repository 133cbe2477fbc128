// The hidden command by which this program becomes a worker of a device run.
#pragma once

#include <string>
#include <string_view>

#include "cli/output.h"
#include "nnapi/testing/device_test_runner.h"

namespace nn::cli {

// The first argument of such a process; the command is not for users.
inline constexpr std::string_view kDeviceWorker = "test-device-worker";

// The command line of a worker: this program, with the same peer options.
testing::WorkerProgram workerProgram();
std::string workerSettings();

// Serves the run until it ends.
Exit deviceWorker();

}  // namespace nn::cli
