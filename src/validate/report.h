// Collects the reports of validators: places, needed versions, errors and warnings.
#pragma once

#include <fmt/core.h>

#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/float_environment.h"
#include "base/plurals.h"
#include "nnapi/limits.h"
#include "nnapi/result.h"
#include "nnapi/validate.h"
#include "types/work_budget.h"

namespace nn {

// Where in an object a validator is: a chain on the stack, composed to text only when needed.
//   const Place operation{&graph, "operations", 4, "SOFTMAX"};   // main.operations[4] SOFTMAX
struct Place {
    const Place* parent = nullptr;
    std::string_view field{};
    int64_t index = -1;
    std::string_view operation{};

    std::string path() const;

   private:
    void appendTo(std::string& text) const;
};

inline Place placeOfReferenced(size_t i) {
    return {nullptr, "referenced", static_cast<int64_t>(i)};
}

// "TENSOR_FLOAT16 needs HAL 1.2, target is HAL 1.0"
std::string versionTooOld(std::string_view what, Version needed, Version target);

// A requirement whose names are strings with static storage.
struct Step {
    Version version{};
    std::string path{};
    std::string_view operation{};
    std::string_view what{};
};

// Collects the findings of validators. Allocates nothing for legal objects.
class Report {
   public:
    struct Options {
        std::optional<Version> target{};
        bool collectAll = false;
        size_t maxDiagnostics = 1000;
        Limits limits{};
        WorkBudget* watched = nullptr;  // null: never stops early

        // Receives each need that no earlier one covers; null if not wanted.
        std::vector<Step>* steps = nullptr;
    };

    Report() = default;
    explicit Report(const Options& options);

    // The object needs that version because of `what` ("TENSOR_FLOAT16"), which must have static
    // storage if steps are recorded.
    void requireVersion(const Place& place, Version version, std::string_view what) {
        if (version == kVersionFeatureLevel1) return;
        if (version == mFindings.version && !mOptions.collectAll) {  // and the target allows it
            mPart = combineVersions(mPart, version);
        } else {
            raise(place, version, what);
        }
    }

    // The object is illegal. `since`: it is legal from that version on.
    void fail(const Place& place, std::string_view rule, std::string message,
              std::optional<Version> since = std::nullopt);

    // Announces a part of the work by the number of operands it visits. Once the caller or a limit
    // has ended the work, done() is true.
    void spend(const Place& place, uint64_t steps) {
        if (mOptions.watched == nullptr || mOptions.watched->consume(steps)) [[likely]]
            return;
        look(place);
    }

    // Fails and stops the work if the limit is exceeded; returns whether it is respected.
    bool within(Limit limit, uint64_t found, const Place& place) {
        if (found <= mOptions.limits.*limit) [[likely]]
            return true;
        exceed(limit, found, place);
        return false;
    }

    // The object is legal, but peers may reject it, or preparing or executing it will fail.
    void warn(const Place& place, std::string_view rule, std::string message);

    // Fails with a formatted message unless the condition holds; returns the condition. Arguments
    // are formatted only on failure.
    template <class... Args>
    bool require(bool condition, const Place& place, std::string_view rule,
                 fmt::format_string<const Args&...> format, const Args&... args) {
        if (condition) [[likely]]
            return true;
        failWith(place, rule, format, args...);
        return false;
    }

    // True once the result is final: there is an error and one is enough. Also true if a limit is
    // exceeded, since the rest of the work would be unbounded.
    bool done() const { return mIsDone; }

    bool ok() const { return mFindings.errors.empty(); }

    // No error but that the target is too old.
    bool isLegal() const { return mBroken == 0; }

    // The number of broken rules; being too new for the target does not count.
    size_t broken() const { return mBroken; }

    // The version needed since the last call.
    Version takePart() { return std::exchange(mPart, Version{}); }

    const Limits& limits() const { return mOptions.limits; }
    Version version() const { return mFindings.version; }

    // The needed version, or the first error with that code; with another code if the first error
    // is that the work was ended.
    Result<Version> result(ErrorStatus code = ErrorStatus::INVALID_ARGUMENT) const;

    Findings takeFindings() && { return std::move(mFindings); }

    // Out of line, to keep the accepting path short. In hot code whose arguments are built for the
    // message only, test the condition first and call this.
    template <class... Args>
    [[gnu::cold, gnu::noinline]] void failWith(const Place& place, std::string_view rule,
                                               fmt::format_string<const Args&...> format,
                                               const Args&... args) {
        fail(place, rule, keeps() ? fmt::format(format, args...) : std::string());
    }

   private:
    // False if a further error would only be counted: a malicious model may have a million.
    bool keeps() const { return !done() && mFindings.errors.size() < mOptions.maxDiagnostics; }

    void raise(const Place& place, Version version, std::string_view what);
    void exceed(Limit limit, uint64_t found, const Place& place);
    void look(const Place& place);
    void endWork(const Place& place, WorkBudget::End end);

    // Hostile numbers must not trap, and an object is as legal where subnormal numbers count as 0.
    DefaultFloatEnvironment mEnvironment{};
    Options mOptions{};
    Findings mFindings;
    Version mPart{};
    size_t mBroken = 0;
    bool mIsDone = false;
    std::optional<ErrorStatus> mEndCode{};  // if the end is the first error
};

}  // namespace nn
