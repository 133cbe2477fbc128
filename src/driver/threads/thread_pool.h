// A bounded number of threads.
#pragma once

#include <cstddef>
#include <functional>
#include <memory>

#include "nnapi/types.h"
#include "types/per_process.h"

namespace nn::driver {

using Task = std::function<void()>;

// Runs tasks by priority, and those of the same in the order in which they come, on threads that
// are started when there is work for them. Exceptions of tasks are dropped. Thread-safe.
//
// Tasks may own the pool, so that it lives until all are done; the last one then releases it on a
// thread of the pool, which cannot wait for itself. Such a thread ends by itself at once, and is
// joined by whoever makes or releases a pool next, or when the program ends.
//
// A process that is forked starts threads of its own; tasks that waited are not run there.
class ThreadPool {
   public:
    // Threads beyond `keep` end when there is no work for them.
    explicit ThreadPool(size_t most) : ThreadPool(most, most) {}
    ThreadPool(size_t most, size_t keep);
    ThreadPool(const ThreadPool&) = delete;
    ThreadPool& operator=(const ThreadPool&) = delete;
    // There are no tasks left: who releases the pool waits for none.
    ~ThreadPool();

    // Throws where the first thread cannot be started.
    void run(Task task, Priority priority = Priority::DEFAULT);

   private:
    struct Shared;
    static void work(const std::shared_ptr<Shared>& shared, size_t keep);

    const size_t mMost;
    const size_t mKeep;
    PerProcess<Shared> mShared;
};

}  // namespace nn::driver
