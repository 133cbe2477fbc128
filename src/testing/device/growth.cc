// Nothing grows with the number of executions: neither descriptors nor threads, mappings or heap of
// this process. Of a driver in another process, only what it leaves here is seen.
#include <malloc.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <thread>

#include "testing/device/cache_fixture.h"
#include "testing/device/device_memory.h"
#include "testing/device/execution_paths.h"

namespace nn::testing {
namespace {

// What is counted, and how much of it an execution may lose: nothing, but what is counted moves a
// little by itself.
struct Plural {
    const char* name;
    uint64_t (*now)();
    uint64_t leastOfRound;  // for each hundred executions
    size_t rounds;          // that grow, one after the other: so many are not by chance
    uint64_t leastOfAll;    // more at the end than at the half
};

uint64_t entriesOf(const char* folder) {
    std::error_code ignored;
    uint64_t count = 0;
    for (auto entry = std::filesystem::directory_iterator(folder, ignored);
         entry != std::filesystem::directory_iterator(); entry.increment(ignored)) {
        ++count;
    }
    return count;
}

uint64_t mappings() {
    std::ifstream file("/proc/self/maps");
    uint64_t lines = 0;
    for (std::array<char, 4096> bytes{};
         file.read(bytes.data(), bytes.size()), file.gcount() > 0;) {
        lines +=
                static_cast<uint64_t>(std::count(bytes.data(), bytes.data() + file.gcount(), '\n'));
    }
    return lines;
}

// Nothing where another allocator is at work, as under sanitizers, which find leaks by themselves.
uint64_t heapBytes() {
#if defined(__GLIBC__) && (__GLIBC__ > 2 || __GLIBC_MINOR__ >= 33)
    const struct mallinfo2 info = mallinfo2();
    return info.uordblks + info.hblkhd;
#else
    return 0;
#endif
}

constexpr Plural kCounted[] = {
        {"descriptors", [] { return entriesOf("/proc/self/fd"); }, 1, 6, 8},
        {"threads", [] { return entriesOf("/proc/self/task"); }, 1, 6, 8},
        {"mappings", mappings, 1, 6, 64},
        // Each thread keeps some of what it has freed.
        {"bytes of memory", heapBytes, 800, 16, 1 << 20},
};

class Growth {
   public:
    // To look at so many executions.
    explicit Growth(size_t executions) : mExpected(executions) {}

    // Looks at what there is, after so many further executions.
    Failure look(size_t executions) {
        mExecutions += executions;
        for (size_t i = 0; i < mWatched.size(); ++i) {
            const Plural& counted = kCounted[i];
            DeadlineChecks& watched = mWatched[i];
            const uint64_t now = counted.now();
            if (mExecutions >= mExpected / 2 && mExecutions - executions < mExpected / 2) {
                watched.atHalf = now;
            }
            if (mIsFirst) {
                watched = {.atHalf = now, .last = now, .beforeRounds = now};
                continue;
            }
            const uint64_t least = std::max<uint64_t>(counted.leastOfRound * executions / 100, 1);
            if (now < watched.last + least) {
                watched.beforeRounds = now;
                watched.rounds = 0;
            } else {
                ++watched.rounds;
            }
            watched.last = now;
            if (watched.rounds < counted.rounds) continue;
            // Other threads may not have come to release what they will release.
            std::this_thread::sleep_for(std::chrono::milliseconds(50));
            const uint64_t settled = counted.now();
            if (settled >= watched.beforeRounds + least * counted.rounds) {
                return told(counted, settled - watched.beforeRounds, counted.rounds * executions);
            }
            watched.rounds = 0;
            watched.beforeRounds = watched.last = settled;
        }
        mIsFirst = false;
        return std::nullopt;
    }

    // What has grown slowly, and did not end: in the second half.
    Failure finish() const {
        for (size_t i = 0; i < mWatched.size(); ++i) {
            const DeadlineChecks& watched = mWatched[i];
            const uint64_t allowed = kCounted[i].leastOfAll + mExecutions / 200;
            if (watched.last > watched.atHalf + allowed) {
                return told(kCounted[i], watched.last - watched.atHalf, mExecutions / 2);
            }
        }
        return std::nullopt;
    }

   private:
    struct DeadlineChecks {
        uint64_t atHalf = 0;
        uint64_t last = 0;
        uint64_t beforeRounds = 0;
        size_t rounds = 0;  // in which it grew, one after the other
    };

    static DeviceOutcome told(const Plural& counted, uint64_t more, size_t executions) {
        return failed("the process",
                      fmt::format("{} more {} after {} executions, allowed none", more,
                                  counted.name, executions),
                      "252");
    }

