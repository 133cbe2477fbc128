// One worker process and the socket to it.
#pragma once

#include <sys/types.h>

#include <string>
#include <vector>

#include "cli/json_lines.h"
#include "nnapi/result.h"

namespace nn::cli {

class WorkerProcess {
   public:
    // This program again, with these arguments.
    static Result<WorkerProcess> start(const std::vector<std::string>& arguments);

    WorkerProcess(WorkerProcess&& other) noexcept
        : mSocket(std::move(other.mSocket)), mPid(std::exchange(other.mPid, -1)) {}
    WorkerProcess& operator=(WorkerProcess&&) = delete;
    // Kills what still runs.
    ~WorkerProcess();

    LineSocket& socket() { return mSocket; }

    // Kills it and what it started, and waits for its end.
    void kill();

    // Waits for its end, at most so long, then kills. Returns "exited with 3", "ended by SIGSEGV".
    std::string waitForEnd(Duration patience);

   private:
    WorkerProcess(UniqueFd socket, pid_t pid) : mSocket(std::move(socket)), mPid(pid) {}

    LineSocket mSocket;
    pid_t mPid;
};

}  // namespace nn::cli
