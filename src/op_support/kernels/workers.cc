#include "op_support/kernels/workers.h"

#include <algorithm>
#include <chrono>
#include <system_error>
#include <utility>

namespace nn::ops {
namespace {

// Waits a while without sleeping: operations of a network follow each other faster than the system
// wakes a thread.
template <class Condition>
void spinUntil(const Condition& condition) {
    constexpr std::chrono::microseconds kWhile{50};
    constexpr int kTriesBetweenLooks = 64;
    const auto end = std::chrono::steady_clock::now() + kWhile;
    do {
        for (int i = 0; i < kTriesBetweenLooks; ++i) {
            if (condition()) return;
#if defined(__x86_64__)
            __builtin_ia32_pause();
#endif
        }
    } while (std::chrono::steady_clock::now() < end);
}

}  // namespace

Workers::Workers(size_t count) {
    constexpr size_t kMaxThreads = 256;
    const size_t threads = std::clamp<size_t>(count, 1, kMaxThreads) - 1;
    mThreads.reserve(threads);
    try {
        while (mThreads.size() < threads) {
            mThreads.emplace_back(&Workers::serve, this, mThreads.size() + 1);
        }
    } catch (const std::system_error&) {
        // The threads that exist are enough.
    }
    if (!mThreads.empty()) mNext = std::vector<std::atomic<size_t>>(this->count());
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
    bool isAnyAsleep;
    {
        const std::lock_guard lock(mMutex);
        mTask = task;
        mContext = context;
        ++mRound;
        isAnyAsleep = mSleeping != 0;
    }
    if (isAnyAsleep) mWake.notify_all();
    attempt(task, context, 0);
    // Workers that have not begun are no longer needed.
    std::unique_lock lock(mMutex);
    mTask = nullptr;
    if (mRunning != 0) {
        lock.unlock();
        spinUntil([&] { return mRunning == 0; });
        lock.lock();
        mDone.wait(lock, [&] { return mRunning == 0; });
    }
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
    size_t round = 0;
    const auto isCalled = [&] { return mIsOver || mRound != round; };
    for (;;) {
        spinUntil(isCalled);
        std::unique_lock lock(mMutex);
        ++mSleeping;
        mWake.wait(lock, isCalled);
        --mSleeping;
        if (mIsOver) return;
        round = mRound;
        if (mTask == nullptr) continue;
        const Task task = mTask;
        void* const context = mContext;
        ++mRunning;
        lock.unlock();
        attempt(task, context, worker);
        lock.lock();
        if (--mRunning == 0) mDone.notify_one();
    }
}

}  // namespace nn::ops
