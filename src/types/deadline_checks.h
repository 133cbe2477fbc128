// Deadline and time limit checks for long computations, made every few steps.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "nnapi/limits.h"
#include "nnapi/result.h"
#include "nnapi/until.h"

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

// Counts the steps of a computation and checks every kStepsBetweenLooks steps whether it must end.
// A step is about the time for visiting one operand.
class DeadlineChecks {
   public:
    static constexpr uint64_t kStepsBetweenLooks = uint64_t{1} << 14;

    // `what` names the computation: "the validation". `until` must outlive this.
    DeadlineChecks(const Until& until, const Limits& limits, std::string_view what)
        : mUntil(&until), mTime(limits), mWhat(what) {}

    // Counts the next steps. If the computation must end before them, returns the reason.
    struct End {
        ErrorStatus code;
        std::string rule;
        std::string message;  // "the deadline passed during the validation"
    };
    std::optional<End> spend(uint64_t steps) { return pass(steps) ? std::nullopt : look(); }

    // The same in two parts: pass() is true if no check is due; otherwise call the second part.
    bool pass(uint64_t steps) {
        const bool isDue = steps >= mStepsLeft;
        mStepsLeft = isDue ? kStepsBetweenLooks : mStepsLeft - steps;
        return !isDue;
    }
    std::optional<End> look() const;

   private:
    const Until* mUntil;
    TimeLimit mTime;
    std::string_view mWhat;
    uint64_t mStepsLeft = 0;  // the first step is preceded by a check
};

}  // namespace nn