    std::array<DeadlineChecks, std::size(kCounted)> mWatched{};
    size_t mExpected;
    size_t mExecutions = 0;
    bool mIsFirst = true;
};

// Does something many times. The first times do not count: threads start, and tables grow to their
// sizes.
DeviceOutcome repeat(size_t executions, const std::function<Failure()>& once) {
    const size_t round = std::max<size_t>(std::min<size_t>(executions / 20, 50), 1);
    for (size_t i = 0; i < std::min<size_t>(executions / 10, 100); ++i) {
        if (Failure failure = once()) return *failure;
    }
    Growth growth(executions);
    (void)growth.look(0);
    for (size_t done = 0; done < executions; done += round) {
        for (size_t i = 0; i < round; ++i) {
            if (Failure failure = once()) return *failure;
        }
        if (Failure failure = growth.look(round)) return *failure;
    }
    return growth.finish().value_or(passed());
}

DeviceOutcome executing(ExecutionPath path, size_t executions, const SharedDevice& device) {
    const JobCase job(sumJob());
    SharedPreparedModel prepared;
    if (Failure failure = prepareOn(*device, job.model(), &prepared)) return *failure;
    Result<Arguments> arguments = job.arguments();
    if (!arguments.ok()) return failedCall("memory of the case", arguments.status());
    return repeat(executions, [&]() -> Failure {
        const auto executed = executeBy(path, *prepared, arguments->request());
        if (isLackOfFences(path, *device, executed.status()))
            return notSupported("fenced executions");
        return checkExecuted("execute", executed, MeasureTiming::NO, job.wanted(), *arguments);
    });
}

// Many more on one burst, whose cache must not grow with new memory.
DeviceOutcome onOneBurst(size_t executions, const SharedDevice& device) {
    const JobCase job(sumJob());
    SharedPreparedModel prepared;
    if (Failure failure = prepareOn(*device, job.model(), &prepared)) return *failure;
    const auto burst = prepared->configureExecutionBurst();
    if (!burst.has_value()) return failedCall("configureExecutionBurst", burst.status(), "27");
    return repeat(executions, [&]() -> Failure {
        const Result<Arguments> arguments = job.arguments();
        if (!arguments.ok()) return failedCall("memory of the case", arguments.status());
        const auto hold = (*burst)->cacheMemory(arguments->inputMemory());
        const auto executed =
                (*burst)->execute(arguments->request(), MeasureTiming::NO, {}, {}, {}, {});
        return checkExecuted("execute of the burst", executed, MeasureTiming::NO, job.wanted(),
                             *arguments);
    });
}

DeviceOutcome preparing(size_t times, const SharedDevice& device) {
    const JobCase job(chainJob(3, 16));
    return repeat(times, [&]() -> Failure {
        SharedPreparedModel prepared;
        if (Failure failure = prepareOn(*device, job.model(), &prepared)) return failure;
        return checkComputes("execute", *prepared, job);
    });
}

DeviceOutcome allocating(size_t times, const SharedDevice& device) {
    DeviceMemory domain(device);
    if (Failure failure = domain.begin()) return *failure;
    return repeat(times, [&]() -> Failure { return executeOnBuffers(domain); });
}

DeviceOutcome caching(size_t times, const std::string& folder, const SharedDevice& device) {
    CacheFixture cache(device, folder);
    if (Failure failure = cache.begin()) return *failure;
    return repeat(times, [&]() -> Failure { return cache.saveAndLoad(); });
}

}  // namespace

void addGrowth(Cases& cases, const DeviceTestOptions& options) {
    const size_t executions = options.executions;
    // What takes longer is done less often, and often enough to be noticed.
    const size_t fewer = executions / 2;
    const auto add = [&](std::string_view name, RunCase run) {
        cases.push_back(deviceCase(fmt::format("growth/{}", name), std::move(run)));
    };
    for (const ExecutionPath path : kExecutionPaths) {
        add(nameOf(path), [=](const SharedDevice& d) { return executing(path, executions, d); });
    }
    add("one_burst", [=](const SharedDevice& d) { return onOneBurst(executions, d); });
    add("preparing", [=](const SharedDevice& d) { return preparing(fewer, d); });
    add("device_memory", [=](const SharedDevice& d) { return allocating(fewer, d); });
    add("cache", [=, folder = options.temporaryFolder](const SharedDevice& d) {
        return caching(fewer, folder, d);
    });
}

}  // namespace nn::testing
