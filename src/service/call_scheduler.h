// Schedules driver calls on threads that all clients of a server share.
#pragma once

#include <cstddef>
#include <deque>
#include <memory>
#include <mutex>

#include "driver/threads/thread_pool.h"

namespace nn::service {

// Clients take turns. The first call of a client never waits for those of others; further ones run
// while fewer than `threads` do. Tasks own the scheduler: whoever stops a server does not wait for
// a driver that hangs. Thread-safe.
class CallScheduler : public std::enable_shared_from_this<CallScheduler> {
   public:
    using Task = driver::Task;

    // The calls of one client, in the order in which they come.
    class Queue {
        friend class CallScheduler;
        std::deque<Task> waiting{};
        size_t running = 0;
    };

    CallScheduler(size_t threads, size_t clients)
        : mMost(threads), mThreads(threads + clients + 1, /*keep=*/threads) {}

    // Throws where there is no thread at all.
    void run(const std::shared_ptr<Queue>& queue, Task task);

    // Forgets the tasks that wait.
    void drop(Queue& queue);

    // Work that is nobody's call: releases.
    void runAside(Task task);

   private:
    bool mayStartUnderLock(const Queue& queue) const {
        return queue.running == 0 || mRunning < mMost;
    }
    void startUnderLock();
    void runFirstUnderLock(const std::shared_ptr<Queue>& queue);
    void ended(const std::shared_ptr<Queue>& queue);

    const size_t mMost;
    std::mutex mMutex{};
    std::deque<std::shared_ptr<Queue>> mReady{};  // those with tasks that wait, by turns
    size_t mRunning = 0;
    driver::ThreadPool mThreads;
};

}  // namespace nn::service
