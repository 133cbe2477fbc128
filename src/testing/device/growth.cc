// Cases that detect leaks: descriptors, threads, mappings and heap of this process must not grow
// with the number of executions, nor the time of each. For a driver in another process, only the
// client side is seen.
#include <fcntl.h>
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

// A counted resource and its tolerance: counts fluctuate a little by themselves.
struct Resource {
    const char* name;
    uint64_t (*now)();
    uint64_t minPerRound;  // minimum growth per hundred executions
    size_t rounds;         // consecutive growing rounds that rule out chance
    uint64_t minOverall;   // minimum growth in the second half
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

// Empty with another allocator, as under sanitizers, which detect leaks themselves.
uint64_t heapBytes() {
#if defined(__GLIBC__) && (__GLIBC__ > 2 || __GLIBC_MINOR__ >= 33)
    const struct mallinfo2 info = mallinfo2();
    return info.uordblks + info.hblkhd;
#else
    return 0;
#endif
}

uint64_t descriptors() { return entriesOf("/proc/self/fd"); }

constexpr Resource kResources[] = {
        {"descriptors", descriptors, 1, 6, 8},
        {"threads", [] { return entriesOf("/proc/self/task"); }, 1, 6, 8},
        {"mappings", mappings, 1, 6, 64},
        // Each thread caches some freed memory.
        {"bytes of memory", heapBytes, 800, 16, 1 << 20},
};

class Growth {
   public:
    // The total number of executions.
    explicit Growth(size_t executions) : mExpected(executions) {}

    // Samples all resources after so many further executions.
    Failure look(size_t executions) {
        mExecutions += executions;
        for (size_t i = 0; i < mWatched.size(); ++i) {
            const Resource& resource = kResources[i];
            Samples& watched = mWatched[i];
            const uint64_t now = resource.now();
            if (mExecutions >= mExpected / 2 && mExecutions - executions < mExpected / 2) {
                watched.atHalf = now;
            }
            if (mIsFirst) {
                watched = {.atHalf = now, .last = now, .beforeRounds = now};
                continue;
            }
            const uint64_t least = std::max<uint64_t>(resource.minPerRound * executions / 100, 1);
            if (now < watched.last + least) {
                watched.beforeRounds = now;
                watched.rounds = 0;
            } else {
                ++watched.rounds;
            }
            watched.last = now;
            if (watched.rounds < resource.rounds) continue;
            // Other threads may still be releasing.
            std::this_thread::sleep_for(std::chrono::milliseconds(50));
            const uint64_t settled = resource.now();
            if (settled >= watched.beforeRounds + least * resource.rounds) {
                return growthFailure(resource, settled - watched.beforeRounds,
                                     resource.rounds * executions);
            }
            watched.rounds = 0;
            watched.beforeRounds = watched.last = settled;
        }
        mIsFirst = false;
        return std::nullopt;
    }

    // Fails for slow growth that continued in the second half.
    Failure finish() const {
        for (size_t i = 0; i < mWatched.size(); ++i) {
            const Samples& watched = mWatched[i];
            const uint64_t allowed = kResources[i].minOverall + mExecutions / 200;
            if (watched.last > watched.atHalf + allowed) {
                return growthFailure(kResources[i], watched.last - watched.atHalf, mExecutions / 2);
            }
        }
        return std::nullopt;
    }

   private:
    struct Samples {
        uint64_t atHalf = 0;
        uint64_t last = 0;
        uint64_t beforeRounds = 0;
        size_t rounds = 0;  // consecutive growing rounds
    };

    static DeviceOutcome growthFailure(const Resource& resource, uint64_t more, size_t executions) {
        return failed("the process",
                      fmt::format("{} more {} after {} executions, allowed none", more,
                                  resource.name, executions),
                      "252");
    }

    std::array<Samples, std::size(kResources)> mWatched{};
    size_t mExpected;
    size_t mExecutions = 0;
    bool mIsFirst = true;
};

// The shortest time of an action in each round. On a busy machine others are longer.
class Pace {
   public:
    explicit Pace(size_t round) : mRound(round) {}

    Failure run(const std::function<Failure()>& once) {
        const TimePoint begin = Clock::now();
        if (Failure failure = once()) return failure;
        mLeast = std::min<Duration>(mLeast, Clock::now() - begin);
        return std::nullopt;
    }
    void endRound() { mRounds.push_back(std::exchange(mLeast, Duration::max())); }

