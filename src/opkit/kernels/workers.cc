#include "opkit/kernels/workers.h"

#include <algorithm>
#include <system_error>
#include <utility>

namespace nn::ops {

Workers::Workers(size_t count) {
    constexpr size_t kMostThreads = 256;
    const size_t threads = std::clamp<size_t>(count, 1, kMostThreads) - 1;
    mThreads.reserve(threads);
    try {
        while (mThreads.size() < threads) {
            mThreads.emplace_back(&Workers::serve, this, mThreads.size() + 1);
        }
    } catch (const std::system_error&) {
        // Those that there are do.
    }
}

Workers::~Workers() {
    {
        const std::lock_guard lock(mMutex);
        mIsOver = true;
    }
    mWake.notify_all();
    for (std::thread& thread : mThreads) thread.join();
}

void Workers::run(Task task, void* context) {
    {
        const std::lock_guard lock(mMutex);
        mTask = task;
        mContext = context;
        mRunning = mThreads.size();
        ++mRound;
    }
    mWake.notify_all();
    attempt(task, context, 0);
    std::unique_lock lock(mMutex);
    mDone.wait(lock, [&] { return mRunning == 0; });
    if (mFailure != nullptr) std::rethrow_exception(std::exchange(mFailure, nullptr));
}

void Workers::attempt(Task task, void* context, size_t worker) {
    try {
        task(context, worker);
    } catch (...) {
        const std::lock_guard lock(mMutex);
        mFailure = std::current_exception();
    }
}

void Workers::serve(size_t worker) {
    std::unique_lock lock(mMutex);
    for (size_t round = 0;;) {
        mWake.wait(lock, [&] { return mIsOver || mRound != round; });
        if (mIsOver) return;
        round = mRound;
        const Task task = mTask;
        void* const context = mContext;
        lock.unlock();
        attempt(task, context, worker);
        lock.lock();
        if (--mRunning == 0) mDone.notify_one();
    }
}

}  // namespace nn::ops
