// A mutex that still works in a forked process.
#pragma once

#include <atomic>
#include <cstdint>
#include <mutex>
#include <system_error>

#include "types/process_generation.h"

namespace nn {

// As std::mutex. In a process that was forked while a thread held it, that thread is not there:
// what it guards may be half changed, and nobody unlocks it. Locking it there throws
// std::system_error (owner_dead) in place of waiting for ever; one that nobody held goes on as in
// the parent.
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

    // For conditions, by whom it is locked.
    std::mutex& inner() { return mMutex; }

   private:
    static constexpr uint64_t kLost = UINT64_MAX, kNobody = UINT64_MAX;

    void enter() {
        if (mProcess.load(std::memory_order_acquire) != processGeneration()) [[unlikely]]
            look();
    }

    // The first time in this process, by one thread after the other: nobody locks it before.
    void look() {
        const uint64_t now = processGeneration();
        while (true) {
            const uint64_t known = mProcess.load(std::memory_order_acquire);
            if (known == now) return;
            if (known == kLost) {
                throw std::system_error(std::make_error_code(std::errc::owner_dead),
                                        "a thread of the parent process has locked it");
            }
            // One that looked when its process was forked is not there either.
            uint64_t looking = mLooking.load();
            if (looking == now || !mLooking.compare_exchange_strong(looking, now)) continue;
            if (mProcess.load() != now) {
                const bool isFree = mMutex.try_lock();
                if (isFree) mMutex.unlock();
                mProcess.store(isFree ? now : kLost, std::memory_order_release);
            }
            mLooking.store(kNobody);
        }
    }

    std::mutex mMutex{};
    std::atomic<uint64_t> mProcess{processGeneration()};
    std::atomic<uint64_t> mLooking{kNobody};
};

}  // namespace nn
