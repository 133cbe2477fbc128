// A pool with a bounded number of threads.
#pragma once

#include <cstddef>
#include <functional>
#include <memory>

#include "nnapi/types.h"
#include "types/per_process.h"

namespace nn::driver {

using Task = std::function<void()>;

// Runs tasks by priority, in order within a priority, on threads that are started on demand.
// Exceptions of tasks are dropped. Thread-safe.
//
// Tasks may own the pool, which then lives until all are done. The last one may release it on one
// of its own threads, which cannot join itself: that thread ends on its own, and is joined when the
// next pool is made or released, or when the program ends.
//
// A forked process starts its own threads; tasks that were waiting are not run there.
class ThreadPool {
   public:
    // Idle threads beyond `keep` end.
    explicit ThreadPool(size_t most) : ThreadPool(most, most) {}
    ThreadPool(size_t most, size_t keep);
    ThreadPool(const ThreadPool&) = delete;
    ThreadPool& operator=(const ThreadPool&) = delete;
    // Drops waiting tasks, so that releasing the pool does not wait for them.
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
