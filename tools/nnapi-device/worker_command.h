// The hidden command by which this program becomes a worker of a device run.
#pragma once

#include <string>

#include "nnapi/device_test/device_test_runner.h"
#include "tools/nnapi/options.h"
#include "tools/nnapi/output.h"

namespace nn::cli {

// The command line of a worker: this program, with the same peer options.
testing::WorkerProgram workerProgram();
std::string workerSettings();

// Serves the run until it ends.
Exit deviceWorker(const Options& options);

}  // namespace nn::cli
