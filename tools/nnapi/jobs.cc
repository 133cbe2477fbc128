#include "tools/nnapi/jobs.h"

#include <system_error>

namespace nn::cli {

TaskThreads::TaskThreads(size_t count) {
    try {
        while (mThreads.size() < count) mThreads.emplace_back(&TaskThreads::serve, this);
    } catch (const std::system_error&) {
        // The threads that exist are enough.
    }
}

TaskThreads::~TaskThreads() {
    {
        const std::lock_guard lock(mMutex);
        mEnds = true;
    }
    mHasTask.notify_all();
    for (std::thread& thread : mThreads) thread.join();
}

void TaskThreads::add(std::function<void()> task) {
    if (mThreads.empty()) return task();
    {
        const std::lock_guard lock(mMutex);
        mTasks.push_back(std::move(task));
    }
    mHasTask.notify_one();
}

void TaskThreads::serve() {
    for (;;) {
        std::function<void()> task;
        {
            std::unique_lock lock(mMutex);
            mHasTask.wait(lock, [&] { return mEnds || !mTasks.empty(); });
            if (mTasks.empty()) return;
            task = std::move(mTasks.front());
            mTasks.pop_front();
        }
        task();
    }
}

}  // namespace nn::cli
