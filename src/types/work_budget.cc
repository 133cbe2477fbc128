#include "types/work_budget.h"

#include <fmt/format.h>

#include "base/limits.h"
#include "nnapi/checked_math.h"

namespace nn {

TimeLimit::TimeLimit(const Limits& limits)
    : mMax(Duration(checkedMul<int64_t>(checkedCast<int64_t>(limits.time), 1'000'000)
                            .value_or(Duration::max().count()))) {}

std::string TimeLimit::message(std::string_view what) const {
    return fmt::format("{} takes more than the {} ms allowed", what,
                       std::chrono::duration_cast<std::chrono::milliseconds>(mMax).count());
}

std::optional<WorkBudget::End> WorkBudget::poll() const {
    if (mUntil->isCancelled && mUntil->isCancelled()) {
        return End{ErrorStatus::GENERAL_FAILURE, "until.stop",
                   fmt::format("{} was stopped", mWhat)};
    }
    if (mUntil->deadline && Clock::now() >= *mUntil->deadline) {
        return End{ErrorStatus::MISSED_DEADLINE_PERSISTENT, "until.deadline",
                   fmt::format("the deadline passed during {}", mWhat)};
    }
    if (mTime.isUsedUp()) {
        return End{kLimitExceeded, ruleOf(&Limits::time), mTime.message(mWhat)};
    }
    return std::nullopt;
}

}  // namespace nn
