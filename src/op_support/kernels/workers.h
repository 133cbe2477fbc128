// Threads that share the work of one operation.
//
//   workers.split(rows, [&](size_t worker, size_t first, size_t last) { ... rows [first, last) ...
//   });
//
// Results must not depend on where ranges end, so that any number of threads produces the same
// bits.
#pragma once

#include <algorithm>
#include <atomic>
#include <condition_variable>
#include <cstddef>
#include <exception>
#include <mutex>
#include <thread>
#include <vector>

namespace nn::ops {

class Workers {
   public:
    // The number of threads, including the calling one; fewer if the system provides no more.
    explicit Workers(size_t count = 1);
    ~Workers();

    size_t count() const { return mThreads.size() + 1; }

    // Calls work(worker, first, last) for ranges that together are [0, size), concurrently, and
    // returns when all have ended; rethrows an exception. Each worker has a fixed share, so that it
    // gets the same rows in consecutive operations; when done it helps the others, so that no
    // worker waits for a thread that the system has suspended. Must not be called from within
    // `work`.
    template <class Work>
    void split(size_t size, Work work) {
        if (mThreads.empty() || size <= 1) return work(size_t{0}, size_t{0}, size);
        const size_t parts = kPartsOfEach * count();
        const auto startOf = [&](size_t part) {
            return size / parts * part + std::min(part, size % parts);
        };
        const auto share = [&](size_t worker) {
            for (size_t i = 0; i < count(); ++i) {
                const size_t owner = (worker + i) % count();
                for (size_t next; (next = mNext[owner].fetch_add(1)) < kPartsOfEach;) {
                    const size_t part = owner * kPartsOfEach + next;
                    const size_t first = startOf(part), last = startOf(part + 1);
                    if (first < last) work(worker, first, last);
                }
            }
        };
        for (std::atomic<size_t>& next : mNext) next = 0;
        run([](void* context, size_t worker) { (*static_cast<decltype(&share)>(context))(worker); },
            const_cast<void*>(static_cast<const void*>(&share)));
    }

   private:
    static constexpr size_t kPartsOfEach = 4;

    using Task = void (*)(void* context, size_t worker);
    void run(Task task, void* context);
    void serve(size_t worker);
    void attempt(Task task, void* context, size_t worker);

    std::mutex mMutex;
    std::condition_variable mWake;  // there is a task, or the end
    std::condition_variable mDone;
    Task mTask = nullptr;  // null: no worker may start
    void* mContext = nullptr;
    std::atomic<size_t> mRound{0};    // counts tasks
    std::atomic<size_t> mRunning{0};  // threads working on the task
    size_t mSleeping = 0;
    std::exception_ptr mFailure;
    std::atomic<bool> mIsOver{false};
    std::vector<std::atomic<size_t>> mNext;  // by worker
    std::vector<std::thread> mThreads;
};

}  // namespace nn::ops
