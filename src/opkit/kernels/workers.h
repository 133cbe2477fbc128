// Threads that share the work of one operation.
//
//   workers.split(rows, [&](size_t worker, size_t first, size_t last) { ... rows [first, last) ...
//   });
//
// Results must not depend on where ranges end, so that any number of threads gives the same bits.
#pragma once

#include <condition_variable>
#include <cstddef>
#include <exception>
#include <mutex>
#include <thread>
#include <vector>

namespace nn::ops {

class Workers {
   public:
    // So many in all, the calling thread included; fewer where the system gives no more threads.
    explicit Workers(size_t count = 1);
    ~Workers();

    size_t count() const { return mThreads.size() + 1; }

    // Calls work(worker, first, last) for one range for each worker, at the same time, and returns
    // when all have ended; throws what one of them threw. Not from within `work`.
    template <class Work>
    void split(size_t size, Work work) {
        if (mThreads.empty()) return work(size_t{0}, size_t{0}, size);
        const auto part = [&](size_t worker) {
            const size_t first = size * worker / count(), last = size * (worker + 1) / count();
            if (first < last) work(worker, first, last);
        };
        run([](void* context, size_t worker) { (*static_cast<decltype(&part)>(context))(worker); },
            const_cast<void*>(static_cast<const void*>(&part)));
    }

   private:
    using Task = void (*)(void* context, size_t worker);
    void run(Task task, void* context);
    void serve(size_t worker);
    void attempt(Task task, void* context, size_t worker);

    std::mutex mMutex;
    std::condition_variable mWake;  // a task is there, or the end
    std::condition_variable mDone;
    Task mTask = nullptr;
    void* mContext = nullptr;
    size_t mRound = 0;    // counts tasks
    size_t mRunning = 0;  // threads that have not finished it
    std::exception_ptr mFailure;
    bool mIsOver = false;
    std::vector<std::thread> mThreads;
};

}  // namespace nn::ops
