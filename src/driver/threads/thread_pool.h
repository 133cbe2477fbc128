// A pool with a bounded number of threads.
#pragma once

#include <cstddef>
#include <functional>
#include <memory>
#include <mutex>

#include "base/per_process.h"
#include "nnapi/types.h"

namespace nn::driver {

using Task = std::function<void()>;

// Runs tasks by priority, in order within a priority, on threads that are started on demand.
// Exceptions of tasks are dropped. Thread-safe.
//
// Tasks may own the pool, which then lives until all are done. The last one may release it on one
// of its own threads, which cannot join itself: that thread ends independently, and is joined when
// the next pool is made or released, or when the program ends.
//
// A forked process starts its own threads; tasks that were waiting are not run there.
class ThreadPool {
   public:
    // Idle threads beyond `keep` end.
    //
    // Tasks that wait for each other need `patience`: if no thread takes a waiting task for that
    // long, one more thread is started, beyond `most`. Otherwise all threads may wait for a task
    // that has no thread.
    explicit ThreadPool(size_t most) : ThreadPool(most, most) {}
    ThreadPool(size_t most, size_t keep, OptionalDuration patience = {});
    ThreadPool(const ThreadPool&) = delete;
    ThreadPool& operator=(const ThreadPool&) = delete;
    // Runs the tasks that are left, and waits for them unless a thread of a pool calls it.
    ~ThreadPool();

    // Throws if the first thread cannot be started.
    void run(Task task, Priority priority = Priority::DEFAULT);

   private:
    struct Shared;
    struct Sizes {
        size_t most = 1;
        size_t keep = 1;
        OptionalDuration patience{};
    };
    using Lock = std::unique_lock<std::mutex>;
    static void addThread(const std::shared_ptr<Shared>& shared, const Sizes& sizes,
                          bool isReserve);
    static void addReserve(const std::shared_ptr<Shared>& shared, const Sizes& sizes);
    static bool isNeeded(Shared& shared, Duration patience, Lock& lock);
    static void work(const std::shared_ptr<Shared>& shared, const Sizes& sizes, bool isReserve);
    static void leave(Shared& shared, Lock& lock);

    const Sizes mSizes;
    PerProcess<Shared> mShared;
};

}  // namespace nn::driver
