// Resources that a device leaks with every execution are found, and the reference leaks none.
#include <fcntl.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/mman.h>
#include <unistd.h>

#include <condition_variable>
#include <mutex>
#include <thread>

#include "device_commands/hooked_device.h"
#include "nnapi/device_test/device_test.h"
#include "nnapi/driver/registry.h"
#include "sanitized.h"

namespace nn::device_commands_test {
namespace {

using nn::testing::DeviceOutcome;
using nn::testing::DeviceTestOptions;
using ::testing::HasSubstr;
using ::testing::MatchesRegex;

DeviceOutcome run(const SharedDevice& device, const std::string& name,
                  const DeviceTestOptions& options = {}) {
    for (const auto& one : nn::testing::listCases(options)) {
        if (one.name == name) return nn::testing::runCase(device, one);
    }
    ADD_FAILURE() << "there is no case " << name;
    return {};
}

// Keeps leaked objects until the test ends.
class Leaks {
   public:
    Leaks() = default;
    Leaks(const Leaks&) = delete;
    Leaks& operator=(const Leaks&) = delete;
    ~Leaks() {
        for (const int fd : mDescriptors) close(fd);
        for (void* page : mPages) munmap(page, 1);
        for (void* bytes : mHeap) std::free(bytes);
        {
            const std::lock_guard lock(mMutex);
            mIsOver = true;
        }
        mEnds.notify_all();
        for (std::thread& thread : mThreads) thread.join();
    }

    void descriptor() { mDescriptors.push_back(open("/dev/null", O_RDONLY | O_CLOEXEC)); }
    void thread() {
        mThreads.emplace_back([this] {
            std::unique_lock lock(mMutex);
            mEnds.wait(lock, [&] { return mIsOver; });
        });
    }
    // Other rights than its neighbor, so that the two do not become one.
    void mapping() {
        mPages.push_back(mmap(nullptr, 1, mPages.size() % 2 == 0 ? PROT_READ : PROT_NONE,
                              MAP_PRIVATE | MAP_ANONYMOUS, -1, 0));
    }
    void memory() { mHeap.push_back(std::malloc(100)); }

