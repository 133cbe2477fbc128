#include "interpreter/workers.h"

#include <algorithm>
#include <system_error>

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
    task(context, 0);
    std::unique_lock lock(mMutex);
    mDone.wait(lock, [&] { return mRunning == 0; });
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
        task(context, worker);
        lock.lock();
        if (--mRunning == 0) mDone.notify_one();
    }
}

}  // namespace nn::ops
