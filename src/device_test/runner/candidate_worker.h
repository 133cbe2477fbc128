// One worker process that executes one task after the other, for shrinking: the next task depends
// on the last result. It is replaced after a hang or a crash.
#pragma once

#include <optional>
#include <string>

#include "device_test/runner/worker_pool.h"
#include "device_test/runner/worker_process.h"

namespace nn::testing {

class CandidateWorker {
   public:
    // As in WorkerPool::Options, but for the time to open the device.
    CandidateWorker(WorkerProgram program, Json hello, Duration timeLimit)
        : mProgram(std::move(program)), mHello(std::move(hello)), mTimeLimit(timeLimit) {}

    // Runs a task among the cases of a file. Fails if no worker starts or opens the device.
    Result<WorkerPool::TaskResult> run(const std::string& file, const Json& task);

    // The next task runs in a new process.
    void restart() { mProcess.reset(); }

   private:
    // The next line of the worker; a hang, a crash or a line that no worker writes ends it.
    WorkerPool::TaskResult nextResult(Duration timeLimit);
    WorkerPool::TaskResult resultOf(Json line, Duration took);
    Status start();

    const WorkerProgram mProgram;
    const Json mHello;
    const Duration mTimeLimit;
    std::optional<WorkerProcess> mProcess{};
    bool mIsReady = false;  // the process has opened the device
};

}  // namespace nn::testing
