// Never allocate file descriptors 0-2, even if a program has closed its standard streams: a log
// message to standard error must not be written to a memory or a peer.
#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <functional>
#include <memory>

#include "base/directory.h"
#include "base/standard_streams.h"
#include "driver/fences/fence_watch.h"
#include "driver/fences/fences.h"
#include "in_child.h"
#include "nnapi/hal/hidl/message_queue.h"
#include "nnapi/memory.h"
#include "temporary_folder.h"

namespace nn::driver_standard_streams_test {
namespace {

constexpr int kStreams[] = {STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO};

bool isOpen(int fd) { return fcntl(fd, F_GETFD) >= 0; }

// Keeps the value of a Result; null for an error.
template <class T>
std::shared_ptr<const void> kept(Result<T> made) {
    return made.ok() ? std::make_shared<const T>(*std::move(made)) : nullptr;
}

struct Row {
    const char* name;
    std::function<std::shared_ptr<const void>(const TemporaryFolder&)> open;
};

const Row kRows[] = {
        {"shared memory", [](const TemporaryFolder&) { return kept(createSharedMemory(16)); }},
        {"a message queue",
         [](const TemporaryFolder&) -> std::shared_ptr<const void> {
             auto queue =
                     std::make_shared<hidl::MessageQueue<uint32_t, hidl::kSynchronizedReadWrite>>(
                             8, true);
             return queue->isValid() ? queue : nullptr;
         }},
        {"a fence", [](const TemporaryFolder&) { return kept(driver::OwnFence::create()); }},
        {"waiting for a fence",
         [](const TemporaryFolder&) -> std::shared_ptr<const void> {
             auto fence = driver::OwnFence::create();
             auto watch = std::make_shared<driver::FenceWatch>();
             if (!fence.ok() || !watch->add({fence->fence()}, {}, [](const Status&) {}).ok()) {
                 return nullptr;
             }
             fence->signal();
             return watch;
         }},
        {"a new file",
         [](const TemporaryFolder& folder) {
             return kept(NewFile::create(*Directory::open(folder.path().string()), "f"));
         }},
        {"a file of a cache",
         [](const TemporaryFolder& folder) {
             return kept(
                     Directory::openOwn(folder.path().string())->openFile("f", O_RDWR | O_CREAT));
         }},
};

TEST(StandardStreams, AreNeverAllocated) {
    for (const Row& row : kRows) {
        const TemporaryFolder folder;
        const int exitCode = inChild([&] {
            for (const int stream : kStreams) close(stream);
            const auto opened = row.open(folder);
            if (opened == nullptr) return 1;
            return isOpen(STDIN_FILENO) || isOpen(STDOUT_FILENO) || isOpen(STDERR_FILENO) ? 2 : 0;
        });
        EXPECT_EQ(exitCode, 0) << row.name;
    }
}

TEST(StandardStreams, AreMovedAway) {
    for (const int stream : kStreams) {
        EXPECT_EQ(inChild([&] {
                      close(stream);
                      const int zero = open("/dev/zero", O_RDONLY);
                      if (zero != stream) return 1;
                      const UniqueFd moved = aboveStandardStreams(zero);
                      if (moved.get() <= STDERR_FILENO || isOpen(stream)) return 2;
                      if ((fcntl(moved.get(), F_GETFD) & FD_CLOEXEC) == 0) return 3;
                      char byte = 1;
                      return read(moved.get(), &byte, 1) == 1 && byte == 0 ? 0 : 4;
                  }),
                  0)
                << stream;
    }
    errno = ENFILE;
    EXPECT_FALSE(aboveStandardStreams(-1).ok());
    EXPECT_EQ(errno, ENFILE);
    const int other = open("/dev/zero", O_RDONLY | O_CLOEXEC);
    EXPECT_EQ(aboveStandardStreams(other).get(), other);
}

// Opens the closed streams only.
TEST(StandardStreams, AreOpenedIfClosed) {
    for (unsigned closed = 0; closed < 8; ++closed) {
        EXPECT_EQ(inChild([&] {
                      struct stat before[3];
                      for (const int stream : kStreams) {
                          if (fstat(stream, &before[stream]) != 0) return 1;
                          if ((closed >> stream) & 1u) close(stream);
                      }
                      openStandardStreams();
                      struct stat null {};
                      if (stat("/dev/null", &null) != 0) return 2;
                      for (const int stream : kStreams) {
                          const bool isOurs = ((closed >> stream) & 1u) != 0;
                          struct stat now {};
                          if (fstat(stream, &now) != 0) return 3;
                          if (now.st_rdev != (isOurs ? null : before[stream]).st_rdev) return 4;
                          if (now.st_ino != (isOurs ? null : before[stream]).st_ino) return 5;
                      }
                      return 0;
                  }),
                  0)
                << closed;
    }
}

}  // namespace
}  // namespace nn::driver_standard_streams_test
