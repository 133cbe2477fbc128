// utils/Mutex.h -- Mutex and AutoMutex.
//
//   android::AutoMutex lock(mMutex);
//
// New code uses std::mutex.
#pragma once

#include <chrono>
#include <mutex>

#include "utils/Errors.h"
#include "utils/Timers.h"

namespace android {

class Mutex {
   public:
    enum { PRIVATE = 0, SHARED = 1 };

    Mutex() = default;
    explicit Mutex(const char*) {}
    explicit Mutex(int, const char* = nullptr) {}

    status_t lock() {
        mMutex.lock();
        return OK;
    }
    void unlock() { mMutex.unlock(); }
    status_t tryLock() { return mMutex.try_lock() ? OK : -EBUSY; }
    status_t timedLock(nsecs_t timeoutNs) {
        return mMutex.try_lock_for(std::chrono::nanoseconds(timeoutNs)) ? OK : TIMED_OUT;
    }

    class Autolock {
       public:
        explicit Autolock(Mutex& mutex) : mMutex(mutex) { mMutex.lock(); }
        explicit Autolock(Mutex* mutex) : Autolock(*mutex) {}
        Autolock(const Autolock&) = delete;
        Autolock& operator=(const Autolock&) = delete;
        ~Autolock() { mMutex.unlock(); }

       private:
        Mutex& mMutex;
    };

   private:
    friend class Condition;
    std::timed_mutex mMutex{};
};

using AutoMutex = Mutex::Autolock;

}  // namespace android
