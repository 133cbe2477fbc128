// Schedules driver calls on threads that all clients of a server share.
#pragma once

#include <cstddef>
#include <deque>
#include <memory>
#include <mutex>

#include "driver/threads/thread_pool.h"

namespace nn::service {

// Clients take turns. A client's first call never waits for calls of other clients; its further
// calls run while fewer than `threads` calls do. Tasks own the scheduler, so that stopping a server
// does not wait for a hanging driver. Thread-safe.
class CallScheduler : public std::enable_shared_from_this<CallScheduler> {
   public:
    using Task = driver::Task;

    // The pending calls of one client, in order of arrival.
    class Queue {
        friend class CallScheduler;
        std::deque<Task> waiting{};
        size_t running = 0;
    };

    CallScheduler(size_t threads, size_t clients)
        : mMaxRunning(threads), mThreads(threads + clients + 1, /*keep=*/threads) {}

    // Throws if no thread can be started.
    void run(const std::shared_ptr<Queue>& queue, Task task);

    // Discards the waiting tasks.
    void drop(Queue& queue);

    // Runs a task that belongs to no client, such as a release.
    void runUnqueued(Task task);

   private:
    bool mayStartUnderLock(const Queue& queue) const {
        return queue.running == 0 || mRunning < mMaxRunning;
    }
    void startUnderLock();
    void runFirstUnderLock(const std::shared_ptr<Queue>& queue);
    void ended(const std::shared_ptr<Queue>& queue);

    const size_t mMaxRunning;
    std::mutex mMutex{};
    std::deque<std::shared_ptr<Queue>> mReady{};  // queues with waiting tasks, in round-robin order
    size_t mRunning = 0;
    driver::ThreadPool mThreads;
};

}  // namespace nn::service
