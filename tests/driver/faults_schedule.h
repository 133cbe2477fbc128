// faults_schedule.h -- The planned fault of a driver with fault injection; see faults_driver.h.
#pragma once

#include <array>
#include <chrono>
#include <condition_variable>
#include <functional>
#include <memory>
#include <mutex>
#include <string>
#include <string_view>
#include <thread>
#include <utility>
#include <vector>

namespace nn::driver_faults {

using std::chrono::milliseconds;

// The calls of a driver, as bits, in the order of kCalls.
enum Call : uint32_t {
    NOWHERE = 0,
    CREATE = 1u << 0,  // calls that wrap a device
    SUPPORTED = 1u << 1,
    PING = 1u << 2,
    PREPARE = 1u << 3,
    CACHED = 1u << 4,   // a preparation from the cache
    EXECUTE = 1u << 5,  // with a callback
    EXECUTE_SYNC = 1u << 6,
    FENCED = 1u << 7,
    INFO = 1u << 8,       // of a fenced execution
    CONFIGURE = 1u << 9,  // a burst
    BURST = 1u << 10,     // an execution through queues
    ALLOCATE = 1u << 11,
    COPY = 1u << 12,
    REUSE = 1u << 13,  // creates a reusable execution
};
inline constexpr std::array kCalls = {"CREATE",  "SUPPORTED",    "PING",   "PREPARE", "CACHED",
                                      "EXECUTE", "EXECUTE_SYNC", "FENCED", "INFO",    "CONFIGURE",
                                      "BURST",   "ALLOCATE",     "COPY",   "REUSE"};

// The call of a method of either family.
constexpr Call callOf(std::string_view method) {
    constexpr std::pair<std::string_view, Call> kMethods[] = {
            {"getSupportedOperations", SUPPORTED},
            {"getExecutionInfo", INFO},
            {"get", CREATE},
            {"prepareModelFromCache", CACHED},
            {"prepareModel", PREPARE},
            {"executeSynchronously", EXECUTE_SYNC},
            {"executeFenced", FENCED},
            {"execute", EXECUTE},
            {"configureExecutionBurst", CONFIGURE},
            {"createReusableExecution", REUSE},
            {"IExecution::executeFenced", FENCED},
            {"IExecution::executeSynchronously", EXECUTE_SYNC},
            {"IBurst::executeSynchronously", BURST},
            {"allocate", ALLOCATE},
            {"copy", COPY},
    };
    for (const auto& [start, call] : kMethods) {
        if (method.starts_with(start)) return call;
    }
    return NOWHERE;
}

struct Plan {
    std::string_view fault{};
    uint32_t call = NOWHERE;
    int32_t code = 0;
    int skip = 0;  // this many calls of the kind succeed first
};

// State shared by all drivers of a sequence: the planned fault, delayed work, and violations.
class FaultSchedule {
   public:
    static constexpr milliseconds kSlow{9};

    void set(const Plan& plan) {
        const std::lock_guard lock(mMutex);
        mPlan = plan;
        mHasFired = false;
    }
    // True once, for the planned fault.
    bool fire(std::string_view fault, uint32_t calls = ~0u) {
        const std::lock_guard lock(mMutex);
        if (mHasFired || mPlan.fault != fault || (mPlan.call & calls) == 0) return false;
        return mHasFired = true;
    }
    bool skips(uint32_t call) {
        const std::lock_guard lock(mMutex);
        return (mPlan.call & call) != 0 && mPlan.skip-- > 0;
    }
    bool hasFired() const {
        const std::lock_guard lock(mMutex);
        return mHasFired;
    }
    int32_t code() const {
        const std::lock_guard lock(mMutex);
        return mPlan.code;
    }
    // Called when the call has returned; clears its plan.
    void finish() {
        std::unique_lock lock(mMutex);
        ++mReturns;
        mReturned.notify_all();
        // A joined thread may have started others.
        while (!mThreads.empty()) {
            std::thread thread = std::move(mThreads.back());
            mThreads.pop_back();
            lock.unlock();
            thread.join();
            lock.lock();
        }
        lock.unlock();
        set({});
    }
    // Runs the work, and returns once the pending call has returned.
    void waitForReturnAfter(const std::function<void()>& work) {
        std::unique_lock lock(mMutex);
        const int before = mReturns;
        lock.unlock();
        work();
        lock.lock();
        mReturned.wait_for(lock, std::chrono::seconds(5), [&] { return mReturns != before; });
    }

    void start(std::function<void()> work) {
        const std::lock_guard lock(mMutex);
        mThreads.emplace_back(std::move(work));
    }
    // Defers work that must not run in time.
    void keep(std::function<void()> late) {
        const std::lock_guard lock(mMutex);
        mLate.push_back(std::move(late));
    }
    void doLate() {
        std::vector<std::function<void()>> late;
        {
            const std::lock_guard lock(mMutex);
            late.swap(mLate);
        }
        for (const auto& work : late) work();
    }

    void accuse(std::string violation) {
        const std::lock_guard lock(mMutex);
        mViolations += violation + "\n";
    }
    std::string violations() const {
        const std::lock_guard lock(mMutex);
        return mViolations;
    }

   private:
    mutable std::mutex mMutex{};
    std::condition_variable mReturned{};
    Plan mPlan{};
    bool mHasFired = false;
    int mReturns = 0;
    std::vector<std::thread> mThreads{};
    std::vector<std::function<void()>> mLate{};
    std::string mViolations{};
};
using SharedSchedule = std::shared_ptr<FaultSchedule>;

}  // namespace nn::driver_faults
