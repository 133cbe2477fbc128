// Cases of deadlines, priorities, preferences and loop timeouts.
#include "device_test/cases/cases.h"
#include "device_test/cases/execution_paths.h"
#include "device_test/cases/prepared_case.h"

namespace nn::testing {
namespace {

using enum ErrorStatus;
using namespace std::chrono_literals;

struct DeadlineRow {
    const char* name;
    TimePoint (*when)();
    bool mustSucceed;
    bool isPast = false;  // at entry, and must be missed
};

constexpr DeadlineRow kDeadlines[] = {
        {"past", [] { return TimePoint{}; }, false, /*isPast=*/true},
        {"now", [] { return Clock::now(); }, false},
        {"soon", [] { return Clock::now() + 5ms; }, false},
        {"ample", [] { return Clock::now() + 1h; }, true},
        {"max", [] { return TimePoint::max(); }, true},
};

// Must succeed or, if the deadline may be missed, fail with one of its codes.
Failure checkDeadline(const std::string& place, const Status& status, const DeadlineRow& row,
                      const char* rules) {
    // A wrapper that stops waiting for the driver's result may return TRANSIENT first.
    if (row.isPast) return mustFail(place, status, {kMissed}, "deadline.past");
    if (status.ok()) return std::nullopt;
    if (row.mustSucceed) return failedCall(place, status, rules);
    return mustFail(place, status, {kMissed}, rules);
}

Failure prepares(const SharedDevice& device, const DeadlineRow& row) {
    const JobCase job(sumJob());
    if (Failure failure = checkSupports(*device, job.model())) return failure;
    const auto prepared = device->prepareModel(job.model(), ExecutionPreference::DEFAULT,
                                               Priority::DEFAULT, row.when(), {}, {}, {}, {}, {});
    if (Failure failure =
                checkDeadline("prepareModel", prepared.status(), row, "deadline.preparation")) {
        return failure;
    }
    if (!prepared.has_value()) return std::nullopt;
    if (*prepared == nullptr)
        return failed("prepareModel", "null and no error", "deadline.preparation");
    return checkComputes("execute", **prepared, job);
}

Failure executes(const SharedDevice& device, const DeadlineRow& row, ExecutionPath path) {
    PreparedJob chain{.job = JobCase(chainJob(20, 64))};
    if (Failure failure = chain.begin(*device)) return failure;
    const auto executed = executeBy(path, *chain.prepared, chain.arguments->request(),
                                    {.measure = MeasureTiming::YES, .deadline = row.when()});
    if (Failure failure = lackOfFences(*device, executed.status(), path)) return failure;
    if (Failure failure = checkDeadline("execute", executed.status(), row, "deadline.execution")) {
        return failure;
    }
    if (!executed.has_value()) return checkFailed("execute", executed);
    return checkExecuted("execute", executed, MeasureTiming::YES, chain.job.wanted(),
                         *chain.arguments);
}

// Rules reusable.computations and deadline.past: each computation of an execution has a deadline of
// its own.
Failure computesAgain(const SharedDevice& device) {
    PreparedJob sum;
    if (Failure failure = sum.begin(*device)) return failure;
    // Each kind of deadline is the first of an execution once.
    for (const bool isFirstPast : {true, false}) {
        SharedExecution execution;
        if (Failure failure =
                    createExecution(*sum.prepared, sum.arguments->request(), &execution)) {
            return failure;
        }
        for (int i = 0; i < 4; ++i) {
            const bool isPast = (i % 2 == 0) == isFirstPast;
            sum.arguments->clearOutputs();
            const auto computed =
                    execution->compute(isPast ? TimePoint{} : TimePoint(Clock::now() + 1h));
            if (isPast) {
                if (Failure failure =
                            mustFail("compute with a deadline that is past", computed.status(),
                                     {kMissed}, "reusable.computations, deadline.past")) {
                    return failure;
                }
            } else if (Failure failure =
                               checkExecuted("compute with an ample deadline", computed,
                                             MeasureTiming::NO, sum.job.wanted(), *sum.arguments)) {
                return failure;
            }
        }
    }
    return std::nullopt;
}

Failure preparesWith(const SharedDevice& device, ExecutionPreference preference,
                     Priority priority) {
    const JobCase job(sumJob());
    if (Failure failure = checkSupports(*device, job.model())) return failure;
    const auto prepared =
            device->prepareModel(job.model(), preference, priority, {}, {}, {}, {}, {}, {});
    if (!prepared.has_value())
        return failedCall("prepareModel", prepared.status(), "deadline.preparation");
    if (*prepared == nullptr)
        return failed("prepareModel", "null and no error", "deadline.preparation");
    return checkComputes("execute", **prepared, job);
}

// What aborts an endless loop.
struct LoopRow {
    const char* name;
    OptionalDuration loopTimeout;
    OptionalDuration deadline;
    Duration least;  // the execution must not end earlier
    Duration most;   // or later, by far: also on a busy machine
};

constexpr LoopRow kLoops[] = {
        {"loop_timeout", 1ms, {}, 0ms, 10s},
        {"loop_default", {}, {}, 1900ms, 10s},  // the default is 2 s
        {"loop_deadline", kLoopTimeoutMaximum, 50ms, 0ms, Duration::max()},
};

DeviceOutcome loops(const SharedDevice& device, const LoopRow& row, ExecutionPath path) {
    PreparedJob loop{.job = JobCase(endlessJob())};
    if (Failure failure = loop.begin(*device)) return *failure;
    const TimePoint start = Clock::now();
    PathOptions options{.loopTimeout = row.loopTimeout, .patience = 20s};
    if (row.deadline) options.deadline = start + *row.deadline;
    const auto executed = executeBy(path, *loop.prepared, loop.arguments->request(), options);
    const Duration took = Clock::now() - start;
    // HIDL bursts carry neither loop timeouts nor the codes of HAL 1.3 (rules hidl.statuses and
    // burst.uncarried_arguments).
    const bool isHidlBurst = path == ExecutionPath::BURST &&
                             device->getFeatureLevel().level < Version::Level::FEATURE_LEVEL_5;
    const Codes allowed = isHidlBurst ? Codes{kMissedOrFailed} : Codes{kMissed};
    if (Failure failure = mustFail("execute", executed.status(), allowed,
                                   "execution.loop_timeout, deadline.endless_loop")) {
        return *failure;
    }
    if (took < row.least) {
        return failed(
                "execute",
                fmt::format("ended after {} ms, allowed after 2 s where no time is given",
                            std::chrono::duration_cast<std::chrono::milliseconds>(took).count()),
                "execution.loop_timeout");
    }
    if (took > row.most) {
        return failed("execute",
                      fmt::format("ends an endless loop after {} s, allowed {} ms of the loop",
                                  std::chrono::duration_cast<std::chrono::seconds>(took).count(),
                                  std::chrono::duration_cast<std::chrono::milliseconds>(
                                          row.loopTimeout.value_or(kLoopTimeoutDefault))
                                          .count()),
                      "execution.loop_timeout");
    }
    if (Failure failure = checkFailed("execute", executed)) return *failure;
    constexpr Duration kMuchLater = 1s;
    if (!row.deadline || took < *row.deadline + kMuchLater) return passed();
    return passedWith(fmt::format(
            "execute: ends {} s after its deadline, which it ignores; the HAL "
            "permits that [time.ignored_deadline]",
            std::chrono::duration_cast<std::chrono::seconds>(took - *row.deadline).count()));
}

}  // namespace

void addDeadlines(Cases& cases, const DeviceTestOptions&) {
    for (const DeadlineRow& row : kDeadlines) {
        cases.push_back(
                deviceCase(fmt::format("deadlines/prepare/{}", row.name),
                           [row](const SharedDevice& device) { return prepares(device, row); }));
        for (const ExecutionPath path : kExecutionPaths) {
            cases.push_back(deviceCase(fmt::format("deadlines/{}/{}", row.name, nameOf(path)),
                                       [row, path](const SharedDevice& device) {
                                           return executes(device, row, path);
                                       }));
        }
    }
    cases.push_back(deviceCase("deadlines/each_compute", computesAgain));
    for (const Priority priority : {Priority::LOW, Priority::MEDIUM, Priority::HIGH}) {
        cases.push_back(deviceCase(
                "deadlines/priority/" + nn::toString(priority), [=](const SharedDevice& device) {
                    return preparesWith(device, ExecutionPreference::DEFAULT, priority);
                }));
    }
    for (const ExecutionPreference preference :
         {ExecutionPreference::LOW_POWER, ExecutionPreference::FAST_SINGLE_ANSWER,
          ExecutionPreference::SUSTAINED_SPEED}) {
        cases.push_back(deviceCase("deadlines/preference/" + nn::toString(preference),
                                   [=](const SharedDevice& device) {
                                       return preparesWith(device, preference, Priority::DEFAULT);
                                   }));
    }
    for (const LoopRow& row : kLoops) {
        for (const ExecutionPath path : kExecutionPaths) {
            if (row.least > 0ms && path != ExecutionPath::SYNC) continue;  // slow
            cases.push_back(deviceCase(
                    fmt::format("deadlines/{}/{}", row.name, nameOf(path)),
                    [row, path](const SharedDevice& device) { return loops(device, row, path); }));
        }
    }
}

}  // namespace nn::testing
