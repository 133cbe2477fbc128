#include "driver/common/fences.h"

#include <algorithm>

namespace nn::driver {

Status waitForAll(std::span<const SyncFence> fences, const OptionalTimePoint& deadline) {
    for (size_t i = 0; i < fences.size(); ++i) {
        const OptionalDuration left =
                deadline ? OptionalDuration(*deadline - Clock::now()) : std::nullopt;
        switch (fences[i].syncWait(left)) {
            case SyncFence::FenceState::SIGNALED:
                break;
            case SyncFence::FenceState::ACTIVE:
                return error(ErrorStatus::MISSED_DEADLINE_TRANSIENT)
                       << "fence " << i << " is not signalled before the deadline";
            case SyncFence::FenceState::ERROR:
            case SyncFence::FenceState::UNKNOWN:
                return error() << "fence " << i << " has failed";
        }
    }
    return {};
}

OptionalTimePoint earlier(const OptionalTimePoint& a, const OptionalTimePoint& b) {
    if (!a || !b) return a ? a : b;
    return std::min(*a, *b);
}

OptionalTimePoint after(TimePoint moment, const OptionalDuration& duration) {
    if (!duration) return std::nullopt;
    return moment + std::min(*duration, TimePoint::max() - moment);
}

}  // namespace nn::driver
