// Cases of the times that executions report, and of deadlines that pass meanwhile.
#include <algorithm>

#include "device_test/cases/cases.h"
#include "device_test/cases/execution_paths.h"
#include "device_test/cases/prepared_case.h"

namespace nn::testing {
namespace {

using namespace std::chrono_literals;

double milliseconds(Duration time) {
    return std::chrono::duration<double, std::milli>(time).count();
}

// An execution, and how long its client waited for it.
struct TimedRun {
    Duration wall{};
    Timing timing{};

    // Of the part of the wait that the driver reports.
    bool isSmallFraction() const {
        constexpr Duration kLong = 10ms;
        constexpr int kFraction = 50;
        return wall >= kLong && timing.timeInDriver && *timing.timeInDriver < wall / kFraction;
    }
};

// Work that grows: so many additions of so many floats.
struct Work {
    size_t additions;
    uint32_t size;
};
constexpr Work kGrowingWork[] = {{1, 16},       {4, 1 << 10},  {16, 1 << 14},
                                 {16, 1 << 17}, {32, 1 << 18}, {128, 1 << 18}};

// A job on a device, by one path.
class TimedJob {
   public:
    TimedJob(const SharedDevice& device, ExecutionPath path, Work work)
        : mDevice(device), mPath(path), mJob{.job = JobCase(chainJob(work.additions, work.size))} {}

    Failure begin() { return mJob.begin(*mDevice); }

    ExecutionResult<Executed> execute(MeasureTiming measure, const OptionalTimePoint& deadline,
                                      Duration& wall) const {
        const TimePoint start = Clock::now();
        auto executed = executeBy(mPath, *mJob.prepared, mJob.arguments->request(),
                                  {.measure = measure, .deadline = deadline, .patience = 60s});
        wall = Clock::now() - start;
        return executed;
    }

    // Executes once more, and checks the times.
    Failure run(TimedRun& run) const {
        const auto executed = execute(MeasureTiming::YES, {}, run.wall);
        if (Failure failure = lackOfFences(*mDevice, executed.status(), mPath)) return failure;
        if (!executed.has_value())
            return failedCall("execute", executed.status(), "execution.result");
        run.timing = executed->second;
        if (!run.timing.timeInDriver && !run.timing.timeOnDevice) {
            return notSupported("times of executions");
        }
        if (Failure failure = checkTiming("execute", MeasureTiming::YES, run.timing)) {
            return failure;
        }
        return checkWithin(run);
    }

   private:
    // Clocks differ a little, and have a resolution.
    static Failure checkWithin(const TimedRun& run) {
        const Duration most = run.wall + run.wall / 20 + 1ms;
        for (const auto& [time, name] : {std::pair(run.timing.timeInDriver, "in the driver"),
                                         std::pair(run.timing.timeOnDevice, "on the device")}) {
            if (!time || *time <= most) continue;
            return failed("execute",
                          fmt::format("took {:.3f} ms {}, but its client waited for {:.3f} ms",
                                      milliseconds(*time), name, milliseconds(run.wall)),
                          "execution.timing, time.within_call");
        }
        return std::nullopt;
    }

    SharedDevice mDevice;
    ExecutionPath mPath;
    PreparedJob mJob;
};

// Executes three times: the shortest run.
Failure runShortest(const TimedJob& job, TimedRun& shortest) {
    for (int i = 0; i < 3; ++i) {
        TimedRun run;
        if (Failure failure = job.run(run)) return failure;
        if (i == 0 || run.wall < shortest.wall) shortest = run;
    }
    return std::nullopt;
}

// Rules time.within_call and time.grows. On a busy machine a client may wait much longer than its
// driver takes: only what stays so in all of many runs is wrong.
Failure measuresGrowingWork(const SharedDevice& device, ExecutionPath path) {
    constexpr Duration kEnough = 20ms;
    constexpr int kRuns = 10;
    for (const Work& work : kGrowingWork) {
        TimedJob job(device, path, work);
        if (Failure failure = job.begin()) return failure;
        TimedRun run;
        if (Failure failure = runShortest(job, run)) return failure;
        for (int i = 0; i < kRuns && run.isSmallFraction(); ++i) {
            if (Failure failure = job.run(run)) return failure;
        }
        if (run.isSmallFraction()) {
            return failed(
                    "execute",
                    fmt::format("took {:.6f} ms in the driver, but its client waited for "
                                "{:.3f} ms; in the wrong unit?",
                                milliseconds(*run.timing.timeInDriver), milliseconds(run.wall)),
                    "time.grows");
        }
        if (run.wall >= kEnough) break;
    }
    return std::nullopt;
}

// Executes with a deadline of a quarter of the usual time. `late` is how long after that it ended
// with NONE; empty where it failed, or ended soon.
Failure runBeyondDeadline(const TimedJob& job, Duration usual, OptionalDuration& late) {
    const TimePoint deadline = Clock::now() + usual / 4;
    Duration wall{};
    const auto executed = job.execute(MeasureTiming::NO, deadline, wall);
    late.reset();
    if (!executed.has_value())
        return mustFail("execute", executed.status(), {kMissed}, "deadline.execution");
    const Duration behind = Clock::now() - deadline;
    if (behind >= usual / 2) late = behind;
    return std::nullopt;
}

// Rule time.ignored_deadline: a deadline that passes during a long execution, three times: on a
// busy machine the end of an execution that keeps its deadline may be seen late.
DeviceOutcome missesDeadline(const SharedDevice& device, ExecutionPath path) {
    constexpr Duration kLong = 40ms;
    constexpr int kRuns = 3;
    for (const Work& work : kGrowingWork) {
        TimedJob job(device, path, work);
        if (Failure failure = job.begin()) return *failure;
        Duration usual = Duration::max();
        for (int i = 0; i < kRuns; ++i) {
            Duration wall{};
            const auto executed = job.execute(MeasureTiming::NO, {}, wall);
            if (Failure failure = lackOfFences(*device, executed.status(), path)) return *failure;
            if (!executed.has_value())
                return failedCall("execute", executed.status(), "execution.result");
            usual = std::min(usual, wall);
        }
        if (usual < kLong) continue;
        OptionalDuration late = usual;
        for (int i = 0; i < kRuns && late; ++i) {
            if (Failure failure = runBeyondDeadline(job, usual, late)) return *failure;
        }
        if (!late) return passed();
        return passedWith(
                fmt::format("execute: ends with NONE {:.0f} ms after its deadline, which "
                            "it ignores; the HAL permits that [time.ignored_deadline]",
                            milliseconds(*late)));
    }
    return passed();
}

}  // namespace

void addTiming(Cases& cases, const DeviceTestOptions&) {
    for (const ExecutionPath path : kExecutionPaths) {
        cases.push_back(
                deviceCase(fmt::format("time/growing/{}", nameOf(path)),
                           [path](const SharedDevice& d) { return measuresGrowingWork(d, path); }));
        cases.push_back(
                deviceCase(fmt::format("time/deadline/{}", nameOf(path)),
                           [path](const SharedDevice& d) { return missesDeadline(d, path); }));
    }
}

}  // namespace nn::testing
