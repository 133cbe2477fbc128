// A thread with a Cap'n Proto event loop. Promises and capabilities live on this thread only; other
// threads post tasks.
#pragma once

#include <kj/async-io.h>

#include <functional>
#include <memory>
#include <string>
#include <string_view>

#include "base/process_generation.h"
#include "base/status_message.h"
#include "driver/threads/thread_pool.h"
#include "nnapi/result.h"

namespace nn::service {

class EventLoop {
   public:
    using Task = std::function<void(kj::AsyncIoContext& io)>;

    // Fails if the system is out of threads or descriptors.
    static Result<std::unique_ptr<EventLoop>> start();

    // Runs `last` after all tasks posted before, then ends the thread. Joins it, unless called on a
    // thread of a pool or of a loop.
    ~EventLoop();
    EventLoop(const EventLoop&) = delete;
    EventLoop& operator=(const EventLoop&) = delete;

    // Runs a task on the loop's thread, after those posted before. Any thread.
    void post(Task task);

    // False in a process forked since: the thread does not exist there, and tasks are dropped.
    bool isOfThisProcess() const { return mProcess == processGeneration(); }

    // Sets the last task, which destroys all that lives on the thread. Call it before posting
    // tasks.
    void setLastTask(Task last);

   private:
    struct Core;
    explicit EventLoop(std::shared_ptr<Core> core) : mCore(std::move(core)) {}
    static void run(Core& core);

    const uint64_t mProcess = processGeneration();
    std::shared_ptr<Core> mCore;
    Task mLast{};
    driver::ThreadPool mThread{1};
};

// Fails a call, or ends a connection, with an exception that Cap'n Proto sends to the peer.
[[noreturn]] void throwToPeer(kj::Exception::Type type, std::string_view why);

// The status of an exception; DEAD_OBJECT if the peer is gone.
Status failureOf(const kj::Exception& exception, std::string_view what);

}  // namespace nn::service