   private:
    std::vector<int> mDescriptors{};
    std::vector<void*> mPages{}, mHeap{};
    std::mutex mMutex{};
    std::condition_variable mEnds{};
    bool mIsOver = false;
    std::vector<std::thread> mThreads{};
};

struct LeakRow {
    void (Leaks::*lose)();
    const char* found;
    bool needsOwnAllocator = false;
};

const LeakRow kLeaks[] = {
        {&Leaks::descriptor, "3[0-9][0-9] more descriptors after 300 executions, allowed none"},
        {&Leaks::thread, "3[0-9][0-9] more threads after 300 executions, allowed none"},
        // Others may end meanwhile.
        {&Leaks::mapping, "(29|3[0-9])[0-9] more mappings after 300 executions, allowed none"},
        {&Leaks::memory, "[0-9]+ more bytes of memory after 800 executions, allowed none", true},
};

// Rule device_test.stress: something leaks with each execution, by each way to execute.
TEST(Growth, FindsWhatExecutionsLeave) {
    for (const LeakRow& row : kLeaks) {
        if (row.needsOwnAllocator && kIsSanitized) continue;
        for (const char* name : {"growth/sync", "growth/fenced", "growth/one_burst"}) {
            Leaks leaks;
            const DeviceOutcome outcome =
                    run(hooked({.onExecute = [&] { (leaks.*row.lose)(); }}), name);
            EXPECT_EQ(outcome.result, DeviceOutcome::Result::FAILED) << name;
            EXPECT_THAT(nn::testing::toString(outcome),
                        MatchesRegex("the process: " + std::string(row.found) +
                                     " .device_test.stress."))
                    << name;
        }
    }
}

// Rule device_test.stress: what only preparations leave, and what every twentieth execution leaves.
TEST(Growth, FindsWhatIsLostNowAndThen) {
    Leaks leaks;
    const DeviceOutcome prepared =
            run(hooked({.onPrepare = [&] { leaks.descriptor(); }}), "growth/preparing");
    EXPECT_EQ(prepared.result, DeviceOutcome::Result::FAILED);
    size_t count = 0;
    const auto seldom = [&] {
        if (++count % 20 == 0) leaks.descriptor();
    };
    const DeviceOutcome executed = run(hooked({.onExecute = seldom}), "growth/sync");
    EXPECT_EQ(executed.result, DeviceOutcome::Result::FAILED);
    EXPECT_THAT(executed.message, MatchesRegex("[0-9]+ more descriptors after .*"));
}

// Rule device_test.stress: what grows to a size and stays there is no leak.
TEST(Growth, AllowsWhatEnds) {
    Leaks leaks;
    size_t count = 0;
    const auto first = [&] {
        if (++count < 250) leaks.descriptor();
    };
    EXPECT_EQ(nn::testing::toString(run(hooked({.onExecute = first}), "growth/sync")), "passed");
}

// A slow device gets fewer executions, and a leak of each still shows.
TEST(Growth, FollowsTheSpeedOfTheDevice) {
    constexpr std::chrono::milliseconds kSlow(20);
    size_t count = 0;
    const auto slow = [&] {
        ++count;
        std::this_thread::sleep_for(kSlow);
    };
    EXPECT_EQ(nn::testing::toString(run(hooked({.onExecute = slow}), "growth/sync")), "passed");
    EXPECT_LT(count, 500u);
    EXPECT_GE(count, 40u);
    Leaks leaks;
    const auto leaking = [&] {
        slow();
        leaks.descriptor();
    };
    EXPECT_THAT(nn::testing::toString(run(hooked({.onExecute = leaking}), "growth/sync")),
                HasSubstr("more descriptors after"));
}

// Rule device_test.stress: each execution takes longer than the one before; or only some do.
TEST(Growth, FindsExecutionsThatTakeLongerAndLonger) {
    const DeviceTestOptions some{.executions = 300};
    int count = 0;
    const auto sleep = [](int times) {
        std::this_thread::sleep_for(std::chrono::microseconds(100) * times);
    };
    const DeviceOutcome slower =
            run(hooked({.onExecute = [&] { sleep(++count); }}), "growth/sync", some);
    EXPECT_EQ(slower.result, DeviceOutcome::Result::FAILED);
    EXPECT_THAT(
            nn::testing::toString(slower),
            MatchesRegex(
                    "time: each takes longer: [0-9.]+ ms at the least of the first [0-9]+, [0-9.]+ "
                    "ms of the last [0-9]+, more in each of 18 rounds between "
                    ".device_test.stress."));
    count = 0;
    const auto sometimes = [&] { sleep(++count % 100); };
    EXPECT_EQ(nn::testing::toString(run(hooked({.onExecute = sometimes}), "growth/sync", some)),
              "passed");
}

// Rule device_test.stress: descriptor 0 is a descriptor.
TEST(Growth, FindsADescriptor0ThatIsNotClosed) {
    const auto open = [] { return ::open("/dev/null", O_RDONLY | O_CLOEXEC); };
    const auto restore = [&] {
        close(0);
        ASSERT_EQ(open(), 0);
    };
    const auto closeAboveZero = [&] {
        const int opened = open();
        if (opened > 0) close(opened);
    };
    EXPECT_EQ(nn::testing::toString(
                      run(hooked({.onExecute = closeAboveZero}), "growth/descriptor_0")),
              "the process: descriptor 0 was free, and stays open after execute (sync), allowed "
              "for what is in use alone; 0 is a descriptor like others, -1 is none "
              "[device_test.stress]");
    restore();
    EXPECT_THAT(run(hooked({.onPrepare = closeAboveZero}), "growth/descriptor_0").message,
                HasSubstr("stays open after prepareModel,"));
    restore();
    UniqueFd inUse;  // until the next execution
    const auto hold = [&] { inUse.reset(open()); };
    EXPECT_EQ(nn::testing::toString(run(hooked({.onExecute = hold}), "growth/descriptor_0")),
              "passed");
    inUse.reset();
    restore();
}

// Rules wrapper.cache_handles and device_test.stress: ten thousand executions by each way, and
// thousands of all else.
TEST(Growth, TheReferenceLeavesNothing) {
    const DeviceTestOptions options{.executions = kIsSanitized ? 500u : 10'000u};
    const SharedDevice device = referenceDevice({.fencedThreads = 2});
    size_t cases = 0;
    for (const auto& one : nn::testing::listCases(options)) {
        if (one.kind != "growth") continue;
        ++cases;
        EXPECT_EQ(nn::testing::toString(nn::testing::runCase(device, one)), "passed") << one.name;
    }
    EXPECT_EQ(cases, 23u);
}

// Rules wrapper.cache_handles, adapter.executor and device_test.stress: and through adapter and
// wrapper of each version.
TEST(Growth, NothingIsLeftBetweenVersions) {
    const DeviceTestOptions options{.executions = kIsSanitized ? 200u : 1000u};
    const DeviceRegistry registry;
    for (const char* name : {"nnapi-reference@1.0", "nnapi-reference@1.1", "nnapi-reference@1.2",
                             "nnapi-reference@1.3"}) {
        const SharedDevice device = registry.open(name).value();
        for (const auto& one : nn::testing::listCases(options)) {
            if (one.kind != "growth") continue;
            const DeviceOutcome outcome = nn::testing::runCase(device, one);
            EXPECT_NE(outcome.result, DeviceOutcome::Result::FAILED)
                    << name << ", " << one.name << ": " << nn::testing::toString(outcome);
        }
    }
}

}  // namespace
}  // namespace nn::device_commands_test