    // Fails where each round was slower than the one before, and the last by far than the first.
    Failure finish() const {
        constexpr size_t kMinRounds = 10, kMinPerRound = 10;
        constexpr Duration kMore = std::chrono::microseconds(100);
        if (mRounds.size() < kMinRounds || mRound < kMinPerRound) return std::nullopt;
        const Duration first = mRounds.front(), last = mRounds.back();
        const auto isSlower = [](Duration a, Duration b) { return a >= b; };
        if (std::ranges::adjacent_find(mRounds, isSlower) != mRounds.end()) return std::nullopt;
        if (last < 2 * first || last < first + kMore) return std::nullopt;
        const auto text = [](Duration time) {
            return std::chrono::duration<double, std::milli>(time).count();
        };
        return failed("time",
                      fmt::format("each takes longer: {:.3f} ms at the least of the first {}, "
                                  "{:.3f} ms of the last {}, more in each of {} rounds between",
                                  text(first), mRound, text(last), mRound, mRounds.size() - 2),
                      "252");
    }

   private:
    size_t mRound;
    Duration mLeast = Duration::max();
    std::vector<Duration> mRounds{};
};

// Repeats an action many times. The first rounds do not count, since threads start and tables grow
// to their final sizes.
DeviceOutcome repeat(size_t executions, const std::function<Failure()>& once) {
    const size_t round = std::max<size_t>(std::min<size_t>(executions / 20, 50), 1);
    for (size_t i = 0; i < std::min<size_t>(executions / 10, 100); ++i) {
        if (Failure failure = once()) return *failure;
    }
    Growth growth(executions);
    Pace pace(round);
    (void)growth.look(0);
    for (size_t done = 0; done < executions; done += round) {
        for (size_t i = 0; i < round; ++i) {
            if (Failure failure = pace.run(once)) return *failure;
        }
        pace.endRound();
        if (Failure failure = growth.look(round)) return *failure;
    }
    if (Failure failure = growth.finish()) return *failure;
    return pace.finish().value_or(passed());
}

Failure executeOnce(ExecutionPath path, const IDevice& device, const IPreparedModel& prepared,
                    const Arguments& arguments, const JobCase& job) {
    const auto executed = executeBy(path, prepared, arguments.request());
    if (isLackOfFences(path, device, executed.status())) return notSupported("fenced executions");
    return checkExecuted("execute", executed, MeasureTiming::NO, job.wanted(), arguments);
}

Failure prepareOnce(const IDevice& device, const JobCase& job) {
    SharedPreparedModel prepared;
    if (Failure failure = prepareOn(device, job.model(), &prepared)) return failure;
    return checkComputes("execute", *prepared, job);
}

DeviceOutcome executing(ExecutionPath path, size_t executions, const SharedDevice& device) {
    const JobCase job(sumJob());
    SharedPreparedModel prepared;
    if (Failure failure = prepareOn(*device, job.model(), &prepared)) return *failure;
    Result<Arguments> arguments = job.arguments();
    if (!arguments.ok()) return failedCall("memory of the case", arguments.status());
    return repeat(executions,
                  [&] { return executeOnce(path, *device, *prepared, *arguments, job); });
}

// Many more on one burst, whose cache must not grow with new memories.
DeviceOutcome onOneBurst(size_t executions, const SharedDevice& device) {
    const JobCase job(sumJob());
    SharedPreparedModel prepared;
    if (Failure failure = prepareOn(*device, job.model(), &prepared)) return *failure;
    SharedBurst burst;
    if (Failure failure = createBurst(*prepared, &burst)) return *failure;
    return repeat(executions, [&]() -> Failure {
        const Result<Arguments> arguments = job.arguments();
        if (!arguments.ok()) return failedCall("memory of the case", arguments.status());
        const auto hold = burst->cacheMemory(arguments->inputMemory());
        const auto executed =
                burst->execute(arguments->request(), MeasureTiming::NO, {}, {}, {}, {});
        return checkExecuted("execute of the burst", executed, MeasureTiming::NO, job.wanted(),
                             *arguments);
    });
}

DeviceOutcome preparing(size_t times, const SharedDevice& device) {
    const JobCase job(chainJob(3, 16));
    return repeat(times, [&] { return prepareOnce(*device, job); });
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

// ---- descriptor 0, which a driver gets where standard input is closed

bool isOpen(int descriptor) { return fcntl(descriptor, F_GETFD) >= 0; }

// Descriptor 0 of this process, which can be free for some time.
class Zero {
   public:
    Zero() : mCopy(fcntl(0, F_DUPFD_CLOEXEC, 3)), mIsOwn(mCopy.ok()) {}
    // Threads that others have started may have something open for a moment.
    ~Zero() {
        for (int i = 0; i < 100 && !occupy(); ++i) {
            std::this_thread::sleep_for(std::chrono::milliseconds(5));
        }
    }
    Zero(const Zero&) = delete;
    Zero& operator=(const Zero&) = delete;

    // Otherwise it was free before, or the driver has it: it cannot be closed.
    bool isOwn() const { return mIsOwn; }
    void free() {
        close(0);
        mIsOwn = false;
    }
    // False if it is in use. A duplicate is the lowest that is free, or closed again.
    bool occupy() {
        if (mIsOwn || !mCopy.ok()) return true;
        UniqueFd lowest(fcntl(mCopy.get(), F_DUPFD, 0));
        if (lowest.get() != 0) return false;
        (void)lowest.release();
        mIsOwn = true;
        return true;
    }

   private:
    UniqueFd mCopy;
    bool mIsOwn;
};

// Runs an action some times while descriptor 0 is free. It may be in use afterwards, but not in
// addition to as many others as before: then the driver took it, and does not know it any more.
Failure checkClosesZero(Zero& zero, std::string_view name, const std::function<Failure()>& once) {
    constexpr int kToWarmUp = 32, kTimes = 4;
    if (!zero.isOwn()) return std::nullopt;
    for (int i = 0; i < kToWarmUp; ++i) {
        if (Failure failure = once()) return failure;
    }
    Failure failure;
    const auto isSoEachTime = [&](const auto& isSo) {
        for (int i = 0; i < kTimes; ++i) {
            failure = once();
            if (failure || !isSo()) return false;
        }
        return true;
    };
    const uint64_t before = descriptors();
    // Else other threads open and close some.
    if (!isSoEachTime([&] { return descriptors() == before; })) return failure;
    zero.free();
    const auto isLost = [&] { return isOpen(0) && descriptors() >= before; };
    bool hasLost = isSoEachTime(isLost);
    if (hasLost) {
        std::this_thread::sleep_for(std::chrono::milliseconds(50));
        hasLost = isLost();
    }
    (void)zero.occupy();
    if (!hasLost) return failure;
    return failed("the process",
                  fmt::format("descriptor 0 was free, and stays open after {}, allowed for what is "
                              "in use alone; 0 is a descriptor like others, -1 is none",
                              name),
                  "252");
}

DeviceOutcome closingZero(const std::string& folder, const SharedDevice& device) {
    Zero zero;
    if (!zero.isOwn()) return notSupported("standard input");
    const JobCase job(sumJob());
    SharedPreparedModel prepared;
    if (Failure failure = prepareOn(*device, job.model(), &prepared)) return *failure;
    Result<Arguments> arguments = job.arguments();
    if (!arguments.ok()) return failedCall("memory of the case", arguments.status());
    CacheFixture cache(device, folder);
    const bool hasCache = !cache.begin();
    const auto check = [&](std::string_view name, const std::function<Failure()>& once) -> Failure {
        Failure failure = checkClosesZero(zero, name, once);
        const bool isFailed = failure && failure->result == DeviceOutcome::Result::FAILED;
        return isFailed ? failure : std::nullopt;
    };
    for (const ExecutionPath path : kExecutionPaths) {
        if (Failure failure = check(fmt::format("execute ({})", nameOf(path)), [&] {
                return executeOnce(path, *device, *prepared, *arguments, job);
            })) {
            return *failure;
        }
    }
    if (Failure failure = check("prepareModel", [&] { return prepareOnce(*device, job); })) {
        return *failure;
    }
    if (!hasCache) return passed();
    return check("prepareModelFromCache", [&] { return cache.saveAndLoad(); }).value_or(passed());
}

}  // namespace

void addGrowth(Cases& cases, const DeviceTestOptions& options) {
    const size_t executions = options.executions;
    // Slower actions are repeated less, but often enough to detect growth.
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
    add("descriptor_0", [=, folder = options.temporaryFolder](const SharedDevice& d) {
        return closingZero(folder, d);
    });
}

}  // namespace nn::testing
