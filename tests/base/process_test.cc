// State of the parent in a forked process.
#include <gtest/gtest.h>
#include <unistd.h>

#include <condition_variable>
#include <future>
#include <thread>
#include <vector>

#include "base/no_throw.h"
#include "base/per_process.h"
#include "base/process_mutex.h"
#include "in_child.h"
#include "sanitized.h"

namespace nn::process_test {
namespace {

// Returns 0 if it could be locked, 1 if its lock was lost with the parent's thread.
int lockCode(ProcessMutex& mutex) {
    try {
        const std::lock_guard lock(mutex);
        return 0;
    } catch (const std::system_error& failure) {
        return failure.code() == std::errc::owner_dead ? 1 : 2;
    }
}

TEST(Process, HasAnotherGenerationThanItsParent) {
    const uint64_t here = processGeneration();
    EXPECT_EQ(inChild([&] {
                  const uint64_t child = processGeneration();
                  const int grandchild = inChild([&] { return processGeneration() == child; });
                  return (child == here ? 1 : 0) + grandchild;
              }),
              0);
    EXPECT_EQ(processGeneration(), here);
}

TEST(ProcessMutex, WorksInChildIfUnlocked) {
    if (kIsThreadSanitized) {
        GTEST_SKIP() << "ThreadSanitizer ends processes that start threads after a fork";
    }
    ProcessMutex mutex;
    EXPECT_EQ(lockCode(mutex), 0);
    EXPECT_EQ(inChild([&] {
                  // With many threads at once, repeatedly.
                  std::vector<std::future<int>> codes;
                  for (int i = 0; i < 8; ++i) {
                      codes.push_back(std::async(std::launch::async, [&] {
                          int failed = 0;
                          for (int k = 0; k < 1000; ++k) failed += lockCode(mutex);
                          return failed;
                      }));
                  }
                  int failed = 0;
                  for (auto& code : codes) failed += code.get();
                  return failed == 0 ? inChild([&] { return lockCode(mutex); }) : 9;
              }),
              0);
}

TEST(ProcessMutex, IsLostWithTheThreadThatHeldIt) {
    ProcessMutex mutex;
    std::promise<void> isHeld, isOver;
    std::thread holder([&] {
        const std::lock_guard lock(mutex);
        isHeld.set_value();
        isOver.get_future().wait();
    });
    isHeld.get_future().wait();
    EXPECT_EQ(inChild([&] {
                  // Each time, and in its children.
                  if (lockCode(mutex) != 1 || lockCode(mutex) != 1) return 9;
                  return inChild([&] { return lockCode(mutex); });
              }),
              1);
    // The exception becomes a failure.
    EXPECT_EQ(inChild([&] {
                  try {
                      mutex.lock();
                  } catch (...) {
                      return errorStatus(statusOfException()) == ErrorStatus::DEAD_OBJECT ? 0 : 1;
                  }
                  return 2;
              }),
              0);
    isOver.set_value();
    holder.join();
    EXPECT_EQ(lockCode(mutex), 0) << "in the parent nothing has changed";
}

// While another thread of the parent locks and unlocks it.
TEST(ProcessMutex, IsUnlockedOrLostInAChild) {
    ProcessMutex mutex;
    std::atomic<bool> isOver = false;
    std::thread other([&] {
        while (!isOver) (void)lockCode(mutex);
    });
    for (int i = 0; i < 100; ++i) {
        const int code = inChild([&] { return lockCode(mutex); });
        EXPECT_TRUE(code == 0 || code == 1) << code;
    }
    isOver = true;
    other.join();
}

struct Waited {
    std::mutex mutex{};
    std::condition_variable changed{};
    int number = 7;
};

// A condition variable that a thread of the parent waits for can neither be used nor destroyed in
// the child.
TEST(PerProcess, IsNewInAChild) {
    auto shared = std::make_unique<PerProcess<Waited>>();
    shared->get()->number = 8;
    bool isOver = false;
    std::promise<void> isWaiting;
    std::thread waiting([&] {
        Waited& own = *shared->get();
        std::unique_lock lock(own.mutex);
        isWaiting.set_value();
        own.changed.wait(lock, [&] { return isOver; });
    });
    isWaiting.get_future().wait();
    { const std::lock_guard lock(shared->get()->mutex); }  // it waits
    EXPECT_EQ(inChild([&] {
                  Waited& own = *shared->get();
                  if (own.number != 7 || &own != shared->get().get()) return 1;
                  { const std::lock_guard lock(own.mutex); }  // not locked in this process
                  own.changed.notify_all();
                  shared.reset();
                  return 0;
              }),
              0);
    EXPECT_EQ(inChild([&] {
                  shared.reset();  // not accessed in this process
                  return 0;
              }),
              0);
    EXPECT_EQ(shared->get()->number, 8);
    {
        const std::lock_guard lock(shared->get()->mutex);
        isOver = true;
    }
    shared->get()->changed.notify_all();
    waiting.join();
}

}  // namespace
}  // namespace nn::process_test
