// Worker: a thread for preparations, and clients that may die while they wait for one.
#pragma once

#include <AidlHalInterfaces.h>
#include <android-base/macros.h>
#include <android-base/thread_annotations.h>
#include <android/binder_auto_utils.h>
#include <android/binder_ibinder.h>

#include <atomic>
#include <condition_variable>
#include <deque>
#include <functional>
#include <memory>
#include <mutex>
#include <thread>

namespace vendor::lanes {

namespace aidl_hal = ::aidl::android::hardware::neuralnetworks;

// Runs tasks one after another; the destructor waits for queued tasks.
class Worker {
    DISALLOW_COPY_AND_ASSIGN(Worker);

   public:
    using Task = std::function<void()>;

    Worker();
    ~Worker();

    void run(Task task);

   private:
    void work();

    std::mutex mMutex;
    std::condition_variable mChanged;
    std::deque<Task> mTasks GUARDED_BY(mMutex);
    bool mIsOver GUARDED_BY(mMutex) = false;
    std::thread mThread;
};

// Whether the client that waits for a callback is still alive.
class Client {
    DISALLOW_COPY_AND_ASSIGN(Client);

   public:
    explicit Client(const std::shared_ptr<aidl_hal::IPreparedModelCallback>& callback);
    ~Client();

    bool isDead() const { return *kIsDead; }

   private:
    using Flag = std::shared_ptr<std::atomic<bool>>;
    static void onDied(void* cookie) { *static_cast<Flag*>(cookie)->get() = true; }
    static void onUnlinked(void* cookie) { delete static_cast<Flag*>(cookie); }

    const Flag kIsDead = std::make_shared<std::atomic<bool>>(false);
    const ndk::SpAIBinder kBinder;
    const ndk::ScopedAIBinder_DeathRecipient kRecipient;
    Flag* mCookie = nullptr;  // owned by the binder while it is linked
};

}  // namespace vendor::lanes
