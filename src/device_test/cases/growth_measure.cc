#include "device_test/cases/growth.h"

#include <malloc.h>

#include <algorithm>
#include <array>
#include <filesystem>
#include <fstream>
#include <thread>

namespace nn::testing {
namespace {

// Fewer say nothing of growth.
constexpr size_t kMinActions = 40;

// A counted resource and its tolerance: counts fluctuate slightly.
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

constexpr Resource kResources[] = {
        {"descriptors", openDescriptors, 1, 6, 8},
        {"threads", [] { return entriesOf("/proc/self/task"); }, 1, 6, 8},
        {"mappings", mappings, 1, 6, 64},
        // Each thread caches some freed memory.
        {"bytes of memory", heapBytes, 800, 16, 1 << 20},
};

// The count once it is below a bound, or the last one. Other threads, which may have to wait for a
// processor, still release.
uint64_t whenBelow(uint64_t bound, const Resource& resource) {
    constexpr Duration kLongest = std::chrono::seconds(2);
    const TimePoint end = Clock::now() + kLongest;
    uint64_t now = resource.now();
    while (now >= bound && Clock::now() < end) {
        std::this_thread::sleep_for(std::chrono::milliseconds(10));
        now = resource.now();
    }
    return now;
}

class Growth {
   public:
    // `action` names the repeated action, in the plural; `actions` is their number.
    Growth(const char* action, size_t actions) : mAction(action), mExpected(actions) {}

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
            const uint64_t grown = watched.beforeRounds + least * resource.rounds;
            const uint64_t settled = whenBelow(grown, resource);
            if (settled >= grown) {
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
            const uint64_t grown =
                    watched.atHalf + kResources[i].minOverall + mExecutions / 200 + 1;
            if (watched.last < grown) continue;
            const uint64_t settled = whenBelow(grown, kResources[i]);
            if (settled >= grown) {
                return growthFailure(kResources[i], settled - watched.atHalf, mExecutions / 2);
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

    DeviceOutcome growthFailure(const Resource& resource, uint64_t more, size_t actions) const {
        return failed("the process",
                      fmt::format("{} more {} after {} {}, allowed none", more, resource.name,
                                  actions, mAction),
                      "device_test.stress");
    }

    std::array<Samples, std::size(kResources)> mWatched{};
    const char* mAction;
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
                      "device_test.stress");
    }

   private:
    size_t mRound;
    Duration mLeast = Duration::max();
    std::vector<Duration> mRounds{};
};

// So many of an action as a slow device has time for. Growth shows in any number of rounds.
size_t affordable(size_t most, size_t done, Duration took) {
    constexpr Duration kEnough = std::chrono::seconds(4);
    const auto each = std::max<Duration>(took / static_cast<int64_t>(done), Duration(1));
    const auto count = static_cast<size_t>(kEnough / each);
    return std::clamp<size_t>(count, std::min(kMinActions, most), most);
}

struct Measured {
    Failure failure{};  // of the action, or because it takes longer each time
    Failure growth{};   // of a resource
};

Measured measure(const char* action, size_t actions, const std::function<Failure()>& once) {
    const size_t round = std::clamp<size_t>(actions / 20, 1, 50);
    Growth resources(action, actions);
    Pace pace(round);
    Failure growth = resources.look(0);
    for (size_t done = 0; done < actions && !growth; done += round) {
        for (size_t i = 0; i < round; ++i) {
            if (Failure failure = pace.run(once)) return {.failure = std::move(failure)};
        }
        pace.endRound();
        growth = resources.look(round);
    }
    if (!growth) growth = resources.finish();
    if (growth) return {.growth = std::move(growth)};
    return {.failure = pace.finish()};
}

}  // namespace

uint64_t openDescriptors() { return entriesOf("/proc/self/fd"); }

// Repeats an action many times. The first rounds do not count, since threads start and tables grow
// to their final sizes. What grows is measured a second time: caches of threads fill up, leaks
// continue.
Failure repeat(const char* action, size_t most, const std::function<Failure()>& once) {
    const TimePoint begin = Clock::now();
    const size_t warmUps = std::clamp<size_t>(most / 10, 1, 100);
    size_t actions = most;
    for (size_t i = 1; i <= std::min(warmUps, actions / 10 + 1); ++i) {
        if (Failure failure = once()) return failure;
        actions = affordable(most, i, Clock::now() - begin);
    }
    Measured measured;
    for (size_t i = 0; i < 2; ++i) {
        measured = measure(action, actions, once);
        if (measured.failure) return *measured.failure;
        if (!measured.growth) return std::nullopt;
    }
    return *measured.growth;
}

Failure executeOnce(ExecutionPath path, const IDevice& device, const PreparedJob& made) {
    const auto executed = executeBy(path, *made.prepared, made.arguments->request());
    if (Failure failure = lackOfFences(device, executed.status(), path)) return failure;
    return checkExecuted("execute", executed, MeasureTiming::NO, made.job.wanted(),
                         *made.arguments);
}

Failure prepareOnce(const IDevice& device, const JobCase& job) {
    SharedPreparedModel prepared;
    if (Failure failure = prepareOn(device, job.model(), &prepared)) return failure;
    return checkComputes("execute", *prepared, job);
}

}  // namespace nn::testing
