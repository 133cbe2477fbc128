#define LOG_TAG "lanes-worker"

#include "Worker.h"

#include <LegacyUtils.h>
#include <android-base/logging.h>
#include <android-base/threads.h>

#include <utility>

namespace vendor::lanes {

Worker::Worker() : mThread([this] { work(); }) {}

Worker::~Worker() {
    {
        const std::lock_guard lock(mMutex);
        mIsOver = true;
    }
    mChanged.notify_one();
    mThread.join();
}

void Worker::run(Task task) {
    {
        const std::lock_guard lock(mMutex);
        mTasks.push_back(std::move(task));
    }
    mChanged.notify_one();
}

void Worker::work() {
    VLOG(::android::nn::COMPILATION) << "thread " << ::android::base::GetThreadId() << " prepares";
    std::unique_lock lock(mMutex);
    while (true) {
        ::android::base::ScopedLockAssertion assumeLocked(mMutex);
        while (mTasks.empty() && !mIsOver) mChanged.wait(lock);
        if (mTasks.empty()) return;
        Task task = std::move(mTasks.front());
        mTasks.pop_front();
        lock.unlock();
        task();
        task = nullptr;  // releases the captures without holding the lock
        lock.lock();
    }
}

Client::Client(const std::shared_ptr<aidl_hal::IPreparedModelCallback>& callback)
    : kBinder(callback->asBinder()), kRecipient(AIBinder_DeathRecipient_new(onDied)) {
    AIBinder_DeathRecipient_setOnUnlinked(kRecipient.get(), onUnlinked);
    if (!AIBinder_isRemote(kBinder.get())) return;  // a local object dies with this process
    auto* cookie = new Flag(kIsDead);
    const binder_status_t status = AIBinder_linkToDeath(kBinder.get(), kRecipient.get(), cookie);
    if (status == STATUS_OK) {
        mCookie = cookie;
    } else {
        LOG(WARNING) << "a client cannot be watched: " << status;
        *kIsDead = status == STATUS_DEAD_OBJECT;
    }
}

Client::~Client() {
    if (mCookie == nullptr) return;
    const binder_status_t status = AIBinder_unlinkToDeath(kBinder.get(), kRecipient.get(), mCookie);
    if (status != STATUS_OK && !isDead()) LOG(WARNING) << "a client stays watched: " << status;
}

}  // namespace vendor::lanes
