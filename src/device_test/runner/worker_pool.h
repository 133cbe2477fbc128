// A pool of worker processes that run batches of tasks. A worker that hangs or crashes is replaced,
// and its current task is reported.
//
//   WorkerPool pool({.program = {.arguments = {"nnapi", "test-device-worker"}},
//                    .workers = 2,
//                    .hello = hello});
//   const Status status = pool.run([&] { return nextBatch(); },
//                                  [&](size_t task, WorkerPool::TaskResult result) { ... });
//
// A worker has a socket as descriptor 3, and memory for its calls as descriptor 4. It receives
// `hello`, and replies {"ready":true} or {"error":"..."}. Then it receives a line for each batch,
// and replies to each of its tasks with a line, in order. Its standard output goes to standard
// error.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "device_test/runner/call_recorder.h"
#include "device_test/runner/json_lines.h"
#include "nnapi/device_test/device_test_runner.h"

namespace nn::testing {

inline constexpr int kWorkerSocket = 3;
inline constexpr int kWorkerCalls = 4;

class WorkerPool {
   public:
    struct Options {
        WorkerProgram program{};
        size_t workers = 1;
        Duration timeLimit = std::chrono::seconds(30);  // for each task, and for the start
        Json hello{};
        StopFunction isCancelled{};
        std::optional<TimePoint> end{};            // when to stop at the latest
        std::function<bool(size_t task)> skips{};  // what need not run any more; empty: nothing
        // Called if a signal ends a worker after it has completed this task and before the next.
        std::function<void(size_t task, const std::string& how)> onLateCrash{};
    };

    // The tasks in the order of their results. `tasks` in the line lists the input of each.
    struct Batch {
        Json line{};
        std::vector<size_t> tasks{};
    };

    struct TaskResult {
        // MALFORMED: a line that no worker writes. What follows it belongs to no task.
        enum class Kind { COMPLETED, MALFORMED, HANG, CRASH } kind = Kind::COMPLETED;
        Json line{};
        std::string how{};                 // of a crash: "ended by SIGSEGV", "exited with 3"
        std::optional<CallReport> call{};  // of a hang or crash: the call
        std::vector<ThreadStack> stacks{};
        Duration took{};
    };

    explicit WorkerPool(Options options);
    ~WorkerPool();
    WorkerPool(const WorkerPool&) = delete;
    WorkerPool& operator=(const WorkerPool&) = delete;

    // Runs until there are no more batches, or it is stopped. Calls both functions on the calling
    // thread. Fails if a worker cannot start.
    Status run(const std::function<std::optional<Batch>()>& nextBatch,
               const std::function<void(size_t task, TaskResult result)>& onResult);

   private:
    class Worker;
    class Run;

    Options mOptions;
};

}  // namespace nn::testing
