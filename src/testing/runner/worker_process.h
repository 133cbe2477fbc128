// One worker process and the socket to it.
#pragma once

#include <sys/types.h>

#include <string>
#include <utility>
#include <vector>

#include "nnapi/testing/device_test_runner.h"
#include "testing/runner/call_page.h"
#include "testing/runner/json_lines.h"
#include "testing/runner/stack_report.h"

namespace nn::testing {

// How long the end of a worker may stay unnoticed while a child of it holds its socket open.
inline constexpr Duration kBetweenLooks = std::chrono::milliseconds(200);
// How long to wait for the end of a worker that has closed its socket or has no more work: one that
// crashes may write a report first.
inline constexpr Duration kToEnd = std::chrono::seconds(10);

class WorkerProcess {
   public:
    static Result<WorkerProcess> start(const WorkerProgram& program);

    WorkerProcess(WorkerProcess&& other) noexcept
        : mSocket(std::move(other.mSocket)),
          mCalls(std::move(other.mCalls)),
          mPid(std::exchange(other.mPid, -1)) {}
    WorkerProcess& operator=(WorkerProcess&&) = delete;
    // Kills the process if it is still running.
    ~WorkerProcess();

    LineSocket& socket() { return mSocket; }
    // The process records its calls here.
    CallPage& calls() { return *mCalls; }

    // The stacks of its threads, before it is killed or, if it has crashed, ends.
    std::vector<ThreadStack> stacks(StackReader& reader);

    // Kills the process and its descendants, and waits for its end.
    void kill();

    // Reads the data that its socket has received; `hasInput` reports whether poll() has found any.
    // False if nothing more will come: the other end is closed, or the process has ended, although
    // a child of it may hold that end open. Call it at least every kBetweenLooks.
    bool receive(bool hasInput);

    // Waits for its end, then kills it after the timeout. Returns "exited with 3" or "ended by
    // SIGSEGV".
    std::string waitForEnd(Duration patience);

   private:
    WorkerProcess(UniqueFd socket, NewCallPage calls, pid_t pid)
        : mSocket(std::move(socket)), mCalls(std::move(calls)), mPid(pid) {}

    // True if nothing is left of it but its status.
    bool hasEnded() const;

    LineSocket mSocket;
    NewCallPage mCalls;
    pid_t mPid;
};

}  // namespace nn::testing
