// A mutex that still works in a forked process.
#pragma once

#include <atomic>
#include <cstdint>
#include <mutex>
#include <system_error>

#include "base/process_generation.h"

namespace nn {

// Like std::mutex. If a thread held the mutex during fork(), the child would wait for that missing
// thread, and the guarded data may be half changed: there, locking throws std::system_error
// (owner_dead). A mutex that was free works in the child as in the parent.
class ProcessMutex {
   public:
    ProcessMutex() = default;
    ProcessMutex(const ProcessMutex&) = delete;
    ProcessMutex& operator=(const ProcessMutex&) = delete;

    void lock() {
        enter();
        mMutex.lock();
    }
    void unlock() { mMutex.unlock(); }

    // For condition variables; call it with the mutex locked.
    std::mutex& inner() { return mMutex; }

   private:
    static constexpr uint64_t kLost = UINT64_MAX, kNone = UINT64_MAX;

    void enter() {
        if (mProcess.load(std::memory_order_acquire) != processGeneration()) [[unlikely]]
            enterFirst();
    }

    // Runs once per process, before the mutex is first locked there; threads take turns.
    void enterFirst() {
        const uint64_t now = processGeneration();
        while (true) {
            const uint64_t known = mProcess.load(std::memory_order_acquire);
            if (known == now) return;
            if (known == kLost) {
                throw std::system_error(std::make_error_code(std::errc::owner_dead),
                                        "a thread of the parent process has locked it");
            }
            // A thread that was in here during fork() does not exist in the child.
            uint64_t entering = mEntering.load();
            if (entering == now || !mEntering.compare_exchange_strong(entering, now)) continue;
            if (mProcess.load() != now) {
                const bool isFree = mMutex.try_lock();
                if (isFree) mMutex.unlock();
                mProcess.store(isFree ? now : kLost, std::memory_order_release);
            }
            mEntering.store(kNone);
        }
    }

    std::mutex mMutex{};
    std::atomic<uint64_t> mProcess{processGeneration()};
    std::atomic<uint64_t> mEntering{kNone};
};

}  // namespace nn
