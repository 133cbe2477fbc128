#include "driver/common/turns.h"

namespace nn::driver {

Turns::Turn Turns::tryTake() {
    const std::lock_guard lock(mMutex);
    return Turn(std::exchange(mIsTaken, true) ? nullptr : this);
}

Turns::Turn Turns::take(const OptionalTimePoint& deadline, Duration ceiling) {
    std::unique_lock lock(mMutex);
    if (mIsTaken) {
        const TimePoint end = hal::utils::Patience(deadline, ceiling).end();
        ++mWaiting;
        while (mIsTaken) {
            const TimePoint now = Clock::now();
            if (now >= end) break;
            mCondition.wait_for(lock, std::min<Duration>(end - now, std::chrono::hours(1)));
        }
        --mWaiting;
        if (mIsTaken) return Turn(nullptr);
    }
    mIsTaken = true;
    return Turn(this);
}

void Turns::release() {
    bool isWaitedFor = false;
    {
        const std::lock_guard lock(mMutex);
        mIsTaken = false;
        isWaitedFor = mWaiting > 0;
    }
    if (isWaitedFor) mCondition.notify_one();
}

}  // namespace nn::driver
