#include <algorithm>

#include "nnapi/driver/callbacks.h"

namespace nn::hal::utils {

WaitPolicy::WaitPolicy(const OptionalTimePoint& deadline, Duration ceiling)
    : mHasDeadline(deadline && *deadline != TimePoint::max()),
      mCeiling(std::max(ceiling, Duration::zero())) {
    if (mHasDeadline) {
        mEnd = *deadline;
    } else {
        const TimePoint now = Clock::now();
        mEnd = now + std::min(mCeiling, TimePoint::max() - now);
    }
}

Status WaitPolicy::exceeded(std::string_view what) const {
    if (mHasDeadline) {
        return error(ErrorStatus::MISSED_DEADLINE_TRANSIENT)
               << what << ": no result before the deadline";
    }
    return error() << what << ": no result for "
                   << std::chrono::duration_cast<std::chrono::milliseconds>(mCeiling).count()
                   << " ms, the most to wait without a deadline";
}

}  // namespace nn::hal::utils
