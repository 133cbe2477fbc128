// utils/Condition.h -- Condition, on which threads wait with a Mutex.
//
// New code uses std::condition_variable.
#pragma once

#include <chrono>
#include <condition_variable>

#include "utils/Mutex.h"

namespace android {

class Condition {
   public:
    enum { PRIVATE = 0, SHARED = 1 };
    enum WakeUpType { WAKE_UP_ONE = 0, WAKE_UP_ALL = 1 };

    Condition() = default;
    explicit Condition(int) {}

    status_t wait(Mutex& mutex) {
        mCondition.wait(mutex.mMutex);
        return OK;
    }
    status_t waitRelative(Mutex& mutex, nsecs_t timeout) {
        return mCondition.wait_for(mutex.mMutex, std::chrono::nanoseconds(timeout)) ==
                               std::cv_status::timeout
                       ? TIMED_OUT
                       : OK;
    }
    void signal() { mCondition.notify_one(); }
    void signal(WakeUpType type) { type == WAKE_UP_ONE ? signal() : broadcast(); }
    void broadcast() { mCondition.notify_all(); }

   private:
    std::condition_variable_any mCondition{};
};

}  // namespace android
