#include "driver/hidl/executor.h"

#include <algorithm>
#include <system_error>
#include <utility>

#include "driver/hidl/launch.h"

namespace nn::hal::adapter {
namespace {

// True in the threads of all pools.
thread_local bool isWorker = false;

// Threads that could not be joined when their pool ended. They are about to end, so that joining
// them takes no time.
class Leaving {
   public:
    static Leaving& get() {
        // Never destroyed: threads may come after the destructors of the program have begun.
        static Leaving* const leaving = new Leaving;
        return *leaving;
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
            // A thread may end the program by itself.
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
    std::deque<Task> tasks{};
    std::vector<std::thread> threads{};
    size_t idle = 0;
    bool isEnding = false;
};

ThreadPool::ThreadPool(size_t most)
    : mMost(std::max<size_t>(most, 1)), mShared(std::make_shared<Shared>()) {
    static const JoinAtExit joinAtExit;
    if (!isWorker) Leaving::get().join();
}

ThreadPool::~ThreadPool() {
    std::vector<std::thread> threads;
    {
        const std::lock_guard lock(mShared->mutex);
        mShared->isEnding = true;
        threads.swap(mShared->threads);
    }
    mShared->changed.notify_all();
    // Two pools whose threads release each other must not wait for each other either.
    if (isWorker) {
        Leaving::get().add(std::move(threads));
    } else {
        for (std::thread& thread : threads) thread.join();
        Leaving::get().join();
    }
}

void ThreadPool::work(const std::shared_ptr<Shared>& shared) {
    isWorker = true;
    std::unique_lock lock(shared->mutex);
    while (true) {
        ++shared->idle;
        shared->changed.wait(lock, [&] { return shared->isEnding || !shared->tasks.empty(); });
        --shared->idle;
        if (shared->tasks.empty()) return;
        Task task = std::move(shared->tasks.front());
        shared->tasks.pop_front();
        lock.unlock();
        ignoreExceptions(task);
        task = nullptr;  // perhaps the pool with it
        lock.lock();
    }
}

void ThreadPool::run(Task task) {
    {
        const std::lock_guard lock(mShared->mutex);
        Shared& shared = *mShared;
        if (shared.idle <= shared.tasks.size() && shared.threads.size() < mMost) {
            try {
                shared.threads.emplace_back(work, mShared);
            } catch (const std::system_error&) {
                if (shared.threads.empty()) throw;  // those that there are do it later
            }
        }
        shared.tasks.push_back(std::move(task));
    }
    mShared->changed.notify_one();
}

Executor ownExecutor(size_t numberOfThreads) {
    return [pool = std::make_shared<ThreadPool>(numberOfThreads)](
                   Task task, const OptionalTimePoint&) { pool->run(std::move(task)); };
}

bool launchOwed(const Executor& executor, const OptionalTimePoint& deadline,
                const std::shared_ptr<Owed>& owed) {
    // Drops the work when the executor has forgotten the last copy of the task.
    struct Ticket {
        explicit Ticket(std::shared_ptr<Owed> work) : owed(std::move(work)) {}
        Ticket(const Ticket&) = delete;
        Ticket& operator=(const Ticket&) = delete;
        ~Ticket() { owed->drop(); }
        std::shared_ptr<Owed> owed;
    };
    try {
        executor([ticket = std::make_shared<Ticket>(owed)] { ticket->owed->run(); }, deadline);
    } catch (...) {
        owed->drop();
    }
    return !owed->wasDropped();
}

}  // namespace nn::hal::adapter
