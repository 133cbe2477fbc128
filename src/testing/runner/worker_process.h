// One worker process and the socket to it.
#pragma once

#include <sys/types.h>

#include <string>
#include <utility>

#include "nnapi/testing/device_test_runner.h"
#include "testing/runner/json_lines.h"

namespace nn::testing {

class WorkerProcess {
   public:
    static Result<WorkerProcess> start(const WorkerProgram& program);

    WorkerProcess(WorkerProcess&& other) noexcept
        : mSocket(std::move(other.mSocket)), mPid(std::exchange(other.mPid, -1)) {}
    WorkerProcess& operator=(WorkerProcess&&) = delete;
    // Kills the process if it is still running.
    ~WorkerProcess();

    LineSocket& socket() { return mSocket; }

    // Kills the process and its descendants, and waits for its end.
    void kill();

    // Waits for its end, then kills it after the timeout. Returns "exited with 3" or "ended by
    // SIGSEGV".
    std::string waitForEnd(Duration patience);

   private:
    WorkerProcess(UniqueFd socket, pid_t pid) : mSocket(std::move(socket)), mPid(pid) {}

    LineSocket mSocket;
    pid_t mPid;
};

}  // namespace nn::testing
