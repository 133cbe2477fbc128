// Collects what validators report: places, needed versions, errors and warnings.
#pragma once

#include <fmt/core.h>

#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "nnapi/limits.h"
#include "nnapi/result.h"
#include "nnapi/validate.h"
#include "types/deadline_checks.h"
#include "types/plurals.h"

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
std::string tooNew(std::string_view what, Version needed, Version target);

// A cause of which the names are those of tables.
struct Step {
    Version version{};
    std::string path{};
    std::string_view operation{};
    std::string_view what{};
};

// Collects what validators find. On the accepting path nothing is allocated.
class Report {
   public:
    struct Options {
        std::optional<Version> target{};
        bool collectAll = false;
        size_t mostDiagnostics = 1000;
        Limits limits{};
        DeadlineChecks* watched = nullptr;  // null: goes on to the end

        // Where each need goes that no earlier one covers; null if not wanted.
        std::vector<Step>* steps = nullptr;
    };

    explicit Report(Options options);

    // The object needs that version because of `what` ("TENSOR_FLOAT16"), which lasts as long as
    // the program where the steps are wanted.
    void needs(const Place& place, Version version, std::string_view what) {
        if (version == kVersionFeatureLevel1) return;
        if (version == mFindings.version && !mOptions.collectAll) {  // and the target allows it
            mPart = combineVersions(mPart, version);
        } else {
            raise(place, version, what);
        }
    }

    // The object is refused. `since`: it would pass from that version on.
    void fail(const Place& place, std::string_view rule, std::string message,
              std::optional<Version> since = std::nullopt);

    // Says before a part of the work about how many operands it looks at. Once the caller or a
    // limit has ended the work, all is done().
    void spend(const Place& place, uint64_t steps) {
        if (mOptions.watched == nullptr || mOptions.watched->pass(steps)) [[likely]]
            return;
        look(place);
    }

    // Refuses more than the limits allow, and ends the work; answers whether it is allowed.
    bool within(Limit limit, uint64_t found, const Place& place) {
        if (found <= mOptions.limits.*limit) [[likely]]
            return true;
        exceed(limit, found, place);
        return false;
    }

    // The object is legal, but peers may refuse it, or preparing or executing it will fail.
    void warn(const Place& place, std::string_view rule, std::string message);

    // Fails with a formatted message unless the condition holds; answers with the condition. The
    // arguments are formatted only on failure.
    template <class... Args>
    bool require(bool condition, const Place& place, std::string_view rule,
                 fmt::format_string<const Args&...> format, const Args&... args) {
        if (condition) [[likely]]
            return true;
        failWith(place, rule, format, args...);
        return false;
    }

    // True as soon as nothing more can change the answer: an error is known and one is enough. Also
    // where a limit is exceeded, since without it the rest may take any time.
    bool done() const { return mIsDone; }

    bool ok() const { return mFindings.errors.empty(); }

    // No error but that the target is too old.
    bool isLegal() const { return mBroken == 0; }

    // How many rules are broken so far; to be too new for the target breaks none.
    size_t broken() const { return mBroken; }

    // What was needed since the last time that this was asked.
    Version takePart() { return std::exchange(mPart, Version{}); }

    bool collectsAll() const { return mOptions.collectAll; }
    const Limits& limits() const { return mOptions.limits; }
    Version version() const { return mFindings.version; }

    // The needed version, or the first error with that code; with another where the first error is
    // that the work was ended.
    Result<Version> result(ErrorStatus code = ErrorStatus::INVALID_ARGUMENT) const;

    Findings takeFindings() && { return std::move(mFindings); }

    // Out of line, so that what accepts stays short. Where much is accepted and the arguments are
    // made for the message, ask for the condition first and call this.
    template <class... Args>
    [[gnu::cold, gnu::noinline]] void failWith(const Place& place, std::string_view rule,
                                               fmt::format_string<const Args&...> format,
                                               const Args&... args) {
        fail(place, rule, fmt::format(format, args...));
    }

   private:
    void raise(const Place& place, Version version, std::string_view what);
    void exceed(Limit limit, uint64_t found, const Place& place);
    void look(const Place& place);
    void endWork(const Place& place, DeadlineChecks::End end);

    Options mOptions;
    Findings mFindings;
    Version mPart{};
    size_t mBroken = 0;
    bool mIsDone = false;
    std::optional<ErrorStatus> mEndCode{};  // where the end is the first error
};

}  // namespace nn
