#include "service/call_scheduler.h"

#include <utility>

namespace nn::service {

void CallScheduler::run(const std::shared_ptr<Queue>& queue, Task task) {
    const std::lock_guard lock(mMutex);
    queue->waiting.push_back(std::move(task));
    if (queue->waiting.size() == 1) mReady.push_back(queue);
    startUnderLock();
}

void CallScheduler::drop(Queue& queue) {
    std::deque<Task> dropped;  // released without the lock
    const std::lock_guard lock(mMutex);
    dropped.swap(queue.waiting);
    std::erase_if(mReady, [&](const auto& each) { return each.get() == &queue; });
}

void CallScheduler::runUnqueued(Task task) {
    mThreads.run([self = shared_from_this(), task = std::move(task)] { task(); });
}

void CallScheduler::startUnderLock() {
    for (size_t looked = 0; looked < mReady.size();) {
        const std::shared_ptr<Queue> queue = std::move(mReady.front());
        mReady.pop_front();
        if (!mayStartUnderLock(*queue)) {
            mReady.push_back(queue);
            ++looked;
            continue;
        }
        const size_t left = queue->waiting.size() - 1;
        if (left > 0) mReady.push_back(queue);
        runFirstUnderLock(queue);
        looked = 0;
    }
}

void CallScheduler::runFirstUnderLock(const std::shared_ptr<Queue>& queue) {
    Task task = std::move(queue->waiting.front());
    queue->waiting.pop_front();
    mThreads.run([self = shared_from_this(), queue, task = std::move(task)]() mutable {
        task();
        task = nullptr;
        self->ended(queue);
    });
    ++queue->running;
    ++mRunning;
}

void CallScheduler::ended(const std::shared_ptr<Queue>& queue) {
    const std::lock_guard lock(mMutex);
    --queue->running;
    --mRunning;
    startUnderLock();
}

}  // namespace nn::service
