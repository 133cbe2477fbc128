// A thread with an event loop of Cap'n Proto. Promises and capabilities live on it alone: other
// threads post tasks.
#pragma once

#include <kj/async-io.h>

#include <functional>
#include <memory>
#include <string>
#include <string_view>

#include "driver/threads/thread_pool.h"
#include "nnapi/result.h"
#include "types/process_generation.h"
#include "types/status_message.h"

namespace nn::service {

class Loop {
   public:
    using Task = std::function<void(kj::AsyncIoContext& io)>;

    // Fails where the system gives no thread or descriptors.
    static Result<std::unique_ptr<Loop>> start();

    // Runs `last`, and ends the thread after all tasks that were posted before. Waits for it,
    // unless this is a thread of a pool or of a loop.
    ~Loop();
    Loop(const Loop&) = delete;
    Loop& operator=(const Loop&) = delete;

    // Runs a task on the thread, after those that were posted before. Any thread.
    void post(Task task);

    // False in a process that was forked since: the thread is not there, and tasks are dropped.
    bool isOfThisProcess() const { return mProcess == processGeneration(); }

    // The last task, which destroys all that lives on the thread. Before any other task.
    void atEnd(Task last);

   private:
    struct Core;
    explicit Loop(std::shared_ptr<Core> core) : mCore(std::move(core)) {}
    static void run(Core& core);

    const uint64_t mProcess = processGeneration();
    std::shared_ptr<Core> mCore;
    Task mLast{};
    driver::ThreadPool mThread{1};
};

// Ends a call, or a connection, with an exception of the engine, of which the peer is told.
[[noreturn]] void throwToPeer(kj::Exception::Type type, std::string_view why);

// Why the engine has failed. DEAD_OBJECT where the peer is gone.
Status failureOf(const kj::Exception& exception, std::string_view what);

}  // namespace nn::service
