#include "driver/threads/exclusive_use.h"

#include <condition_variable>
#include <mutex>

namespace nn::driver {

struct ExclusiveUse::Shared {
    std::mutex mutex{};
    std::condition_variable condition{};
    bool isTaken = false;
    int waiting = 0;
};

ExclusiveUse::ExclusiveUse() = default;
ExclusiveUse::~ExclusiveUse() = default;

ExclusiveUse::Turn ExclusiveUse::tryTake() {
    Shared& shared = *mShared.get();
    const std::lock_guard lock(shared.mutex);
    return Turn(std::exchange(shared.isTaken, true) ? nullptr : this);
}

ExclusiveUse::Turn ExclusiveUse::take(const OptionalTimePoint& deadline, Duration ceiling) {
    Shared& shared = *mShared.get();
    std::unique_lock lock(shared.mutex);
    if (shared.isTaken) {
        const TimePoint end = hal::utils::WaitPolicy(deadline, ceiling).end();
        ++shared.waiting;
        while (shared.isTaken) {
            const TimePoint now = Clock::now();
            if (now >= end) break;
            shared.condition.wait_for(lock, std::min<Duration>(end - now, std::chrono::hours(1)));
        }
        --shared.waiting;
        if (shared.isTaken) return Turn(nullptr);
    }
    shared.isTaken = true;
    return Turn(this);
}

void ExclusiveUse::release() {
    Shared& shared = *mShared.get();
    bool isWaitedFor = false;
    {
        const std::lock_guard lock(shared.mutex);
        shared.isTaken = false;
        isWaitedFor = shared.waiting > 0;
    }
    if (isWaitedFor) shared.condition.notify_one();
}

}  // namespace nn::driver
