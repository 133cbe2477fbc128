// A pool of worker processes that run batches of tasks. A worker that hangs or crashes is replaced,
// and its current task is reported.
//
//   WorkerPool pool({.arguments = {"test-device-worker"}, .workers = 2, .hello = hello});
//   const Status status = pool.run([&] { return nextBatch(); },
//                                  [&](size_t task, WorkerPool::Answer answer) { ... });
//
// A worker is this program again, with a socket as descriptor 3. It is told `hello`, answers
// {"ready":true} or {"error":"..."}, and from then on gets a line for each batch and answers each
// task of it with a line, in their order. Its standard output goes to standard error.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "cli/command.h"

namespace nn::cli {

inline constexpr int kWorkerSocket = 3;

class WorkerPool {
   public:
    struct Options {
        std::vector<std::string> arguments{};  // of the program
        size_t workers = 1;
        Duration timeLimit = std::chrono::seconds(30);  // for each task, and for the start
        Json hello{};
    };

    // The tasks in the order in which they are answered. `tasks` of the line lists what the worker
    // needs for each of them.
    struct Batch {
        Json line{};
        std::vector<size_t> tasks{};
    };

    struct Answer {
        enum class Kind { ANSWERED, HANG, CRASH } kind = Kind::ANSWERED;
        Json line{};
        std::string how{};  // of a crash: "ended by SIGSEGV", "exited with 3"
        Duration took{};
    };

    explicit WorkerPool(Options options);
    ~WorkerPool();
    WorkerPool(const WorkerPool&) = delete;
    WorkerPool& operator=(const WorkerPool&) = delete;

    // Works until there are no more batches, or the user interrupts. Calls both functions in the
    // calling thread. Fails where a worker cannot start.
    Status run(const std::function<std::optional<Batch>()>& nextBatch,
               const std::function<void(size_t task, Answer answer)>& onAnswer);

   private:
    class Worker;
    class Run;

    Options mOptions;
};

}  // namespace nn::cli
