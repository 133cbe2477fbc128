#include "driver/threads/thread_pool.h"

#include <algorithm>
#include <condition_variable>
#include <deque>
#include <map>
#include <mutex>
#include <system_error>
#include <thread>
#include <utility>
#include <vector>

namespace nn::driver {
namespace {

// True in the threads of all pools.
thread_local bool isWorker = false;

// Threads that could not be joined when their pool ended. They are about to end, so that joining
// them does not block.
class Leaving {
   public:
    static Leaving& get() {
        // Never destroyed: threads may come after the destructors of the program have begun.
        static const auto* const leaving = new PerProcess<Leaving>;
        return *leaving->get();
    }

    void add(std::vector<std::thread> threads) {
        const std::lock_guard lock(mMutex);
        for (std::thread& thread : threads) {
            if (mIsClosed) {
                thread.detach();
            } else {
                mThreads.push_back(std::move(thread));
            }
        }
    }

    void join(bool close = false) {
        std::vector<std::thread> threads;
        {
            const std::lock_guard lock(mMutex);
            mIsClosed = mIsClosed || close;
            threads.swap(mThreads);
        }
        for (std::thread& thread : threads) {
            // A thread of the pool may end the program.
            if (thread.get_id() == std::this_thread::get_id()) {
                thread.detach();
            } else {
                thread.join();
            }
        }
    }

   private:
    std::mutex mMutex{};
    std::vector<std::thread> mThreads{};
    bool mIsClosed = false;
};

// When the program ends, or unloads the library.
struct JoinAtExit {
    JoinAtExit() { Leaving::get(); }
    JoinAtExit(const JoinAtExit&) = delete;
    JoinAtExit& operator=(const JoinAtExit&) = delete;
    ~JoinAtExit() { Leaving::get().join(/*close=*/true); }
};

}  // namespace

struct ThreadPool::Shared {
    std::mutex mutex{};
    std::condition_variable changed{};
    std::map<Priority, std::deque<Task>, std::greater<>> tasks{};  // no empty lists
    size_t waiting = 0;                                            // of all priorities
    uint64_t taken = 0;                                            // since the beginning
    std::vector<std::thread> threads{};
    size_t idle = 0;
    // A thread that takes a task only if no other thread does.
    bool hasReserve = false;
    std::condition_variable reserveChanged{};
    bool isEnding = false;

    size_t workers() const;  // all threads but the reserve
};

ThreadPool::ThreadPool(size_t most, size_t keep, OptionalDuration patience)
    : mSizes{.most = std::max<size_t>(most, 1),
             .keep = std::clamp<size_t>(keep, 1, std::max<size_t>(most, 1)),
             .patience = patience} {
    static const JoinAtExit joinAtExit;
    if (!isWorker) Leaving::get().join();
}

ThreadPool::~ThreadPool() {
    const std::shared_ptr<Shared>& shared = mShared.get();
    std::vector<std::thread> threads;
    {
        const std::lock_guard lock(shared->mutex);
        shared->isEnding = true;
        threads.swap(shared->threads);
    }
    shared->changed.notify_all();
    shared->reserveChanged.notify_all();
    // Two pools whose threads release each other must not wait for each other either.
    if (isWorker) {
        Leaving::get().add(std::move(threads));
    } else {
        for (std::thread& thread : threads) thread.join();
        Leaving::get().join();
    }
}

size_t ThreadPool::Shared::workers() const { return threads.size() - (hasReserve ? 1 : 0); }

void ThreadPool::addThread(const std::shared_ptr<Shared>& shared, const Sizes& sizes,
                           bool isReserve) {
    try {
        shared->threads.emplace_back(work, shared, sizes, isReserve);
        shared->hasReserve = shared->hasReserve || isReserve;
    } catch (const std::system_error&) {
        if (shared->threads.empty()) throw;  // those that there are do it later
    }
}

void ThreadPool::addReserve(const std::shared_ptr<Shared>& shared, const Sizes& sizes) {
    const bool isFull = shared->workers() >= sizes.most && shared->waiting > shared->idle;
    if (!sizes.patience || !isFull || shared->hasReserve || shared->isEnding) return;
    addThread(shared, sizes, /*isReserve=*/true);
}

// True if the reserve has to take a task, since no thread has taken one for `patience`; false once
// there is no task left.
bool ThreadPool::isNeeded(Shared& shared, Duration patience, Lock& lock) {
    const auto isDone = [&] { return shared.isEnding || shared.waiting == 0; };
    while (!isDone()) {
        const uint64_t taken = shared.taken;
        if (shared.reserveChanged.wait_for(lock, patience, isDone)) return false;
        if (shared.taken == taken) return true;
    }
    return false;
}

// Ends the calling thread, which another thread will join.
void ThreadPool::leave(Shared& shared, Lock& lock) {
    const auto self = std::find_if(
            shared.threads.begin(), shared.threads.end(),
            [](const auto& each) { return each.get_id() == std::this_thread::get_id(); });
    if (self == shared.threads.end()) return;  // the destructor of the pool joins it
    std::vector<std::thread> surplus;
    surplus.push_back(std::move(*self));
    shared.threads.erase(self);
    lock.unlock();
    Leaving::get().join();  // the earlier ones
    Leaving::get().add(std::move(surplus));
}

void ThreadPool::work(const std::shared_ptr<Shared>& shared, const Sizes& sizes, bool isReserve) {
    isWorker = true;
    Lock lock(shared->mutex);
    if (isReserve) {
        const bool works = isNeeded(*shared, *sizes.patience, lock);
        shared->hasReserve = false;
        if (!works) return leave(*shared, lock);
    }
    while (true) {
        if (shared->waiting == 0 && !shared->isEnding && shared->workers() > sizes.keep) {
            return leave(*shared, lock);
        }
        ++shared->idle;
        shared->changed.wait(lock, [&] { return shared->isEnding || shared->waiting > 0; });
        --shared->idle;
        if (shared->waiting == 0) return;
        const auto first = shared->tasks.begin();
        Task task = std::move(first->second.front());
        first->second.pop_front();
        if (first->second.empty()) shared->tasks.erase(first);
        --shared->waiting;
        ++shared->taken;
        addReserve(shared, sizes);
        lock.unlock();
        try {
            task();
        } catch (...) {  // there is no caller to notify
        }
        task = nullptr;  // perhaps the pool with it
        lock.lock();
    }
}

void ThreadPool::run(Task task, Priority priority) {
    const std::shared_ptr<Shared> shared = mShared.get();
    {
        const std::lock_guard lock(shared->mutex);
        if (shared->idle <= shared->waiting && shared->workers() < mSizes.most) {
            addThread(shared, mSizes, /*isReserve=*/false);
        }
        shared->tasks[priority].push_back(std::move(task));
        ++shared->waiting;
        addReserve(shared, mSizes);
    }
    shared->changed.notify_one();
}

}  // namespace nn::driver
