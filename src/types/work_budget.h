// Deadline and time limit checks for long computations, made every few steps.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "nnapi/limits.h"
#include "nnapi/result.h"
#include "nnapi/stop_condition.h"

namespace nn {

// Limits::time, counted from construction.
class TimeLimit {
   public:
    explicit TimeLimit(const Limits& limits);
    bool isUsedUp() const { return Clock::now() - mStart > mMax; }
    // "the execution takes more than the 5 ms allowed"
    std::string message(std::string_view what) const;

   private:
    TimePoint mStart = Clock::now();
    Duration mMax;
};

// Counts the steps of a computation and checks every kStepsBetweenPolls steps whether it must end.
// A step is about the time for visiting one operand.
class WorkBudget {
   public:
    static constexpr uint64_t kStepsBetweenPolls = uint64_t{1} << 14;

    // `what` names the computation: "the validation". `until` must outlive this.
    WorkBudget(const StopCondition& until, const Limits& limits, std::string_view what)
        : mUntil(&until), mTime(limits), mWhat(what) {}

    // Counts the next steps. If the computation must end before them, returns the reason.
    struct End {
        ErrorStatus code;
        std::string rule;
        std::string message;  // "the deadline passed during the validation"
    };
    std::optional<End> spend(uint64_t steps) { return consume(steps) ? std::nullopt : poll(); }

    // The same in two parts: consume() is true if no check is due; otherwise call the second part.
    bool consume(uint64_t steps) {
        const bool isDue = steps >= mStepsLeft;
        mStepsLeft = isDue ? kStepsBetweenPolls : mStepsLeft - steps;
        return !isDue;
    }
    std::optional<End> poll() const;

   private:
    const StopCondition* mUntil;
    TimeLimit mTime;
    std::string_view mWhat;
    uint64_t mStepsLeft = 0;  // the first step is preceded by a check
};

}  // namespace nn
